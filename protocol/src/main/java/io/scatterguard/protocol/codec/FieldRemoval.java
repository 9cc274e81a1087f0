package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.OpMsg;
import org.jspecify.annotations.Nullable;

/** Takes a top-level field out of a message's body; every other byte stays as it came. */
public final class FieldRemoval {
    private FieldRemoval() {}

    /**
     * A copy of {@code message} without the elements of {@code holder} named {@code field}: lengths adjusted, a checksum
     * dropped together with its flag.
     *
     * @param message the bytes of one OP_MSG or OP_QUERY, borrowed
     * @param outer the body or query of that message
     * @param holder the document that holds the field: {@code outer} itself or one inside it
     * @param opMsg whether it is an OP_MSG (which may carry a checksum)
     * @return the new message, owned by the caller; null if there is no such field
     */
    public static @Nullable ByteBuf without(
            ByteBufAllocator alloc, ByteBuf message, BsonView outer, BsonView holder, String field, boolean opMsg) {
        if (holder.get(field) == null) {
            return null;
        }
        int start = message.readerIndex();
        ByteBuf out = alloc.buffer(message.readableBytes());
        int copied = start;
        BsonCursor cursor = holder.cursor();
        while (cursor.next()) {
            if (cursor.nameEquals(field)) {
                out.writeBytes(message, copied, cursor.elementOffset() - copied);
                copied = cursor.elementOffset() + cursor.elementLength();
            }
        }
        out.writeBytes(message, copied, message.writerIndex() - copied);
        int removed = message.readableBytes() - out.readableBytes();
        out.setIntLE(outer.offset() - start, outer.sizeBytes() - removed);
        out.setIntLE(holder.offset() - start, holder.sizeBytes() - removed);
        if (opMsg) {
            dropChecksum(out);
        }
        return out.setIntLE(0, out.readableBytes());
    }

    private static void dropChecksum(ByteBuf out) {
        int flagBits = out.getIntLE(16);
        if ((flagBits & OpMsg.CHECKSUM_PRESENT) != 0) {
            out.setIntLE(16, flagBits & ~OpMsg.CHECKSUM_PRESENT);
            out.writerIndex(out.writerIndex() - 4);
        }
    }
}
