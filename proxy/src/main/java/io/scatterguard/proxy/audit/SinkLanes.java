package io.scatterguard.proxy.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes to all sinks, which others may take the place of while records come. Each record goes either to all lanes from
 * before a change or to all from after it. A lane that leaves writes what waits for it, and never does a sink from before a
 * change write to the same destination at one time with one from after it. Thread-safe.
 */
final class SinkLanes {
    /** Makes a lane, which is not started. */
    @FunctionalInterface
    interface Maker {
        SinkLane lane(AuditSink sink, LaneQueue waiting);
    }

    private final Maker maker;
    private final AuditPressure pressure;
    private final List<SinkLane> leaving = new CopyOnWriteArrayList<>();
    private volatile List<SinkLane> current = List.of();
    private boolean closed;

    SinkLanes(Maker maker, AuditPressure pressure) {
        this.maker = maker;
        this.pressure = pressure;
    }

    /**
     * From now on records go to {@code sinks}. A sink that is among them already keeps its lane, with what waits for it; one
     * of the same destination as before takes over the lane, once the batch that is being written is done with. Never waits.
     *
     * @param capacity how many records may wait for each
     * @param patience how long lanes that leave, and sinks that are taken over from, may take to write
     */
    synchronized void use(List<AuditSink> sinks, int capacity, Duration patience) {
        if (closed) {
            return;
        }
        List<SinkLane> free = new ArrayList<>(current);
        List<@Nullable SinkLane> kept = new ArrayList<>();
        sinks.forEach(sink -> kept.add(taken(free, lane -> lane.sink() == sink)));
        List<SinkLane> lanes = new ArrayList<>();
        List<SinkLane> changed = new ArrayList<>();
        for (int i = 0; i < sinks.size(); i++) {
            AuditSink sink = sinks.get(i);
            SinkLane lane = kept.get(i);
            if (lane == null) {
                lane = taken(free, other -> other.leadsTo(sink));
                if (lane == null) {
                    lane = started(sink, capacity);
                } else {
                    lane.replace(sink);
                    changed.add(lane);
                }
            }
            lane.fit(pressureOf(sink), capacity);
            lanes.add(lane);
        }
        current = List.copyOf(lanes);
        leave(free, changed, capacity, patience);
    }

    private static @Nullable SinkLane taken(List<SinkLane> free, Predicate<SinkLane> wanted) {
        for (Iterator<SinkLane> lanes = free.iterator(); lanes.hasNext(); ) {
            SinkLane lane = lanes.next();
            if (wanted.test(lane)) {
                lanes.remove();
                return lane;
            }
        }
        return null;
    }

    /** Where a lane to the same destination is still leaving, as after an edit that is taken back, the new one waits for it. */
    private SinkLane started(AuditSink sink, int capacity) {
        SinkLane lane = maker.lane(sink, new LaneQueue(capacity, new HighWater(pressureOf(sink), capacity)));
        lane.start(leaving.stream().filter(other -> other.leadsTo(sink)).toList());
        return lane;
    }

    private @Nullable AuditPressure pressureOf(AuditSink sink) {
        return sink.whenFull() == WhenFull.BLOCK ? pressure : null;
    }

    /** A lane that leaves holds nobody up, whatever its sink was configured to do. */
    private void leave(List<SinkLane> gone, List<SinkLane> changed, int capacity, Duration patience) {
        gone.forEach(lane -> lane.fit(null, capacity));
        gone.forEach(SinkLane::close);
        leaving.addAll(gone);
        if (!gone.isEmpty() || !changed.isEmpty()) {
            Thread thread = new Thread(() -> seeOff(gone, changed, patience), "audit-leaving");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void seeOff(List<SinkLane> gone, List<SinkLane> changed, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        gone.forEach(lane -> lane.join(millisUntil(deadline)));
        changed.forEach(lane -> lane.hurry(millisUntil(deadline)));
        for (SinkLane lane : gone) {
            lane.awaitEnd();
            leaving.remove(lane);
        }
    }

    /** Has {@code giver} hand out lines to the present lanes, which stay so meanwhile. Never waits for one. */
    synchronized void handOut(Consumer<List<SinkLane>> giver) {
        giver.accept(current);
    }

    /** Whether one of the sinks must not lose any. */
    boolean blocks() {
        return current.stream().anyMatch(lane -> lane.sink().whenFull() == WhenFull.BLOCK);
    }

    /** How each sink is doing, in the order they were given. */
    List<SinkStatus> status() {
        return current.stream().map(SinkLane::status).toList();
    }

    /** They take no more; what waits is still written. */
    synchronized void close() {
        closed = true;
        current.forEach(SinkLane::close);
    }

    /** Waits until all is written, until {@code deadlineNanos} at most; gives up on the rest then. */
    void join(long deadlineNanos) {
        current.forEach(lane -> lane.join(millisUntil(deadlineNanos)));
        leaving.forEach(lane -> lane.join(millisUntil(deadlineNanos)));
    }

    /** 0 if it is over. */
    static long millisUntil(long deadlineNanos) {
        return Math.max(0, (deadlineNanos - System.nanoTime()) / 1_000_000);
    }
}
