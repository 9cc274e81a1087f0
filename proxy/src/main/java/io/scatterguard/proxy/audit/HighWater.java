package io.scatterguard.proxy.audit;

import org.jspecify.annotations.Nullable;

/** Tells an {@link AuditPressure} when a queue is half full, and when three quarters of it are free again. */
final class HighWater {
    private @Nullable AuditPressure pressure;
    private int high;
    private int low;
    private boolean raised;

    /** Of a queue with room for {@code capacity}; {@code pressure} is null for one that drops what finds no room. */
    HighWater(@Nullable AuditPressure pressure, int capacity) {
        this.pressure = pressure;
        this.high = Math.max(1, capacity / 2);
        this.low = capacity / 4;
    }

    /**
     * The queue becomes one of other properties, while so much of it is taken. Called under the queue's lock.
     *
     * @return what is to be lowered, once the lock is released; null if nothing
     */
    @Nullable AuditPressure fit(@Nullable AuditPressure changed, int capacity, long taken) {
        high = Math.max(1, capacity / 2);
        low = capacity / 4;
        AuditPressure relieved = raised && (changed == null || taken <= low) ? pressure : null;
        raised &= relieved == null;
        pressure = changed;
        filled(taken);
        return relieved;
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
     * @return what is to be lowered, once the lock is released, because that runs what is not the queue's; null if nothing
     */
    @Nullable AuditPressure emptied(long taken) {
        AuditPressure relieved = raised && taken <= low ? pressure : null;
        raised &= relieved == null;
        return relieved;
    }
}
