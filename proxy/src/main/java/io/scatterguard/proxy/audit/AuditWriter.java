package io.scatterguard.proxy.audit;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** The thread behind the queue: makes lines of records and hands them to the sinks until the queue is closed and empty. */
final class AuditWriter implements Runnable {
    private static final int MAX_BATCH = 256;
    private static final long MAX_WAIT_MILLIS = 1_000;

    private final AuditSettings settings;
    private final AuditQueue queue;
    private final JsonLines json;
    private final Clock clock;
    private final AuditCounters counters;
    private final List<SinkOutlet> outlets;
    private int inFlight;
    private boolean abandoned;

    AuditWriter(
            AuditSettings settings,
            AuditQueue queue,
            JsonLines json,
            Clock clock,
            AuditCounters counters,
            List<AuditSink> sinks) {
        this.settings = settings;
        this.queue = queue;
        this.json = json;
        this.clock = clock;
        this.counters = counters;
        this.outlets =
                sinks.stream().map(sink -> new SinkOutlet(sink, this::gapBytes)).toList();
    }

    @Override
    public void run() {
        List<AuditQueue.Slot> batch = new ArrayList<>(MAX_BATCH);
        try {
            while (queue.take(batch, MAX_BATCH, MAX_WAIT_MILLIS)) {
                writeOrDrop(batch);
                batch.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closing took too long: what is left is counted by who interrupts
        }
        for (SinkOutlet outlet : outlets) {
            boolean said = isAbandoned() || outlet.sayLost();
            boolean closed = outlet.close();
            counters.sinkErrors.add((said ? 0 : 1) + (closed ? 0 : 1));
        }
    }

    /** Whatever goes wrong, an {@code OutOfMemoryError} included, costs this batch and not those after it. */
    private void writeOrDrop(List<AuditQueue.Slot> batch) {
        try {
            write(batch);
        } catch (RuntimeException | Error e) {
            counters.internalError("writing records", e);
            batch.forEach(slot -> outlets.forEach(outlet -> outlet.missed(covers(slot))));
            settle(records(batch), 0);
        }
    }

    private static int records(List<AuditQueue.Slot> batch) {
        return (int)
                batch.stream().filter(AuditQueue.Numbered.class::isInstance).count();
    }

    private static Gap covers(AuditQueue.Slot slot) {
        return slot instanceof AuditQueue.Numbered numbered ? new Gap(numbered.seq(), numbered.seq()) : (Gap) slot;
    }

    /** Empty batches are written as well: a sink that lost something gets its chance to say so. */
    private void write(List<AuditQueue.Slot> batch) {
        int records = records(batch);
        taken(records);
        List<SinkOutlet.Line> lines = batch.stream().map(this::line).toList();
        int writable = (int) lines.stream().filter(SinkOutlet.Line::isRecord).count();
        boolean everywhere = true;
        for (SinkOutlet outlet : outlets) {
            if (!outlet.write(lines)) {
                everywhere = false;
                counters.sinkErrors.increment();
            }
        }
        settle(records, everywhere ? writable : 0);
    }

    private synchronized void taken(int records) {
        inFlight = records;
    }

    private synchronized void settle(int records, int recorded) {
        if (!abandoned) {
            counters.recorded.add(recorded);
            counters.dropped.add(records - recorded);
        }
        inFlight = 0;
    }

    /**
     * Gives up: nothing is counted any more.
     *
     * @return how many records are taken from the queue and neither counted as recorded nor as dropped
     */
    synchronized int abandon() {
        abandoned = true;
        return inFlight;
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    private SinkOutlet.Line line(AuditQueue.Slot slot) {
        if (slot instanceof AuditQueue.Numbered numbered) {
            Gap seq = covers(slot);
            try {
                AuditEvent event = numbered.pending().complete(numbered.seq(), numbered.outcome(), settings);
                return new SinkOutlet.Line(json.event(event), seq, true);
            } catch (RuntimeException | Error e) {
                counters.internalError("making the line of a record", e);
                return gapLine(seq);
            }
        }
        return gapLine((Gap) slot);
    }

    private SinkOutlet.Line gapLine(Gap gap) {
        return new SinkOutlet.Line(gapBytes(gap), gap, false);
    }

    private byte[] gapBytes(Gap gap) {
        return json.gap(gap, clock.instant(), settings);
    }
}
