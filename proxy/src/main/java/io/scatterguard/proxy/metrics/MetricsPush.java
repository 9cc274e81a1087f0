package io.scatterguard.proxy.metrics;

import io.scatterguard.proxy.otlp.OtlpSender;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the metrics to a collector, by a thread of its own. A request that fails is not repeated: the next one holds
 * everything.
 */
final class MetricsPush implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsPush.class);

    private final ProxyMetrics metrics;
    private final OtlpSender sender;
    private final Duration every;
    private final Clock clock;
    private final MetricsJson json;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread;
    private boolean failing;

    private MetricsPush(ProxyMetrics metrics, OtlpSender sender, Duration every, Clock clock) {
        this.metrics = metrics;
        this.sender = sender;
        this.every = every;
        this.clock = clock;
        this.json = new MetricsJson(sender.target(), clock.instant());
        this.thread = new Thread(this, "metrics-otlp");
        thread.setDaemon(true);
    }

    static MetricsPush start(ProxyMetrics metrics, OtlpSender sender, Duration every, Clock clock) {
        MetricsPush push = new MetricsPush(metrics, sender, every, clock);
        Metric.PUSHES.counter(metrics.registry(), push.sent, AtomicLong::get, "sent");
        Metric.PUSHES.counter(metrics.registry(), push.failed, AtomicLong::get, "failed");
        push.thread.start();
        return push;
    }

    @Override
    public void run() {
        try {
            boolean last;
            do {
                last = closed.await(every.toMillis(), TimeUnit.MILLISECONDS);
                push();
            } while (!last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closing took too long
        }
    }

    private void push() throws InterruptedException {
        String problem = attempt();
        if (problem == null) {
            sent.incrementAndGet();
        } else {
            failed.incrementAndGet();
        }
        if (problem != null && !failing) {
            LOG.warn("metrics are not taken collector={} error={}", sender.target(), problem);
        } else if (problem == null && failing) {
            LOG.info("metrics are taken again collector={}", sender.target());
        }
        failing = problem != null;
    }

    /** What is wrong; null if the collector took them. Whatever it is, it must not end the thread. */
    private @Nullable String attempt() throws InterruptedException {
        try {
            return sender.attempt(json.request(metrics.registry(), clock.instant()));
        } catch (IOException | RuntimeException | Error e) {
            return e.toString();
        }
    }

    /** Sends once more, within {@code deadline}. Blocks: not for an event loop. */
    void close(Duration deadline) {
        closed.countDown();
        try {
            thread.join(Math.max(1, deadline.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
