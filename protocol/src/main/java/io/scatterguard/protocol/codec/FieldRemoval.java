package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.OpMsg;
import org.jspecify.annotations.Nullable;

/** Takes one top-level field out of a message's body; every other byte stays as it came. */
public final class FieldRemoval {
    private FieldRemoval() {}

    /**
     * A copy of {@code message} without the first element of {@code holder} named {@code field}: lengths adjusted, a
     * checksum dropped together with its flag.
     *
     * @param message the bytes of one OP_MSG or OP_QUERY, borrowed
     * @param outer the body or query of that message
     * @param holder the document that holds the field: {@code outer} itself or one inside it
     * @param opMsg whether it is an OP_MSG (which may carry a checksum)
     * @return the new message, owned by the caller; null if there is no such field
     */
    public static @Nullable ByteBuf without(
            ByteBufAllocator alloc, ByteBuf message, BsonView outer, BsonView holder, String field, boolean opMsg) {
        BsonCursor cursor = holder.cursor();
        while (cursor.next()) {
            if (cursor.nameEquals(field)) {
                int removed = cursor.elementLength();
                ByteBuf out = copy(alloc, message, cursor.elementOffset(), removed);
                int start = message.readerIndex();
                out.setIntLE(outer.offset() - start, outer.sizeBytes() - removed);
                out.setIntLE(holder.offset() - start, holder.sizeBytes() - removed);
                if (opMsg) {
                    dropChecksum(out);
                }
                out.setIntLE(0, out.readableBytes());
                return out;
            }
        }
        return null;
    }

    private static ByteBuf copy(ByteBufAllocator alloc, ByteBuf message, int from, int length) {
        ByteBuf out = alloc.buffer(message.readableBytes() - length);
        int start = message.readerIndex();
        out.writeBytes(message, start, from - start);
        int rest = from + length;
        return out.writeBytes(message, rest, message.writerIndex() - rest);
    }

    private static void dropChecksum(ByteBuf out) {
        int flagBits = out.getIntLE(16);
        if ((flagBits & OpMsg.CHECKSUM_PRESENT) != 0) {
            out.setIntLE(16, flagBits & ~OpMsg.CHECKSUM_PRESENT);
            out.writerIndex(out.writerIndex() - 4);
        }
    }
}
