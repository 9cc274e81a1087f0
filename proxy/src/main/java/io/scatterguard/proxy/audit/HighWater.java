package io.scatterguard.proxy.audit;

import org.jspecify.annotations.Nullable;

/** Tells an {@link AuditPressure} when a queue is half full, and when three quarters of it are free again. */
final class HighWater {
    private final @Nullable AuditPressure pressure;
    private final int high;
    private final int low;
    private boolean raised;

    /** Of a queue with room for {@code capacity}; {@code pressure} is null for one that drops what finds no room. */
    HighWater(@Nullable AuditPressure pressure, int capacity) {
        this.pressure = pressure;
        this.high = Math.max(1, capacity / 2);
        this.low = capacity / 4;
    }

    /** So much of the capacity is taken, after something was added. Called under the queue's lock. */
    void filled(long taken) {
        if (pressure != null && !raised && taken >= high) {
            raised = true;
            pressure.raise();
        }
    }

    /**
     * So much of the capacity is taken still. Called under the queue's lock.
     *
     * @return whether {@link #relieve} is to be called, once the lock is released: it runs what is not the queue's
     */
    boolean emptied(long taken) {
        boolean relieves = raised && taken <= low;
        if (relieves) {
            raised = false;
        }
        return relieves;
    }

    /** Lets go on who was paused because of this queue. */
    void relieve() {
        if (pressure != null) {
            pressure.lower();
        }
    }
}
