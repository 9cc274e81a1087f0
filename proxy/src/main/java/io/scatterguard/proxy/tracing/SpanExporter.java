package io.scatterguard.proxy.tracing;

import io.scatterguard.proxy.otlp.OtlpSender;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread behind the queue: sends spans, and counts which arrived and which were lost. */
final class SpanExporter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SpanExporter.class);

    /** How many spans are in one request. */
    static final int MAX_BATCH = 256;

    private static final long LINGER_MILLIS = 500;

    private final SpanQueue queue;
    private final SpanJson json;
    private final OtlpSender sender;
    private final Thread thread;
    private boolean failing;
    private long accepted;
    private long refused;
    private long sent;
    private long lost;
    private boolean abandoned;

    SpanExporter(int capacity, SpanJson json, OtlpSender sender) {
        this.queue = new SpanQueue(capacity, MAX_BATCH);
        this.json = json;
        this.sender = sender;
        this.thread = new Thread(this, "tracing-otlp");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Never waits: what finds no room is dropped. */
    void offer(EndedSpan span) {
        if (queue.offer(span)) {
            accepted();
        } else {
            refused();
        }
    }

    @Override
    public void run() {
        List<EndedSpan> batch = new ArrayList<>(MAX_BATCH);
        try {
            while (!isAbandoned() && queue.take(batch, LINGER_MILLIS)) {
                settled(batch.size(), export(batch));
                batch.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closing took too long: what is left is counted by who interrupts
        }
    }

    /** Whatever goes wrong, an {@code OutOfMemoryError} included, costs this batch and not those after it. */
    private boolean export(List<EndedSpan> batch) throws InterruptedException {
        try {
            sender.send(json.request(batch));
            if (failing) {
                LOG.info("spans are taken again collector={}", sender.target());
            }
            failing = false;
            return true;
        } catch (IOException | RuntimeException | Error e) {
            if (!failing) {
                failing = true;
                LOG.warn("spans are being dropped collector={} error={}", sender.target(), e.toString());
            }
            return false;
        }
    }

    private synchronized void accepted() {
        accepted++;
    }

    private synchronized void refused() {
        refused++;
    }

    /** What ends after closing has given up on it has been counted as dropped. */
    private synchronized void settled(int spans, boolean taken) {
        if (!abandoned) {
            sent += taken ? spans : 0;
            lost += taken ? 0 : spans;
        }
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    synchronized long sent() {
        return sent;
    }

    synchronized long dropped() {
        return refused + (abandoned ? accepted - sent : lost);
    }

    /** Takes no more spans and sends what waits; what is not sent within {@code deadline} is dropped. Blocks. */
    void close(Duration deadline) {
        queue.close();
        try {
            thread.join(Math.max(1, deadline.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            abandon();
            thread.interrupt();
        }
    }

    private synchronized void abandon() {
        abandoned = true;
    }
}
