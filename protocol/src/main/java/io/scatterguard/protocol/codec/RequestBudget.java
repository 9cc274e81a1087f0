package io.scatterguard.protocol.codec;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * How many bytes large requests may hold in the whole process at once. Who finds no room waits in order; nobody overtakes,
 * so that a stream of smaller requests cannot starve a larger one. Small requests never come here. Thread-safe.
 */
public final class RequestBudget {
    /** A request that needs at most this many bytes needs no reservation. */
    public static final int FREE_BYTES = 64 * 1024;

    private final long capacityBytes;
    private final Set<Reservation> waiting = new LinkedHashSet<>();
    private long reservedBytes;

    /** {@code capacityBytes}: positive. */
    public RequestBudget(long capacityBytes) {
        if (capacityBytes <= 0) {
            throw new IllegalArgumentException("request budget: " + capacityBytes + " (expected: at least 1)");
        }
        this.capacityBytes = capacityBytes;
    }

    /** A budget that never makes anybody wait. */
    public static RequestBudget unlimited() {
        return new RequestBudget(Long.MAX_VALUE);
    }

    /**
     * Reserves {@code bytes}, at once where there is room, else when everybody who came before has been served. Whoever
     * calls this must release the reservation, granted or not.
     *
     * @param bytes more than the whole budget is taken as the whole budget, so that nobody waits for ever
     * @param executor runs {@code granted}, once, if the reservation had to wait and was not released meanwhile
     */
    public Reservation reserve(long bytes, Executor executor, Runnable granted) {
        Reservation asked = new Reservation(this, Math.min(bytes, capacityBytes), executor, granted);
        synchronized (this) {
            if (waiting.isEmpty() && fits(asked)) {
                grant(asked);
            } else {
                waiting.add(asked);
            }
        }
        return asked;
    }

    void release(Reservation released) {
        List<Reservation> next = new ArrayList<>();
        synchronized (this) {
            if (released.state == Reservation.State.GRANTED) {
                reservedBytes -= released.bytes;
            } else {
                waiting.remove(released);
            }
            released.state = Reservation.State.RELEASED;
            while (!waiting.isEmpty() && fits(waiting.iterator().next())) {
                Reservation first = waiting.iterator().next();
                waiting.remove(first);
                grant(first);
                next.add(first);
            }
        }
        next.forEach(RequestBudget::announce);
    }

    private boolean fits(Reservation asked) {
        return asked.bytes <= capacityBytes - reservedBytes;
    }

    private void grant(Reservation asked) {
        reservedBytes += asked.bytes;
        asked.state = Reservation.State.GRANTED;
    }

    private static void announce(Reservation granted) {
        try {
            granted.executor.execute(granted.granted);
        } catch (RejectedExecutionException e) {
            // Its event loop has ended, so nobody will read that request.
            granted.release();
        }
    }

    boolean isGranted(Reservation reservation) {
        synchronized (this) {
            return reservation.state == Reservation.State.GRANTED;
        }
    }

    public long capacityBytes() {
        return capacityBytes;
    }

    public synchronized long reservedBytes() {
        return reservedBytes;
    }

    /** How many requests wait for room. */
    public synchronized int waiting() {
        return waiting.size();
    }
}
