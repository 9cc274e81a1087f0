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
    private final Supplier<List<? extends QueuedRecord>> due;
    private final SinkLanes lanes;
    private final Numbers numbers;

    /** What is counted of records, and of errors. */
    record Numbers(AuditLedger ledger, AuditCounters counters) {}

    /**
     * @param due what has to be written besides what comes through the queue; asked at least once a second
     */
    AuditWriter(
            AuditSettings settings,
            AuditQueue queue,
            Clock clock,
            SinkLanes lanes,
            Numbers numbers,
            Supplier<List<? extends QueuedRecord>> due) {
        this.settings = settings;
        this.queue = queue;
        this.clock = clock;
        this.lanes = lanes;
        this.numbers = numbers;
        this.due = due;
    }

    @Override
    public void run() {
        List<AuditQueue.Slot> batch = new ArrayList<>(MAX_BATCH);
        try {
            while (queue.take(batch, MAX_BATCH, MAX_WAIT_MILLIS)) {
                handOut(batch);
                batch.clear();
                queue.addAll(due.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closing took too long: what is left is counted by who interrupts
        }
        lanes.close();
    }

    private void handOut(List<AuditQueue.Slot> batch) {
        lanes.handOut(sinks -> batch.stream().map(slot -> line(slot, sinks)).toList());
    }

    private LaneSlot line(AuditQueue.Slot slot, int sinks) {
        if (slot instanceof Gap gap) {
            return gap;
        }
        AuditQueue.Numbered numbered = (AuditQueue.Numbered) slot;
        try {
            byte[] bytes = numbered.entry().line(json, numbered.seq(), clock.instant(), settings);
            return new RecordLine(numbered.seq(), bytes, sinks, numbers.ledger());
        } catch (RuntimeException | Error e) {
            numbers.counters().internalError("making the line of a record", e);
            numbers.ledger().settled(false);
            return new Gap(numbered.seq(), numbered.seq());
        }
    }
}
