package io.scatterguard.proxy.audit;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The thread behind the queue: makes lines of records, once for all sinks, and puts them into the queue of each. */
final class AuditWriter implements Runnable {
    private static final int MAX_BATCH = 256;
    private static final long MAX_WAIT_MILLIS = 1_000;

    private final AuditSettings settings;
    private final AuditQueue queue;
    private final JsonLines json = new JsonLines();
    private final Clock clock;
    private final AuditCounters counters;
    private final Lanes lanes;

    /**
     * The ways to all sinks.
     *
     * @param due what has to be written besides what comes through the queue; asked at least once a second
     */
    record Lanes(List<SinkLane> all, AuditLedger ledger, Supplier<List<? extends QueuedRecord>> due) {}

    AuditWriter(AuditSettings settings, AuditQueue queue, Clock clock, AuditCounters counters, Lanes lanes) {
        this.settings = settings;
        this.queue = queue;
        this.clock = clock;
        this.counters = counters;
        this.lanes = lanes;
    }

    @Override
    public void run() {
        List<AuditQueue.Slot> batch = new ArrayList<>(MAX_BATCH);
        try {
            while (queue.take(batch, MAX_BATCH, MAX_WAIT_MILLIS)) {
                handOut(batch);
                batch.clear();
                queue.addAll(lanes.due().get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closing took too long: what is left is counted by who interrupts
        }
        lanes.all().forEach(SinkLane::close);
    }

    private void handOut(List<AuditQueue.Slot> batch) {
        List<LaneSlot> lines = batch.stream().map(this::line).toList();
        if (!lines.isEmpty()) {
            lanes.all().forEach(lane -> lane.add(lines));
        }
    }

    private LaneSlot line(AuditQueue.Slot slot) {
        if (slot instanceof Gap gap) {
            return gap;
        }
        AuditQueue.Numbered numbered = (AuditQueue.Numbered) slot;
        try {
            byte[] bytes = numbered.entry().line(json, numbered.seq(), clock.instant(), settings);
            return new RecordLine(numbered.seq(), bytes, lanes.all().size(), lanes.ledger());
        } catch (RuntimeException | Error e) {
            counters.internalError("making the line of a record", e);
            lanes.ledger().settled(false);
            return new Gap(numbered.seq(), numbered.seq());
        }
    }
}
