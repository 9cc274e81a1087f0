package io.scatterguard.proxy.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * The way to one sink: a bounded queue of its own and a thread that empties it, so that a sink that is slow or hangs costs
 * nothing but its own records.
 */
final class SinkLane implements Runnable {
    private static final int MAX_BATCH = 256;
    private static final long MAX_WAIT_MILLIS = 1_000;

    private final AuditSink sink;
    private final LaneQueue queue;
    private final SinkOutlet outlet;
    private final AuditCounters counters;
    private final Thread thread;
    private long written;
    private long dropped;
    private long errors;
    private boolean abandoned;

    /** What the present turn has in hand. */
    private final List<LaneSlot> batch = new ArrayList<>(MAX_BATCH);

    /** Whether nothing comes any more. */
    private boolean ended;

    SinkLane(AuditSink sink, LaneQueue queue, SinkOutlet outlet, AuditCounters counters) {
        this.sink = sink;
        this.queue = queue;
        this.outlet = outlet;
        this.counters = counters;
        this.thread = new Thread(this, "audit-" + sink.type());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Never waits: what finds no room is dropped. */
    void add(List<LaneSlot> slots) {
        List<RecordLine> refused = queue.add(slots);
        if (!refused.isEmpty()) {
            count(0, refused.size());
            refused.forEach(line -> line.settled(false));
        }
    }

    @Override
    public void run() {
        try {
            Turns.run(this::turn, "handing records to a sink", counters);
        } finally {
            if (!outlet.close()) {
                failed();
            }
        }
    }

    private boolean turn() throws InterruptedException {
        if (!batch.isEmpty()) {
            lose();
        }
        if (ended || isAbandoned()) {
            return false;
        }
        ended = !queue.take(batch, MAX_BATCH, MAX_WAIT_MILLIS);
        int taken = outlet.write(batch);
        if (taken < batch.size()) {
            failed();
        }
        settle(Math.max(0, taken));
        return true;
    }

    /** A turn that failed costs the batch that it left and not those after it. */
    private void lose() {
        failed();
        outlet.missed(batch.get(0).covers().union(batch.get(batch.size() - 1).covers()));
        settle(0);
    }

    private void settle(int taken) {
        int kept = records(batch.subList(0, taken));
        synchronized (this) {
            count(kept, records(batch) - kept);
            queue.settled();
        }
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).settled(i < taken);
        }
        batch.clear();
    }

    private static int records(List<LaneSlot> batch) {
        return (int) batch.stream().filter(RecordLine.class::isInstance).count();
    }

    private synchronized void count(int more, int lost) {
        if (!abandoned) {
            written += more;
            dropped += lost;
        }
    }

    private synchronized void failed() {
        errors++;
        counters.sinkErrors.increment();
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    synchronized SinkStatus status() {
        return new SinkStatus(
                sink.type(), written, dropped, errors, abandoned ? 0 : queue.records(), queue.capacity(), queue.peak());
    }

    /** Takes no more; what waits is still written. */
    void close() {
        queue.close();
    }

    /** Waits until all is written, at most {@code millis}; gives up on the rest then. */
    void join(long millis) {
        try {
            thread.join(Math.max(1, millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            abandon();
            thread.interrupt();
        }
    }

    private synchronized void abandon() {
        dropped += queue.unsettled();
        abandoned = true;
    }
}
