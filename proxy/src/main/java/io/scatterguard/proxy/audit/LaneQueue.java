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
        highWater.at(records);
        notifyAll();
        return refused;
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
     * Moves at most {@code max} slots to {@code into}; waits up to {@code maxWaitMillis} for the first.
     *
     * @return false if the queue is closed and empty
     */
    synchronized boolean take(List<LaneSlot> into, int max, long maxWaitMillis) throws InterruptedException {
        if (slots.isEmpty() && !closed) {
            waitOnce(maxWaitMillis);
        }
        while (into.size() < max && !slots.isEmpty()) {
            LaneSlot slot = slots.removeFirst();
            if (slot instanceof RecordLine line) {
                records--;
                bytes -= line.bytes().length;
            }
            into.add(slot);
        }
        highWater.at(records);
        return !(closed && slots.isEmpty() && into.isEmpty());
    }

    @SuppressWarnings("WaitNotInLoop") // returning early is fine: the caller comes again
    private void waitOnce(long maxWaitMillis) throws InterruptedException {
        wait(maxWaitMillis);
    }

    /** From now on has room for {@code changed} records; {@code pressure} is null if it drops what finds none. */
    synchronized void fit(@Nullable AuditPressure pressure, int changed) {
        capacity = changed;
        highWater.fit(pressure, changed, records);
    }

    /** Whoever waits for a record comes back without one. */
    synchronized void wake() {
        notifyAll();
    }

    /** Closes it and takes out all that is left. */
    synchronized List<LaneSlot> abandon() {
        List<LaneSlot> left = List.copyOf(slots);
        slots.clear();
        records = 0;
        bytes = 0;
        highWater.at(0);
        close();
        return left;
    }

    synchronized int records() {
        return records;
    }

    /** No more is added; what is in it can still be taken. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
