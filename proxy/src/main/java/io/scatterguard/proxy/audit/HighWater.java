package io.scatterguard.proxy.audit;

import org.jspecify.annotations.Nullable;

/** Tells an {@link AuditPressure} when a queue is half full, and when three quarters of it are free again. */
final class HighWater {
    private @Nullable AuditPressure pressure;
    private int high;
    private int low;
    private boolean raised;

    /** Of a queue of {@code capacity} records; {@code pressure} is null for one that drops what finds no room. */
    HighWater(@Nullable AuditPressure pressure, int capacity) {
        this.pressure = pressure;
        this.high = Math.max(1, capacity / 2);
        this.low = capacity / 4;
    }

    /** The queue becomes one of other properties, while {@code waiting} records are in it. Called under the queue's lock. */
    void fit(@Nullable AuditPressure changed, int capacity, int waiting) {
        if (pressure != null && changed == null && raised) {
            raised = false;
            pressure.lower();
        }
        pressure = changed;
        high = Math.max(1, capacity / 2);
        low = capacity / 4;
        at(waiting);
    }

    /** {@code waiting} records are in the queue. Called under the queue's lock. */
    void at(int waiting) {
        if (pressure == null) {
            return;
        }
        if (!raised && waiting >= high) {
            raised = true;
            pressure.raise();
        } else if (raised && waiting <= low) {
            raised = false;
            pressure.lower();
        }
    }
}
