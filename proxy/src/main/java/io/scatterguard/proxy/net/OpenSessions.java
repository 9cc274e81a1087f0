package io.scatterguard.proxy.net;

import io.netty.channel.Channel;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The sessions of a listener that have not ended; knows how to end them. Thread-safe. */
final class OpenSessions {
    private final Map<Session, Channel> sessions = new ConcurrentHashMap<>();
    private final Map<Channel, Runnable> unopened = new ConcurrentHashMap<>();
    private volatile boolean draining;

    /** Notes a connection that has no session yet; {@code end} closes it, on its event loop, unless it has one by then. */
    void addUnopened(Channel channel, Runnable end) {
        unopened.put(channel, end);
        channel.closeFuture().addListener(closed -> unopened.remove(channel));
        if (draining) {
            channel.eventLoop().execute(end);
        }
    }

    void add(Session session, Channel channel) {
        sessions.put(session, channel);
        unopened.remove(channel); // Last, so that who ends them finds it in one or the other.
        channel.closeFuture().addListener(closed -> sessions.remove(session));
        if (draining) {
            channel.eventLoop().execute(session::drain);
        }
    }

    /** Ends every session once it is idle, after {@code grace} whatever it does; returns when all have ended. */
    void drain(Duration grace) throws InterruptedException {
        draining = true;
        unopened.forEach((channel, end) -> channel.eventLoop().execute(end));
        sessions.forEach((session, channel) -> channel.eventLoop().execute(session::drain));
        if (!awaitEmpty(grace)) {
            sessions.forEach(
                    (session, channel) -> channel.eventLoop().execute(() -> session.close(CloseCause.SHUTDOWN)));
            awaitEmpty(Duration.ofSeconds(ChannelPeer.FLUSH_SECONDS));
        }
    }

    private boolean awaitEmpty(Duration limit) throws InterruptedException {
        List<Channel> waited = new ArrayList<>(sessions.values());
        waited.addAll(unopened.keySet());
        CountDownLatch latch = new CountDownLatch(waited.size());
        waited.forEach(channel -> channel.closeFuture().addListener(closed -> latch.countDown()));
        return latch.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
