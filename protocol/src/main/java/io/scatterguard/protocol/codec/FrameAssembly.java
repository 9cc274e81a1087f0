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
 * message is copied into one buffer; of a large one, parts that fill their buffers are kept as they came and the others are
 * copied together, so that what is held is little more than the message, however it was cut.
 */
final class FrameAssembly {
    /** Up to this many bytes a message is copied into one buffer. */
    static final int COPY_LIMIT_BYTES = 64 * 1024;

    /** A part of a large message that is at least this long is kept uncopied if it fills its buffer. */
    private static final int LARGE_PART_BYTES = 16 * 1024;

    /** What was copied and is not yet part of {@link #parts}: the whole message as long as it is small. */
    private @Nullable ByteBuf copied;

    private @Nullable CompositeByteBuf parts;
    private @Nullable Reservation reservation;
    private @Nullable RequestHead head;
    private int received;

    boolean isEmpty() {
        return received == 0;
    }

    /** How much of the message has come, in bytes. */
    int received() {
        return received;
    }

    /** What the first bytes say, null while too few have come. */
    @Nullable RequestHead head() {
        return head;
    }

    /**
     * Adds the first bytes of the message from {@code in}, which is borrowed, and moves its reader index past them.
     *
     * @return what they say, null while too few have come
     * @throws ProtocolException if its length is outside 16..{@code maxMessageBytes}
     */
    @Nullable RequestHead addHead(ByteBufAllocator alloc, ByteBuf in, int maxMessageBytes) {
        int needed = headBytes(maxMessageBytes);
        while (received < needed && in.isReadable()) {
            copy(alloc, in, Math.min(needed - received, in.readableBytes()));
            needed = headBytes(maxMessageBytes);
        }
        if (received >= needed && copied != null) {
            MessageHeader header = MessageHeader.read(copied, 0);
            head = new RequestHead(header.messageLength(), RequestHead.memoryBytes(header, copied, 0, maxMessageBytes));
        }
        return head;
    }

    /** How many bytes the head has, as far as it is known. */
    private int headBytes(int maxMessageBytes) {
        return received < MessageHeader.SIZE_BYTES || copied == null
                ? MessageHeader.SIZE_BYTES
                : RequestHead.neededBytes(MessageHeader.read(copied, 0).requireLength(maxMessageBytes));
    }

    /** Has the message hold {@code reserved} as long as its bytes live; takes it. */
    void reserve(Reservation reserved) {
        reservation = reserved;
    }

    /**
     * Adds bytes of the message from {@code in}, which is borrowed, and moves its reader index past them. The head is there.
     *
     * @return the whole message, owned by the caller, or null while it is not complete
     */
    @Nullable ByteBuf add(ByteBufAllocator alloc, ByteBuf in) {
        int messageLength = Objects.requireNonNull(head, "head").messageLength();
        int take = Math.min(messageLength - received, in.readableBytes());
        boolean full = take >= LARGE_PART_BYTES && take >= in.capacity() - in.capacity() / 16;
        if (messageLength > COPY_LIMIT_BYTES && full) {
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
        parts = parts(alloc).addComponent(true, part);
    }

    private void keepCopied(ByteBufAllocator alloc) {
        if (copied != null) {
            ByteBuf part = copied;
            copied = null;
            parts = parts(alloc).addComponent(true, part);
        }
    }

    private CompositeByteBuf parts(ByteBufAllocator alloc) {
        if (parts != null) {
            return parts;
        }
        return reservation != null ? new ReservedBytes(alloc, reservation) : alloc.compositeBuffer(Integer.MAX_VALUE);
    }

    private ByteBuf takeWhole(ByteBufAllocator alloc) {
        if (parts != null || reservation != null) {
            keepCopied(alloc);
        }
        ByteBuf whole = Objects.requireNonNull(parts != null ? parts : copied, "message");
        parts = null;
        copied = null;
        reservation = null;
        head = null;
        received = 0;
        return whole;
    }

    /** Drops what has come, and gives the reservation back. */
    void release() {
        received = 0;
        head = null;
        if (copied != null) {
            copied.release();
            copied = null;
        }
        if (parts != null) {
            parts.release();
            parts = null;
        }
        if (reservation != null) {
            reservation.release();
            reservation = null;
        }
    }
}
