package io.scatterguard.proxy.catalog;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to wait between refreshes: the period after a success; after failures a delay that doubles from one second.
 * Each is varied by up to 10 % either way, so that a fleet of proxies does not read in step.
 *
 * @param period from one second on
 * @param random values from 0 to 1
 */
record RefreshSchedule(Duration period, DoubleSupplier random) {
    /** The longest wait after a failure, unless the period itself is longer. */
    static final Duration MAX_BACKOFF = Duration.ofSeconds(60);

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final double JITTER = 0.1;

    RefreshSchedule {
        if (period.compareTo(FIRST_RETRY) < 0) {
            throw new IllegalArgumentException("catalog.refresh: " + period + " (expected: at least 1s)");
        }
    }

    /** The wait before the next refresh after so many failures in a row. */
    Duration delayAfter(int failuresInARow) {
        long millis = failuresInARow == 0 ? period.toMillis() : backoffMillis(failuresInARow);
        return Duration.ofMillis(Math.round(millis * (1 - JITTER + 2 * JITTER * random.getAsDouble())));
    }

    private long backoffMillis(int failuresInARow) {
        long capped = Math.min(period.multipliedBy(4).toMillis(), MAX_BACKOFF.toMillis());
        long most = Math.max(period.toMillis(), capped);
        // 2^30 s is far beyond any bound, so the shift cannot overflow.
        return Math.min(FIRST_RETRY.toMillis() << Math.min(failuresInARow - 1, 30), most);
    }
}
