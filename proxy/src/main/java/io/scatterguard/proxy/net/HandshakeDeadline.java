package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives a client so long from connecting to the end of its first request, be there other handshakes before it or not. Fires
 * {@link ClientEvent#HANDSHAKE_TIMED_OUT} then; whoever has the connection at that time closes it. {@link #met} ends it.
 */
final class HandshakeDeadline extends ChannelInboundHandlerAdapter {
    private final Duration timeout;
    private @Nullable Future<?> deadline;

    HandshakeDeadline(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        deadline = ctx.executor().schedule(() -> expire(ctx), timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void expire(ChannelHandlerContext ctx) {
        ctx.fireUserEventTriggered(ClientEvent.HANDSHAKE_TIMED_OUT);
    }

    /** The first request has come whole. */
    void met() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        met();
    }
}
