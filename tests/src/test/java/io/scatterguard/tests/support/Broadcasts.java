package io.scatterguard.tests.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;

/** Clients that send one scatter-gather {@code find} after the other, as fast as they are answered, until they are stopped. */
public final class Broadcasts implements AutoCloseable {
    private static final BsonDocument FIND =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");

    private final AtomicLong answered = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<RawClient> clients = new ArrayList<>();
    private final Phaser running = new Phaser(1);
    private volatile boolean stopped;

    private Broadcasts() {}

    /** Starts {@code count} clients of the proxy at {@code port}. */
    public static Broadcasts start(int port, int count) {
        Broadcasts broadcasts = new Broadcasts();
        for (int i = 0; i < count; i++) {
            RawClient client = RawClient.connect(port);
            broadcasts.clients.add(client);
            broadcasts.running.register();
            Thread thread = new Thread(() -> broadcasts.run(client), "broadcasts-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        return broadcasts;
    }

    private void run(RawClient client) {
        try {
            while (!stopped) {
                client.command(FIND);
                answered.incrementAndGet();
            }
        } catch (RuntimeException | AssertionError e) {
            failures.add(e);
        } finally {
            running.arriveAndDeregister();
        }
    }

    /** How many commands were answered so far. */
    public long answered() {
        return answered.get();
    }

    /** Waits until {@code commands} more were answered. */
    public void awaitMore(int commands) {
        long before = answered();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> answered() >= before + commands);
    }

    /** What ended a client before it was stopped. */
    public List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** Stops all clients once each has its last answer, or no connection any more; returns how many were answered in all. */
    public long stop() {
        stopped = true;
        running.arriveAndAwaitAdvance();
        return answered.get();
    }

    @Override
    public void close() {
        stopped = true;
        clients.forEach(RawClient::close);
    }
}
