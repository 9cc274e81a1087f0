package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a decompressor writes: part by part, each as large as all before it, so that memory follows what really comes, is
 * never copied, and never exceeds what was declared. Its owner takes it or releases it.
 */
final class BoundedOutput {
    private static final int FIRST_BYTES = 16 * 1024;

    private final ByteBufAllocator alloc;
    private final int limit;
    private ByteBuf tail;
    /** The parts before the {@link #tail}. */
    private @Nullable CompositeByteBuf full;

    private int written;

    /**
     * @param before how many bytes the caller writes into {@link #head()} first
     * @param size the most that may be decompressed; nothing is allocated for it yet
     */
    BoundedOutput(ByteBufAllocator alloc, int before, int size) {
        this.alloc = alloc;
        limit = before + size;
        written = before;
        // One byte more, so that a decompressor always has room to show that it holds too much.
        tail = alloc.directBuffer(Math.min(limit + 1, FIRST_BYTES));
    }

    /** Where the caller writes before anything is decompressed; borrowed. */
    ByteBuf head() {
        return tail;
    }

    /** How many bytes there are. */
    int written() {
        return written;
    }

    /** Room for at least one byte, to be written from its position on; call {@link #wrote} before asking again. */
    ByteBuffer room() {
        if (!tail.isWritable()) {
            beginPart(Math.min(written, limit + 1 - written));
        }
        return tail.nioBuffer(tail.writerIndex(), tail.writableBytes());
    }

    /** Room for exactly {@code size} bytes, for what can only be written at once and was checked before. */
    ByteBuffer room(int size) {
        if (tail.writableBytes() < size) {
            beginPart(size);
        }
        return tail.nioBuffer(tail.writerIndex(), size);
    }

    private void beginPart(int size) {
        ByteBuf part = alloc.directBuffer(size);
        full = (full == null ? alloc.compositeDirectBuffer(Integer.MAX_VALUE) : full).addComponent(true, tail);
        tail = part;
    }

    /** Takes over {@code count} bytes that were written into the room. */
    void wrote(int count) {
        if (count > limit - written) {
            throw new ProtocolException("OP_COMPRESSED: more bytes than the declared uncompressedSize");
        }
        written += count;
        tail.writerIndex(tail.writerIndex() + count);
    }

    /** All that was written, owned by the caller. */
    ByteBuf take() {
        return full == null ? tail : full.addComponent(true, tail);
    }

    void release() {
        tail.release();
        if (full != null) {
            full.release();
        }
    }
}
