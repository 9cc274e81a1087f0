package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.ProtocolException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts together one message that arrives in parts. Memory follows what has arrived, never what a length promises: a small
 * message is copied into one buffer; of a large one, large parts are kept as they came and small ones are copied together,
 * so that a sender of single bytes cannot make each of them hold a read buffer.
 */
final class FrameAssembly {
    /** Up to this many bytes a message is copied into one buffer. */
    static final int COPY_LIMIT_BYTES = 64 * 1024;

    /** A part of a large message that is at least this long is kept uncopied. */
    private static final int LARGE_PART_BYTES = 16 * 1024;

    /** What was copied and is not yet part of {@link #parts}: the whole message as long as it is small. */
    private @Nullable ByteBuf copied;

    private @Nullable CompositeByteBuf parts;
    private int messageLength;
    private int received;

    boolean isEmpty() {
        return received == 0;
    }

    /**
     * Adds bytes of the message from {@code in}, which is borrowed, and moves its reader index past them.
     *
     * @return the whole message, owned by the caller, or null while it is not complete
     * @throws ProtocolException if its length is outside 16..{@code maxMessageBytes}
     */
    @Nullable ByteBuf add(ByteBufAllocator alloc, ByteBuf in, int maxMessageBytes) {
        if (received < MessageHeader.SIZE_BYTES) {
            copy(alloc, in, Math.min(MessageHeader.SIZE_BYTES - received, in.readableBytes()));
            if (received < MessageHeader.SIZE_BYTES || copied == null) {
                return null;
            }
            messageLength =
                    MessageHeader.read(copied, 0).requireLength(maxMessageBytes).messageLength();
        }
        int take = Math.min(messageLength - received, in.readableBytes());
        if (messageLength > COPY_LIMIT_BYTES && take >= LARGE_PART_BYTES) {
            keep(alloc, in.readRetainedSlice(take));
            received += take;
        } else {
            while (take > 0) {
                take -= copy(alloc, in, take);
            }
        }
        return received == messageLength ? takeWhole(alloc) : null;
    }

    /** Copies at most {@code length} bytes, as many as fit; returns how many. */
    private int copy(ByteBufAllocator alloc, ByteBuf in, int length) {
        if (copied != null && copied.readableBytes() == COPY_LIMIT_BYTES) {
            keepCopied(alloc);
        }
        if (copied == null) {
            copied = alloc.buffer(MessageHeader.SIZE_BYTES, COPY_LIMIT_BYTES);
        }
        int fits = Math.min(length, COPY_LIMIT_BYTES - copied.readableBytes());
        copied.writeBytes(in, fits);
        received += fits;
        return fits;
    }

    private void keep(ByteBufAllocator alloc, ByteBuf part) {
        keepCopied(alloc);
        parts = (parts == null ? alloc.compositeBuffer(Integer.MAX_VALUE) : parts).addComponent(true, part);
    }

    private void keepCopied(ByteBufAllocator alloc) {
        if (copied != null) {
            parts = (parts == null ? alloc.compositeBuffer(Integer.MAX_VALUE) : parts).addComponent(true, copied);
            copied = null;
        }
    }

    private ByteBuf takeWhole(ByteBufAllocator alloc) {
        if (parts != null) {
            keepCopied(alloc);
        }
        ByteBuf whole = Objects.requireNonNull(parts != null ? parts : copied, "message");
        parts = null;
        copied = null;
        received = 0;
        return whole;
    }

    void release() {
        received = 0;
        if (copied != null) {
            copied.release();
            copied = null;
        }
        if (parts != null) {
            parts.release();
            parts = null;
        }
    }
}
