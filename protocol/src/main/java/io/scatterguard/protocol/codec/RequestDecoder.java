package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Frames what a client sends and fires one {@link WireMessage} a message. A small message that arrives in one read is a
 * slice of it; any other is put together by {@link FrameAssembly}.
 *
 * <p>A request that needs more than {@link RequestBudget#FREE_BYTES} in memory, inflated contents included, needs a
 * reservation before its body is read. While it waits for one nothing is decoded, and the channel should not be read: see
 * {@link RequestProgress}. The reservation belongs to the bytes of the message and is given back when they are released.
 *
 * <p>After a framing error the decoder is poisoned: it fires the {@link ProtocolException} once and drops everything that
 * follows.
 */
public final class RequestDecoder extends FrameDecoder {
    private final IntSupplier maxMessageBytes;
    private final RequestBudget budget;
    private final BooleanSupplier lenient;
    private final FrameAssembly assembly = new FrameAssembly();
    /** What the present request waits for; null if it does not wait. */
    private @Nullable Reservation awaited;

    private boolean large;

    /** Large requests that were fired and may still be there: only looked at, for how much of them is left. */
    private final Deque<ByteBuf> fired = new ArrayDeque<>(0);

    private long firedBytes;

    /** One whose requests never wait. */
    public RequestDecoder(IntSupplier maxMessageBytes) {
        this(maxMessageBytes, RequestBudget.unlimited());
    }

    /**
     * @param maxMessageBytes the largest {@code messageLength} accepted, asked for every message: the server's {@code
     *     hello} may change it
     * @param budget where large requests reserve their bytes
     */
    public RequestDecoder(IntSupplier maxMessageBytes, RequestBudget budget) {
        this(maxMessageBytes, budget, () -> false);
    }

    /**
     * Likewise.
     *
     * @param lenient whether a whole message that is malformed inside is fired unread and is no error, asked for every message
     */
    public RequestDecoder(IntSupplier maxMessageBytes, RequestBudget budget, BooleanSupplier lenient) {
        this.maxMessageBytes = maxMessageBytes;
        this.budget = budget;
        this.lenient = lenient;
    }

    @Override
    void decodeNext(ChannelHandlerContext ctx, ByteBuf in) {
        if (assembly.isEmpty() && fireWholeAndSmall(ctx, in)) {
            return;
        }
        if (assembly.head() == null) {
            RequestHead head = assembly.addHead(ctx.alloc(), in, maxMessageBytes.getAsInt());
            if (head == null || !findsRoom(ctx, head)) {
                return;
            }
        }
        ByteBuf whole = assembly.add(ctx.alloc(), in);
        if (whole != null) {
            fireAssembled(ctx, whole);
        }
    }

    /** The usual case, without a copy. */
    private boolean fireWholeAndSmall(ChannelHandlerContext ctx, ByteBuf in) {
        if (in.readableBytes() < MessageHeader.SIZE_BYTES) {
            return false;
        }
        int at = in.readerIndex();
        int most = maxMessageBytes.getAsInt();
        MessageHeader header = MessageHeader.read(in, at).requireLength(most);
        int length = header.messageLength();
        if (in.readableBytes() < length || RequestHead.memoryBytes(header, in, at, most) > RequestBudget.FREE_BYTES) {
            return false;
        }
        ctx.fireChannelRead(decode(in.readRetainedSlice(length)));
        return true;
    }

    private WireMessage decode(ByteBuf whole) {
        return lenient.getAsBoolean() ? WireMessage.decodeLeniently(whole) : WireMessage.decode(whole);
    }

    private boolean findsRoom(ChannelHandlerContext ctx, RequestHead head) {
        large = head.memoryBytes() > RequestBudget.FREE_BYTES;
        if (!large) {
            return true;
        }
        Reservation asked = budget.reserve(head.memoryBytes(), ctx.executor(), () -> goOn(ctx));
        assembly.reserve(asked);
        if (!asked.isGranted()) {
            awaited = asked;
        }
        ctx.fireUserEventTriggered(awaited == null ? RequestProgress.READING : RequestProgress.WAITING);
        return awaited == null;
    }

    private void goOn(ChannelHandlerContext ctx) {
        if (awaited == null || !awaited.isGranted()) {
            return;
        }
        awaited = null;
        ctx.fireUserEventTriggered(RequestProgress.READING);
        resume(ctx);
    }

    private void fireAssembled(ChannelHandlerContext ctx, ByteBuf whole) {
        WireMessage message = decode(whole);
        if (large) {
            while (!fired.isEmpty() && fired.element().refCnt() == 0) {
                fired.remove();
            }
            fired.add(whole);
            firedBytes += whole.readableBytes();
            ctx.fireUserEventTriggered(RequestProgress.WHOLE);
        }
        ctx.fireChannelRead(message);
    }

    @Override
    boolean isWaiting() {
        return awaited != null;
    }

    /** Whether a message has begun that has not ended. */
    public boolean isMidMessage() {
        return !assembly.isEmpty();
    }

    /** How much of the message that has begun has not been read, in bytes; 0 while not even its length is known. */
    public int missingBytes() {
        RequestHead head = assembly.head();
        return head == null ? 0 : Math.max(0, head.messageLength() - assembly.received() - bytesBehind());
    }

    /** Whether a large request has begun, has room, and has not come whole. */
    public boolean isReadingLarge() {
        return large && assembly.head() != null && awaited == null;
    }

    /** Whether large requests of this connection have room: one that is coming, or some that were not written yet. */
    public boolean hasRoom() {
        fired.removeIf(request -> request.refCnt() == 0);
        return isReadingLarge() || !fired.isEmpty();
    }

    /**
     * A number that grows by one with each byte of a large request that comes, and once more when that byte has been written
     * or dropped.
     */
    public long movedBytes() {
        long left = 0;
        for (ByteBuf request : fired) {
            left += request.refCnt() == 0 ? 0 : request.readableBytes();
        }
        return 2 * firedBytes - left + (isReadingLarge() ? assembly.received() : 0);
    }

    @Override
    void releasePart() {
        awaited = null;
        assembly.release();
    }
}
