package io.scatterguard.proxy.net;

import io.netty.channel.Channel;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The sessions of a listener that have not ended; knows how to end them. Thread-safe. */
final class OpenSessions {
    private final Map<Session, Channel> sessions = new ConcurrentHashMap<>();
    private volatile boolean draining;

    void add(Session session, Channel channel) {
        sessions.put(session, channel);
        channel.closeFuture().addListener(closed -> sessions.remove(session));
        if (draining) {
            channel.eventLoop().execute(session::drain);
        }
    }

    /** Ends every session once it is idle, after {@code grace} whatever it does; returns when all have ended. */
    void drain(Duration grace) throws InterruptedException {
        draining = true;
        sessions.forEach((session, channel) -> channel.eventLoop().execute(session::drain));
        if (!awaitEmpty(grace)) {
            sessions.forEach(
                    (session, channel) -> channel.eventLoop().execute(() -> session.close(CloseCause.SHUTDOWN)));
            awaitEmpty(Duration.ofSeconds(ChannelPeer.FLUSH_SECONDS));
        }
    }

    private boolean awaitEmpty(Duration limit) throws InterruptedException {
        Map<Session, Channel> waited = Map.copyOf(sessions);
        CountDownLatch latch = new CountDownLatch(waited.size());
        waited.values().forEach(channel -> channel.closeFuture().addListener(closed -> latch.countDown()));
        return latch.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
