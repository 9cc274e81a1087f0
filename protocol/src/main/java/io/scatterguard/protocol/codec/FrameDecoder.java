package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.wire.ProtocolException;
import org.jspecify.annotations.Nullable;

/**
 * What both directions' framing has in common: every read is offered until it is used up, and after a framing error the
 * decoder is poisoned: it fires the exception once and drops everything that follows.
 */
abstract class FrameDecoder extends ChannelInboundHandlerAdapter {
    private boolean poisoned;

    /**
     * Consumes some of {@code in}, which is borrowed and readable, and fires what became whole.
     *
     * @throws ProtocolException or {@link MalformedBsonException} if the bytes break the protocol
     */
    abstract void decodeNext(ChannelHandlerContext ctx, ByteBuf in);

    /** Releases what is held of a message that is not whole; may be called again. */
    abstract void releasePart();

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object msg) {
        if (!(msg instanceof ByteBuf in)) {
            ctx.fireChannelRead(msg);
            return;
        }
        try {
            while (!poisoned && in.isReadable()) {
                decodeNext(ctx, in);
            }
        } catch (ProtocolException | MalformedBsonException e) {
            poison();
            ctx.fireExceptionCaught(e);
        } finally {
            in.release();
        }
    }

    @Override
    public final void handlerRemoved(@Nullable ChannelHandlerContext ctx) {
        poison();
    }

    private void poison() {
        poisoned = true;
        releasePart();
    }
}
