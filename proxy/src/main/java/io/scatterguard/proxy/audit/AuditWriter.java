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

    /** What the present turn has in hand: records, their lines, the lanes they go to, and how many of these have got them. */
    private final List<AuditQueue.Slot> batch = new ArrayList<>(MAX_BATCH);

    private final List<LaneSlot> lines = new ArrayList<>(MAX_BATCH);
    private List<SinkLane> to = List.of();
    private int handedTo;

    /** Whether nothing comes any more. */
    private boolean ended;

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
        try {
            Turns.run(this::turn, "handing out records", numbers.counters());
        } finally {
            lanes.close();
        }
    }

    private boolean turn() throws InterruptedException {
        lose();
        if (ended) {
            return false;
        }
        ended = !queue.take(batch, MAX_BATCH, MAX_WAIT_MILLIS);
        lanes.handOut(this::give);
        empty();
        if (!ended) {
            queue.addAll(due.get());
        }
        return true;
    }

    private void give(List<SinkLane> present) {
        to = present;
        for (AuditQueue.Slot slot : batch) {
            lines.add(line(slot));
        }
        while (!lines.isEmpty() && handedTo < to.size()) {
            to.get(handedTo).add(lines);
            handedTo++;
        }
    }

    private void empty() {
        batch.clear();
        lines.clear();
        handedTo = 0;
    }

    /** What a turn that failed left in hand is lost to the sinks whose turn had not come. */
    private void lose() {
        if (batch.isEmpty()) {
            return;
        }
        Gap missed = covers(batch.get(0)).union(covers(batch.get(batch.size() - 1)));
        List<SinkLane> without = to.subList(handedTo, to.size());
        for (int i = 0; i < batch.size(); i++) {
            if (i < lines.size()) {
                LaneSlot line = lines.get(i);
                without.forEach(lane -> line.settled(false));
            } else if (batch.get(i) instanceof AuditQueue.Numbered) {
                numbers.ledger().settled(false);
            }
        }
        empty();
        lanes.handOut(present -> without.stream().filter(present::contains).forEach(lane -> lane.add(List.of(missed))));
    }

    private static Gap covers(AuditQueue.Slot slot) {
        return slot instanceof AuditQueue.Numbered numbered ? new Gap(numbered.seq(), numbered.seq()) : (Gap) slot;
    }

    private LaneSlot line(AuditQueue.Slot slot) {
        if (slot instanceof Gap gap) {
            return gap;
        }
        AuditQueue.Numbered numbered = (AuditQueue.Numbered) slot;
        try {
            byte[] bytes = numbered.entry().line(json, numbered.seq(), clock.instant(), settings);
            return new RecordLine(numbered.seq(), bytes, to.size(), numbers.ledger());
        } catch (RuntimeException | Error e) {
            numbers.counters().internalError("making the line of a record", e);
            Gap missing = covers(numbered);
            numbers.ledger().settled(false);
            return missing;
        }
    }
}
