package io.scatterguard.proxy.summary;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that one process gave its records, as far as they were read: which of them are missing between the first and the
 * last, whatever the order. Not thread-safe.
 */
final class SequenceRun {
    /** How many ranges of missing numbers are known; further ones are added up, and can no longer be filled. */
    static final int MAX_HOLES = 10_000;

    private final TreeMap<Long, Long> holes = new TreeMap<>();
    private final long first;
    private long last;
    private @Nullable Instant latest;
    private long missing;

    SequenceRun(long from, long to, @Nullable Instant at) {
        this.first = from;
        this.last = to;
        this.latest = at;
    }

    /**
     * Takes the numbers {@code from} to {@code to}, if they can belong to it and are new.
     *
     * @return whether it did
     */
    boolean take(long from, long to, @Nullable Instant at) {
        if (from > last) {
            miss(last + 1, from - 1);
            last = to;
        } else if (!fill(from, to)) {
            return false;
        }
        latest = latest == null || (at != null && at.isAfter(latest)) ? at : latest;
        return true;
    }

    private void miss(long from, long to) {
        if (from <= to) {
            missing += to - from + 1;
            if (holes.size() < MAX_HOLES) {
                holes.put(from, to);
            }
        }
    }

    private boolean fill(long from, long to) {
        Map.Entry<Long, Long> hole = holes.floorEntry(from);
        if (hole == null || hole.getValue() < to) {
            return false;
        }
        holes.remove(hole.getKey());
        missing -= hole.getValue() - hole.getKey() + 1;
        miss(hole.getKey(), from - 1);
        miss(to + 1, hole.getValue());
        return true;
    }

    /** Whether a process that begins with {@code from} at {@code at} is another one, that began later or ended before. */
    boolean isAnother(long from, @Nullable Instant at) {
        Instant end = latest;
        return from < first || (at != null && (end == null || at.isAfter(end)));
    }

    long missing() {
        return missing;
    }
}
