package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Where a decompressor writes: grows with what really comes, at most doubling, and never takes more than was declared. Its
 * owner releases {@link #bytes()}.
 */
final class BoundedOutput {
    private static final int FIRST_BYTES = 16 * 1024;

    private final ByteBuf bytes;
    private final int limit;

    /**
     * @param before how many bytes the caller writes before what is decompressed
     * @param size the most that may be decompressed; nothing is allocated for it yet
     */
    BoundedOutput(ByteBufAllocator alloc, int before, int size) {
        limit = before + size;
        // One byte more, so that a decompressor always has room to show that it holds too much.
        bytes = alloc.directBuffer(Math.min(limit + 1, FIRST_BYTES), limit + 1);
    }

    /** What was written so far; owned by whoever made this. */
    ByteBuf bytes() {
        return bytes;
    }

    /** Room for at least one byte, to be written from its position on; call {@link #wrote} before asking again. */
    ByteBuffer room() {
        if (!bytes.isWritable()) {
            bytes.capacity((int) Math.min(2L * bytes.capacity(), limit + 1L));
        }
        return bytes.nioBuffer(bytes.writerIndex(), bytes.writableBytes());
    }

    /** Room for exactly {@code size} bytes, for what can only be written at once and was checked before. */
    ByteBuffer room(int size) {
        bytes.ensureWritable(size);
        return bytes.nioBuffer(bytes.writerIndex(), size);
    }

    /** Takes over {@code count} bytes that were written into the room. */
    void wrote(int count) {
        if (count > limit - bytes.writerIndex()) {
            throw new ProtocolException("OP_COMPRESSED: more bytes than the declared uncompressedSize");
        }
        bytes.writerIndex(bytes.writerIndex() + count);
    }
}
