package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.protocol.codec.RequestDecoder;
import io.scatterguard.protocol.codec.RequestProgress;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends connections that would hold up others: whose large request waits too long for room, or has room and does not come.
 * While others wait, a request must also come at a least speed, so that a trickle of bytes does not keep its room.
 */
final class RequestWatch {
    /** What must come of a request in each stall timeout while others wait. */
    static final int LEAST_BYTES = 256 * 1024;

    private final Session session;
    private final RequestDecoder decoder;
    private final RequestBudget budget;
    private final ClientTimeouts timeouts;
    private @Nullable Future<?> timer;
    private int partBytesBefore;

    RequestWatch(Session session, RequestDecoder decoder, RequestBudget budget, ClientTimeouts timeouts) {
        this.session = session;
        this.decoder = decoder;
        this.budget = budget;
        this.timeouts = timeouts;
    }

    void on(RequestProgress progress, ChannelHandlerContext ctx) {
        stop();
        switch (progress) {
            case WAITING -> {
                session.onRequestWaiting(true);
                timer = ctx.executor()
                        .schedule(
                                () -> session.close(CloseCause.REQUEST_BUFFER_TIMEOUT),
                                timeouts.requestBuffer().toMillis(),
                                TimeUnit.MILLISECONDS);
            }
            case READING -> {
                session.onRequestWaiting(false);
                watch(ctx);
            }
            case WHOLE -> {}
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        partBytesBefore = decoder.partBytes();
        timer = ctx.executor()
                .schedule(() -> check(ctx), timeouts.requestStall().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void check(ChannelHandlerContext ctx) {
        int came = decoder.partBytes() - partBytesBefore;
        if (came >= (budget.waiting() > 0 ? LEAST_BYTES : 1)) {
            watch(ctx);
        } else {
            session.close(CloseCause.REQUEST_STALLED);
        }
    }

    /** Whether the request that has begun can never be whole, now that nothing but {@code keptBytes} will come. */
    boolean isHopeless(int keptBytes) {
        return decoder.missingBytes() > keptBytes;
    }

    void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
