package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.Checksum;
import io.scatterguard.protocol.wire.OpMsg;
import java.nio.charset.StandardCharsets;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * The compressors that a client offers in {@code hello}: takes out those we could not read, so that no message that
 * follows is opaque. Every other byte stays as it came.
 */
public final class CompressionOffer {
    private static final String FIELD = "compression";
    private static final String NO_COMPRESSOR = "none";

    private CompressionOffer() {}

    /**
     * A copy of {@code message} that offers only what {@code compression} reads: the array may become empty, which a
     * server takes for no offer. Lengths are adjusted and a checksum is made anew.
     *
     * @param message the bytes of one OP_MSG or OP_QUERY, borrowed
     * @param outer the body or query of that message
     * @param hello the command: {@code outer} itself or a document inside it
     * @param opMsg whether it is an OP_MSG (which may carry a checksum)
     * @return the new message, owned by the caller; null if there is nothing to take out
     */
    public static @Nullable ByteBuf readable(
            ByteBufAllocator alloc,
            ByteBuf message,
            BsonView outer,
            BsonView hello,
            MessageCompression compression,
            boolean opMsg) {
        if (!offersMore(hello, compression)) {
            return null;
        }
        int start = message.readerIndex();
        ByteBuf out = alloc.buffer(message.readableBytes());
        int copied = start;
        BsonCursor cursor = hello.cursor();
        while (cursor.next()) {
            if (isOffer(cursor)) {
                BsonView array = cursor.value().document();
                out.writeBytes(message, copied, array.offset() - copied);
                writeReadable(out, message, array, compression);
                copied = array.offset() + array.sizeBytes();
            }
        }
        out.writeBytes(message, copied, message.writerIndex() - copied);
        int removed = message.readableBytes() - out.readableBytes();
        out.setIntLE(outer.offset() - start, outer.sizeBytes() - removed);
        out.setIntLE(hello.offset() - start, hello.sizeBytes() - removed);
        out.setIntLE(0, out.readableBytes());
        if (opMsg && (out.getIntLE(16) & OpMsg.CHECKSUM_PRESENT) != 0) {
            int checked = out.readableBytes() - Checksum.SIZE_BYTES;
            out.setIntLE(checked, Checksum.of(out, 0, checked));
        }
        return out;
    }

    private static boolean isOffer(BsonCursor cursor) {
        return cursor.type() == BsonType.ARRAY && cursor.nameEquals(FIELD);
    }

    private static boolean offersMore(BsonView hello, MessageCompression compression) {
        BsonCursor cursor = hello.cursor();
        while (cursor.next()) {
            if (isOffer(cursor)) {
                BsonCursor names = cursor.value().document().cursor();
                while (names.next()) {
                    if (isUnreadable(names, compression)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * What is not a string stays: the server says what is wrong with it. So does {@code none}, which Node's driver and
     * mongosh offer: no server knows it, so that none ever chooses it.
     */
    private static boolean isUnreadable(BsonCursor name, MessageCompression compression) {
        return name.type() == BsonType.STRING
                && !name.value().stringEquals(NO_COMPRESSOR)
                && !compression.reads(name.value());
    }

    /** Writes the array anew, its elements numbered without gaps, which a server insists on. */
    private static void writeReadable(ByteBuf out, ByteBuf message, BsonView array, MessageCompression compression) {
        int begin = out.writerIndex();
        out.writeIntLE(0);
        int index = 0;
        BsonCursor names = array.cursor();
        while (names.next()) {
            if (!isUnreadable(names, compression)) {
                int value = names.elementOffset() + 1 + names.nameLength() + 1;
                int valueBytes = names.elementLength() - (value - names.elementOffset());
                out.writeByte(names.type().getValue());
                out.writeCharSequence(Integer.toString(index++), StandardCharsets.US_ASCII);
                out.writeByte(0).writeBytes(message, value, valueBytes);
            }
        }
        out.writeByte(0);
        out.setIntLE(begin, out.writerIndex() - begin);
    }
}
