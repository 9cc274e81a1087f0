package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.scatterguard.proxy.session.SessionCounters;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a listening socket does when a connection cannot be accepted, for instance because the process may open no more
 * files: it stops accepting for a second, so that the loop does not spin, and goes on. The clients wait in the backlog
 * meanwhile.
 */
final class AcceptErrors extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptErrors.class);
    private static final long PAUSE_SECONDS = 1;

    private final SessionCounters counters;

    AcceptErrors(SessionCounters counters) {
        this.counters = counters;
    }

    /** Not passed on: the pause is also what Netty would do, with a stack trace for each. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        counters.acceptFailed();
        if (ctx.channel().config().isAutoRead()) {
            LOG.warn(
                    "cannot accept connections, trying again in {} s: bind={} error={} failures={} (is the limit of open"
                            + " files high enough? every client takes two)",
                    PAUSE_SECONDS,
                    ctx.channel().localAddress(),
                    cause.toString(),
                    counters.failedAccepts());
            ctx.channel().config().setAutoRead(false);
            ctx.executor().schedule(() -> ctx.channel().config().setAutoRead(true), PAUSE_SECONDS, TimeUnit.SECONDS);
        }
    }
}
