package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import java.util.List;

/**
 * OP_INSERT, OP_UPDATE or OP_DELETE: a write from before there were write commands. It is never answered. Servers since 5.1
 * know none of them.
 *
 * <p>Source: the manual's page "Legacy Opcodes".
 */
public final class OpWrite extends WireMessage {
    /** As many as a message of 48 MB can hold of the smallest is no use to anybody: as in a document sequence. */
    static final int MAX_DOCUMENTS = DocumentSequence.MAX_DOCUMENTS;

    private final int flags;
    private final String fullCollectionName;
    private final List<BsonView> documents;

    private OpWrite(MessageHeader header, ByteBuf bytes, int flags, String name, List<BsonView> documents) {
        super(header, bytes);
        this.flags = flags;
        this.fullCollectionName = name;
        this.documents = documents;
    }

    /** Decodes the parts. Borrows {@code bytes}; the message returned takes them. */
    static OpWrite decode(MessageHeader header, ByteBuf bytes) {
        LegacyFields fields = new LegacyFields(header, bytes);
        if (header.opCode() == OpCode.OP_INSERT) {
            int flags = fields.int32("flags");
            String name = fields.namespace();
            return new OpWrite(header, bytes, flags, name, fields.documents(1, MAX_DOCUMENTS));
        }
        fields.int32("reserved");
        String name = fields.namespace();
        int flags = fields.int32("flags");
        int count = header.opCode() == OpCode.OP_UPDATE ? 2 : 1;
        return new OpWrite(header, bytes, flags, name, fields.documents(count, count));
    }

    public int flags() {
        return flags;
    }

    /** {@code db.coll}. */
    public String fullCollectionName() {
        return fullCollectionName;
    }

    /** What an OP_INSERT inserts; the selector and the update of an OP_UPDATE; the selector of an OP_DELETE. */
    public List<BsonView> documents() {
        return documents;
    }
}
