package io.scatterguard.proxy.audit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one sink: a bounded queue of its own and a thread that empties it, so that a sink that is slow or hangs costs
 * nothing but its own records. Another sink of the same destination may take over.
 */
final class SinkLane implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SinkLane.class);
    private static final int MAX_BATCH = 256;
    private static final long MAX_WAIT_MILLIS = 1_000;

    private final LaneQueue queue;
    private final SinkOutlet outlet;
    private final AuditCounters counters;
    private final Thread thread;
    private final String type;
    private volatile AuditSink sink;
    private volatile List<SinkLane> before = List.of();
    private @Nullable AuditSink next;
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
        this.type = sink.type();
        this.queue = queue;
        this.outlet = outlet;
        this.counters = counters;
        this.thread = new Thread(this, "audit-" + type);
        thread.setDaemon(true);
    }

    /** Its thread writes once those of {@code former} have ended. */
    void start(List<SinkLane> former) {
        before = former;
        thread.start();
    }

    /** The sink that it leads to, or is about to. */
    AuditSink sink() {
        return sink;
    }

    boolean leadsTo(AuditSink other) {
        return sink.destination().equals(other.destination());
    }

    /** From now on has room for {@code capacity} records; {@code pressure} is null if it drops what finds none. */
    void fit(@Nullable AuditPressure pressure, int capacity) {
        queue.fit(pressure, capacity);
    }

    /** Has {@code changed}, of the same destination, take over after the batch that is being written. */
    void replace(AuditSink changed) {
        synchronized (this) {
            next = changed;
            sink = changed;
        }
        queue.wake();
    }

    /** Waits for a sink that is to take over, at most {@code millis}; has the batch given up that it waits for then. */
    synchronized void hurry(long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        try {
            while (next != null && SinkLanes.millisUntil(deadline) > 0) {
                wait(SinkLanes.millisUntil(deadline));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (next != null) {
            thread.interrupt();
        }
    }

    private void takeOver() {
        AuditSink changed;
        synchronized (this) {
            changed = next;
            next = null;
            if (changed != null && !abandoned) {
                Thread.interrupted(); // it was meant for the sink that goes
            }
            notifyAll();
        }
        if (changed != null && !outlet.replace(changed)) {
            failed();
        }
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
            awaitFormer();
            Turns.run(this::turn, "handing records to a sink", counters);
        } finally {
            takeOver();
            if (!outlet.close()) {
                failed();
            }
        }
    }

    private boolean turn() {
        if (!batch.isEmpty()) {
            lose();
        }
        if (ended || isAbandoned()) {
            return false;
        }
        ended = !take(batch);
        takeOver();
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

    private void awaitFormer() {
        for (SinkLane former : before) {
            while (former.thread.isAlive() && !isAbandoned()) {
                try {
                    former.thread.join();
                } catch (InterruptedException e) {
                    restoreIfAbandoned();
                }
            }
        }
        before = List.of();
    }

    private boolean take(List<LaneSlot> into) {
        try {
            return queue.take(into, MAX_BATCH, MAX_WAIT_MILLIS);
        } catch (InterruptedException e) {
            restoreIfAbandoned();
            return true; // another sink takes over, or it was abandoned: what is left is counted by who did that
        }
    }

    private void restoreIfAbandoned() {
        if (isAbandoned()) {
            Thread.currentThread().interrupt();
        }
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
                type, written, dropped, errors, abandoned ? 0 : queue.records(), queue.capacity(), queue.peak());
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

    /** Waits until its thread has ended, however long that takes. */
    void awaitEnd() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void abandon() {
        LaneQueue.Abandoned lost;
        synchronized (this) {
            if (abandoned) {
                return;
            }
            lost = queue.abandon();
            dropped += lost.records();
            abandoned = true;
        }
        lost.left().forEach(slot -> slot.settled(false));
        LOG.warn(
                "audit sink was given up on before it took all records sink={} dropped={}",
                sink.name(),
                lost.records());
    }
}
