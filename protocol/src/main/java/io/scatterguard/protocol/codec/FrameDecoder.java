package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.wire.ProtocolException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What both directions' framing has in common: every read is offered until it is used up, and after a framing error the
 * decoder is poisoned: it fires the exception once and drops everything that follows.
 */
abstract class FrameDecoder extends ChannelInboundHandlerAdapter {
    private boolean poisoned;
    /** What came while the decoder waits; null if there is nothing. */
    private @Nullable Deque<ByteBuf> behind;

    /**
     * Consumes some of {@code in}, which is borrowed, and fires what became whole. {@code in} is readable but for the first
     * call after a wait.
     *
     * @throws ProtocolException or {@link MalformedBsonException} if the bytes break the protocol
     */
    abstract void decodeNext(ChannelHandlerContext ctx, ByteBuf in);

    /** Releases what is held of a message that is not whole; may be called again. */
    abstract void releasePart();

    /** Whether nothing more is to be decoded before {@link #resume} is called. */
    boolean isWaiting() {
        return false;
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!(msg instanceof ByteBuf in)) {
            ctx.fireChannelRead(msg);
        } else if (!poisoned && (isWaiting() || behind != null)) {
            keep(in, false);
        } else {
            decode(ctx, in, false);
        }
    }

    /** Decodes what came during a wait, until the next one. */
    final void resume(ChannelHandlerContext ctx) {
        decode(ctx, Unpooled.EMPTY_BUFFER, true);
        while (!poisoned && !isWaiting() && behind != null) {
            ByteBuf next = behind.poll();
            if (next == null) {
                behind = null;
            } else {
                decode(ctx, next, false);
            }
        }
        ctx.fireChannelReadComplete();
    }

    /** Takes {@code in}. */
    private void decode(ChannelHandlerContext ctx, ByteBuf in, boolean once) {
        try {
            if (once && !poisoned) {
                decodeNext(ctx, in);
            }
            while (!poisoned && in.isReadable() && !isWaiting()) {
                decodeNext(ctx, in);
            }
            if (!poisoned && in.isReadable()) {
                keep(in.retain(), true);
            }
        } catch (ProtocolException | MalformedBsonException e) {
            poison();
            ctx.fireExceptionCaught(e);
        } finally {
            in.release();
        }
    }

    private void keep(ByteBuf bytes, boolean first) {
        if (behind == null) {
            behind = new ArrayDeque<>();
        }
        if (first) {
            behind.addFirst(bytes);
        } else {
            behind.addLast(bytes);
        }
    }

    /** How much came during the present wait, in bytes. */
    final int bytesBehind() {
        return behind == null
                ? 0
                : behind.stream().mapToInt(ByteBuf::readableBytes).sum();
    }

    @Override
    public final void handlerRemoved(@Nullable ChannelHandlerContext ctx) {
        poison();
    }

    private void poison() {
        poisoned = true;
        if (behind != null) {
            behind.forEach(ByteBuf::release);
            behind = null;
        }
        releasePart();
    }
}
