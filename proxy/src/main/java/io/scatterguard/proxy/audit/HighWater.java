package io.scatterguard.proxy.audit;

import org.jspecify.annotations.Nullable;

/** Tells an {@link AuditPressure} when a queue is half full, and when three quarters of it are free again; knows its peak. */
final class HighWater {
    private final @Nullable AuditPressure pressure;
    private final int high;
    private final int low;
    private boolean raised;
    private int peak;

    /** Of a queue of {@code capacity} records; {@code pressure} is null for one that drops what finds no room. */
    HighWater(@Nullable AuditPressure pressure, int capacity) {
        this.pressure = pressure;
        this.high = Math.max(1, capacity / 2);
        this.low = capacity / 4;
    }

    /** {@code waiting} records are in the queue. Called under the queue's lock. */
    void at(int waiting) {
        peak = Math.max(peak, waiting);
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

    /** The most that ever waited. Called under the queue's lock. */
    int peak() {
        return peak;
    }
}
