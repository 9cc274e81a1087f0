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
 * While a first request waits for room, which is not the client's doing, the time stands still.
 */
final class HandshakeDeadline extends ChannelInboundHandlerAdapter {
    private final Duration timeout;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Future<?> deadline;

    HandshakeDeadline(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        begin(ctx);
    }

    private void begin(ChannelHandlerContext ctx) {
        deadline = ctx.executor().schedule(() -> expire(ctx), timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Has the first request wait for room; once it has, the client gets all its time anew. */
    void onWaiting(boolean waiting) {
        if (waiting) {
            cancel();
        } else if (context != null && deadline == null) {
            begin(context);
        }
    }

    private static void expire(ChannelHandlerContext ctx) {
        ctx.fireUserEventTriggered(ClientEvent.HANDSHAKE_TIMED_OUT);
    }

    /** The first request has come whole: there is no deadline any more. */
    void met() {
        cancel();
        context = null;
    }

    private void cancel() {
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
