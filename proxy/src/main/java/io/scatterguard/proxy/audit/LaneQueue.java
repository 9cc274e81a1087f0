package io.scatterguard.proxy.audit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one sink, in the order of {@code seq}: bounded by the number of records and by their bytes. What finds no
 * room becomes a gap in its place.
 */
final class LaneQueue {
    /** Records of more than this many bytes on average take room away from others: 32 MiB for the default capacity. */
    static final int BYTES_PER_RECORD = 4_096;

    private int capacity;
    private final HighWater highWater;
    private final ArrayDeque<LaneSlot> slots = new ArrayDeque<>();
    private int records;
    private int peak;
    private int inHand;
    private long bytes;
    private boolean closed;

    LaneQueue(int capacity, HighWater highWater) {
        this.capacity = capacity;
        this.highWater = highWater;
    }

    /** Adds all of {@code added} or, of records that find no room, their gaps; returns these records. */
    synchronized List<RecordLine> add(List<LaneSlot> added) {
        List<RecordLine> refused = new ArrayList<>();
        for (LaneSlot slot : added) {
            if (slot instanceof RecordLine line && hasRoom(line)) {
                slots.addLast(line);
                records++;
                bytes += line.bytes().length;
            } else {
                addGap(slot.covers());
                if (slot instanceof RecordLine line) {
                    refused.add(line);
                }
            }
        }
        peak = Math.max(peak, records);
        highWater.filled(taken());
        notifyAll();
        return refused;
    }

    /** How much of the capacity is taken, by the number of records or by their bytes, whatever is more. */
    private long taken() {
        return Math.max(records, (bytes + BYTES_PER_RECORD - 1) / BYTES_PER_RECORD);
    }

    private boolean hasRoom(RecordLine line) {
        boolean fits = bytes + line.bytes().length <= (long) capacity * BYTES_PER_RECORD || records == 0;
        return records < capacity && fits;
    }

    private void addGap(Gap gap) {
        if (slots.peekLast() instanceof Gap last) {
            slots.removeLast();
            slots.addLast(last.union(gap));
        } else {
            slots.addLast(gap);
        }
    }

    /**
     * Moves at most {@code max} slots to {@code into}, where they count as in hand until {@link #settled}; waits up to
     * {@code maxWaitMillis} for the first.
     *
     * @return false if the queue is closed and empty
     */
    boolean take(List<LaneSlot> into, int max, long maxWaitMillis) throws InterruptedException {
        AuditPressure relieved;
        boolean more;
        synchronized (this) {
            if (slots.isEmpty() && !closed) {
                waitOnce(maxWaitMillis);
            }
            move(into, max);
            relieved = highWater.emptied(taken());
            more = !(closed && slots.isEmpty() && into.isEmpty());
        }
        if (relieved != null) {
            relieved.lower();
        }
        return more;
    }

    private void move(List<LaneSlot> into, int max) {
        while (into.size() < max && !slots.isEmpty()) {
            LaneSlot slot = slots.removeFirst();
            if (slot instanceof RecordLine line) {
                records--;
                inHand++;
                bytes -= line.bytes().length;
            }
            into.add(slot);
        }
    }

    @SuppressWarnings("WaitNotInLoop") // returning early is fine: the caller comes again
    private void waitOnce(long maxWaitMillis) throws InterruptedException {
        wait(maxWaitMillis);
    }

    /** From now on has room for {@code changed} records; {@code pressure} is null if it drops what finds none. */
    void fit(@Nullable AuditPressure pressure, int changed) {
        AuditPressure relieved;
        synchronized (this) {
            capacity = changed;
            relieved = highWater.fit(pressure, changed, taken());
        }
        if (relieved != null) {
            relieved.lower();
        }
    }

    /** Whoever waits for a record comes back without one. */
    synchronized void wake() {
        notifyAll();
    }

    /**
     * What nobody will write any more.
     *
     * @param left what waited
     * @param records how many records that are, with those in hand
     */
    record Abandoned(List<LaneSlot> left, int records) {}

    /** Closes it and takes out all that is left. */
    Abandoned abandon() {
        Abandoned abandoned;
        AuditPressure relieved;
        synchronized (this) {
            abandoned = new Abandoned(List.copyOf(slots), unsettled());
            slots.clear();
            records = 0;
            bytes = 0;
            relieved = highWater.emptied(0);
            close();
        }
        if (relieved != null) {
            relieved.lower();
        }
        return abandoned;
    }

    synchronized int records() {
        return records;
    }

    /** It is known what became of all that was taken. */
    synchronized void settled() {
        inHand = 0;
    }

    /** How many records wait or are in hand. */
    synchronized int unsettled() {
        return records + inHand;
    }

    synchronized int capacity() {
        return capacity;
    }

    /** The most that ever waited. */
    synchronized int peak() {
        return peak;
    }

    /** No more is added; what is in it can still be taken. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
