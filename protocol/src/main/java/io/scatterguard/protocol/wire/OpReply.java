package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import org.jspecify.annotations.Nullable;

/** OP_REPLY: responseFlags, cursorID, startingFrom, numberReturned, the documents. Answers an OP_QUERY. */
public final class OpReply extends WireMessage {
    /** The bytes between the header and the first document. */
    public static final int PREFIX_BYTES = 20;

    private final int numberReturned;
    private final @Nullable BsonView document;

    private OpReply(MessageHeader header, ByteBuf bytes, int numberReturned, @Nullable BsonView document) {
        super(header, bytes);
        this.numberReturned = numberReturned;
        this.document = document;
    }

    /** Decodes the first document. Borrows {@code bytes}; the message returned takes them. */
    static OpReply decode(MessageHeader header, ByteBuf bytes) {
        int at = bytes.readerIndex() + MessageHeader.SIZE_BYTES;
        int limit = bytes.readerIndex() + header.messageLength();
        if (limit - at < PREFIX_BYTES) {
            throw new ProtocolException(
                    "OP_REPLY: " + (limit - at) + " bytes left (expected: at least " + PREFIX_BYTES + ")");
        }
        int numberReturned = bytes.getIntLE(at + 16);
        at += PREFIX_BYTES;
        return new OpReply(header, bytes, numberReturned, at == limit ? null : BsonView.of(bytes, at, limit));
    }

    public int numberReturned() {
        return numberReturned;
    }

    /** The first document; a command's reply has exactly one. */
    public @Nullable BsonView document() {
        return document;
    }
}
