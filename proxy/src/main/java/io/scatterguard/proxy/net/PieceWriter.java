package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes large buffers piece by piece, as fast as the peer takes them. Otherwise an encrypting handler in front of the
 * socket would make a second copy of all of a large request, beyond what was reserved for it. A buffer is released when
 * its last piece was written.
 */
final class PieceWriter extends ChannelDuplexHandler {
    static final int PIECE_BYTES = 64 * 1024;

    /** A buffer, which is owned, of which some has been written. */
    private record Pending(ByteBuf bytes, ChannelPromise promise) {}

    private final Deque<Pending> pending = new ArrayDeque<>(0);

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        if (msg instanceof ByteBuf bytes && (bytes.readableBytes() > PIECE_BYTES || !pending.isEmpty())) {
            pending.add(new Pending(bytes, promise));
            writePieces(ctx);
        } else {
            ctx.write(msg, promise);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!pending.isEmpty() && ctx.channel().isWritable()) {
            writePieces(ctx);
            ctx.flush();
        }
        ctx.fireChannelWritabilityChanged();
    }

    private void writePieces(ChannelHandlerContext ctx) {
        while (!pending.isEmpty() && ctx.channel().isWritable()) {
            Pending next = pending.element();
            if (next.bytes().readableBytes() > PIECE_BYTES) {
                ctx.write(next.bytes().readRetainedSlice(PIECE_BYTES), ctx.voidPromise());
            } else {
                pending.remove();
                ctx.write(next.bytes(), next.promise());
            }
        }
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        drop();
        ctx.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        drop();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        drop();
    }

    private void drop() {
        Pending next = pending.poll();
        while (next != null) {
            next.bytes().release();
            if (!next.promise().isVoid()) {
                next.promise().tryFailure(new ClosedChannelException());
            }
            next = pending.poll();
        }
    }
}
