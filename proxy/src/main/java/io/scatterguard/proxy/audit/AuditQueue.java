package io.scatterguard.proxy.audit;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Completed records on their way from the event loops to the writer: bounded, in the order of their {@code seq}. The number
 * is given and the slot taken under one lock, which is held for a few instructions only; that way the order in the queue is
 * the order of the numbers, and what was dropped is one gap in its right place.
 */
final class AuditQueue {
    /** What is in the queue. */
    sealed interface Slot permits Numbered, Gap {}

    /** A completed record with its number. */
    record Numbered(long seq, QueuedRecord entry) implements Slot {}

    private int capacity;
    private final HighWater highWater;
    private final AuditLedger ledger;
    private final ArrayDeque<Slot> slots = new ArrayDeque<>();
    private int records;
    private int peak;
    private long lastSeq;
    private boolean closed;

    AuditQueue(int capacity, HighWater highWater, AuditLedger ledger) {
        this.capacity = capacity;
        this.highWater = highWater;
        this.ledger = ledger;
    }

    /** Adds a record; false if there is no room or the queue is closed, and the record's number is in a gap. */
    synchronized boolean offer(QueuedRecord entry) {
        long seq = ++lastSeq;
        if (closed || records >= capacity) {
            addGap(seq);
            ledger.refused();
            return false;
        }
        add(seq, entry);
        return true;
    }

    /** Adds records for which there is always room: few, and what they sum up would be lost with them. */
    synchronized void addAll(List<? extends QueuedRecord> entries) {
        entries.forEach(entry -> add(++lastSeq, entry));
    }

    private void add(long seq, QueuedRecord entry) {
        slots.addLast(new Numbered(seq, entry));
        records++;
        ledger.taken();
        peak = Math.max(peak, records);
        highWater.filled(records);
        notifyAll();
    }

    private void addGap(long seq) {
        if (slots.peekLast() instanceof Gap gap) {
            slots.removeLast();
            slots.addLast(new Gap(gap.from(), seq));
        } else {
            slots.addLast(new Gap(seq, seq));
        }
    }

    /**
     * Moves at most {@code max} slots to {@code into}; waits up to {@code maxWaitMillis} for the first.
     *
     * @return false if the queue is closed and empty
     */
    boolean take(List<Slot> into, int max, long maxWaitMillis) throws InterruptedException {
        AuditPressure relieved;
        boolean more;
        synchronized (this) {
            if (slots.isEmpty() && !closed) {
                waitOnce(maxWaitMillis);
            }
            move(into, max);
            relieved = highWater.emptied(records);
            more = !(closed && slots.isEmpty() && into.isEmpty());
        }
        if (relieved != null) {
            relieved.lower();
        }
        return more;
    }

    private void move(List<Slot> into, int max) {
        while (into.size() < max && !slots.isEmpty()) {
            Slot slot = slots.removeFirst();
            records -= slot instanceof Numbered ? 1 : 0;
            into.add(slot);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // returning early is fine: the caller comes again
    private void waitOnce(long maxWaitMillis) throws InterruptedException {
        wait(maxWaitMillis);
    }

    /** From now on has room for {@code changed} records; {@code pressure} is null where nobody is to pause for it. */
    void fit(@Nullable AuditPressure pressure, int changed) {
        AuditPressure relieved;
        synchronized (this) {
            capacity = changed;
            relieved = highWater.fit(pressure, changed, records);
        }
        if (relieved != null) {
            relieved.lower();
        }
    }

    /** The number of the record that came last. */
    synchronized long lastSeq() {
        return lastSeq;
    }

    /** How many records wait. */
    synchronized int waiting() {
        return records;
    }

    /** The most that ever waited. */
    synchronized int peak() {
        return peak;
    }

    /** Takes no more records; what is in it can still be taken. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
