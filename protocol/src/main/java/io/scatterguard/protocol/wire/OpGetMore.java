package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;

/** OP_GET_MORE: the next batch of a cursor that an OP_QUERY opened; answered by an OP_REPLY. Servers since 5.1 know it not. */
public final class OpGetMore extends WireMessage {
    private final String fullCollectionName;
    private final int numberToReturn;
    private final long cursorId;

    private OpGetMore(MessageHeader header, ByteBuf bytes, String name, int numberToReturn, long cursorId) {
        super(header, bytes);
        this.fullCollectionName = name;
        this.numberToReturn = numberToReturn;
        this.cursorId = cursorId;
    }

    /** Decodes the parts. Borrows {@code bytes}; the message returned takes them. */
    static OpGetMore decode(MessageHeader header, ByteBuf bytes) {
        LegacyFields fields = new LegacyFields(header, bytes);
        fields.int32("reserved");
        String name = fields.namespace();
        int numberToReturn = fields.int32("numberToReturn");
        long cursorId = fields.int64("cursorID");
        fields.end();
        return new OpGetMore(header, bytes, name, numberToReturn, cursorId);
    }

    /** {@code db.coll}. */
    public String fullCollectionName() {
        return fullCollectionName;
    }

    public int numberToReturn() {
        return numberToReturn;
    }

    public long cursorId() {
        return cursorId;
    }
}
