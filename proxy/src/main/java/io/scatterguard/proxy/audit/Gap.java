package io.scatterguard.proxy.audit;

/**
 * Records that were dropped: all from {@code from} to {@code to}, both included.
 *
 * @param from the first {@code seq} that is missing
 * @param to the last
 */
record Gap(long from, long to) implements AuditQueue.Slot, LaneSlot {
    Gap {
        if (from < 1 || to < from) {
            throw new IllegalArgumentException("gap: " + from + ".." + to + " (expected: from 1, ascending)");
        }
    }

    long count() {
        return to - from + 1;
    }

    @Override
    public Gap covers() {
        return this;
    }

    /** The smallest gap that covers both. */
    Gap union(Gap other) {
        return new Gap(Math.min(from, other.from), Math.max(to, other.to));
    }
}
