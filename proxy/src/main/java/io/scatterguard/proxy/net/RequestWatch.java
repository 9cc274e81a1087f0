package io.scatterguard.proxy.net;

import io.netty.channel.ChannelHandlerContext;
import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.protocol.codec.RequestDecoder;
import io.scatterguard.protocol.codec.RequestProgress;
import io.scatterguard.proxy.session.CloseCause;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends connections that would hold up others: whose large request waits too long for room, or has room and does not come or
 * is not taken by the server, be it that the client does not read replies or that the server is busy. While others wait,
 * bytes must move at a least speed, so that a trickle of them does not keep its room; while nobody does, only a client that
 * could send and does not is at fault.
 */
final class RequestWatch {
    /** What must move in each stall timeout while others wait. */
    static final int LEAST_BYTES = 256 * 1024;

    private final Events events;
    private final RequestDecoder decoder;
    private final RequestBudget budget;
    private final ClientTimeouts timeouts;
    private @Nullable Future<?> waiting;
    private @Nullable Future<?> watching;
    private long movedBefore;
    private boolean clientsTurnBefore;

    /**
     * What is asked and told of a connection.
     *
     * @param waits whether its next request waits for room
     * @param paused whether the client is not read for now, for whatever reason of ours
     * @param ended it is closed for this cause
     */
    record Events(Consumer<Boolean> waits, BooleanSupplier paused, Consumer<CloseCause> ended) {}

    RequestWatch(Events events, RequestDecoder decoder, RequestBudget budget, ClientTimeouts timeouts) {
        this.events = events;
        this.decoder = decoder;
        this.budget = budget;
        this.timeouts = timeouts;
    }

    void on(RequestProgress progress, ChannelHandlerContext ctx) {
        switch (progress) {
            case WAITING -> {
                events.waits().accept(true);
                waiting = ctx.executor()
                        .schedule(
                                () -> events.ended().accept(CloseCause.REQUEST_BUFFER_TIMEOUT),
                                timeouts.requestBuffer().toMillis(),
                                TimeUnit.MILLISECONDS);
            }
            case READING -> {
                cancel(waiting);
                events.waits().accept(false);
                if (watching == null) {
                    watch(ctx);
                }
            }
            case WHOLE -> {}
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        movedBefore = decoder.movedBytes();
        clientsTurnBefore = isClientsTurn();
        watching = ctx.executor()
                .schedule(() -> check(ctx), timeouts.requestStall().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void check(ChannelHandlerContext ctx) {
        watching = null;
        if (!decoder.hasRoom()) {
            return;
        }
        int least = clientsTurnBefore && isClientsTurn() ? 1 : 0;
        if (decoder.movedBytes() - movedBefore >= (budget.waiting() > 0 ? LEAST_BYTES : least)) {
            watch(ctx);
        } else {
            events.ended().accept(CloseCause.REQUEST_STALLED);
        }
    }

    private boolean isClientsTurn() {
        return decoder.isReadingLarge() && !events.paused().getAsBoolean();
    }

    /** Whether the request that has begun can never be whole, now that nothing but {@code keptBytes} will come. */
    boolean isHopeless(int keptBytes) {
        return decoder.missingBytes() > keptBytes;
    }

    void stop() {
        cancel(waiting);
        cancel(watching);
    }

    private static void cancel(@Nullable Future<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
