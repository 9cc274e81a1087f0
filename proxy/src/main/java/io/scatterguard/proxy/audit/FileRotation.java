package io.scatterguard.proxy.audit;

import java.time.Duration;

/**
 * When a file of the log is put aside, and what becomes of it.
 *
 * @param maxBytes the size a file does not grow beyond, unless a single record is larger
 * @param maxFiles how many files are kept besides the one being written; with 0 a full one is deleted
 * @param every how long a file is written to, counted from 1970 in UTC, so that {@code 1d} ends at midnight; zero for ever
 * @param gzip whether files put aside are compressed
 */
public record FileRotation(long maxBytes, int maxFiles, Duration every, boolean gzip) {
    public FileRotation {
        if (maxBytes < 1 || maxFiles < 0 || every.isNegative()) {
            throw new IllegalArgumentException("audit file: maxBytes " + maxBytes + ", maxFiles " + maxFiles
                    + ", every " + every + " (expected: at least 1, 0 and 0)");
        }
    }

    /** By size only, uncompressed. */
    static FileRotation bySize(long maxBytes, int maxFiles) {
        return new FileRotation(maxBytes, maxFiles, Duration.ZERO, false);
    }

    /** Which of the periods {@code epochMillis} is in; always the same if there are none. */
    long period(long epochMillis) {
        return every.isZero() ? 0 : Math.floorDiv(epochMillis, every.toMillis());
    }
}
