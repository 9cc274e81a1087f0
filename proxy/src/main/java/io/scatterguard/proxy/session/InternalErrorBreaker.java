package io.scatterguard.proxy.session;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns judging off when it keeps failing: ten internal errors within a minute trip the listener to bypass, where it stays
 * until the policy is changed or the process restarted. Thread-safe.
 */
public final class InternalErrorBreaker {
    /** How many errors within {@link #WINDOW} trip it. */
    public static final int LIMIT = 10;

    public static final Duration WINDOW = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(InternalErrorBreaker.class);

    private final LongSupplier nanoTime;
    private final long[] times = new long[LIMIT];
    private long errors;
    private volatile boolean tripped;

    /** {@code nanoTime} is the clock, in nanoseconds. */
    public InternalErrorBreaker(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether judging is off. */
    public boolean isTripped() {
        return tripped;
    }

    /** Judging is on again, and what was counted is forgotten. */
    synchronized void reset() {
        tripped = false;
        errors = 0;
    }

    /**
     * Notes an error: the first one is logged with its stack trace, later ones only counted.
     *
     * @param done what is done with the command all the same, a participle
     * @return whether this one tripped it
     */
    public synchronized boolean record(Throwable error, String command, String done) {
        long now = nanoTime.getAsLong();
        int slot = (int) (errors % LIMIT);
        boolean full = errors >= LIMIT - 1;
        times[slot] = now;
        errors++;
        if (errors == 1) {
            LOG.error(
                    "internal error while judging; the command is {}: command={}",
                    done,
                    command,
                    ValueFreeFault.of(error));
        }
        long oldest = times[(int) (errors % LIMIT)];
        boolean trips = !tripped && full && now - oldest <= WINDOW.toNanos();
        if (trips) {
            tripped = true;
            LOG.error(
                    "{} internal errors within {} s: listener switched to bypass, nothing is judged until the policy or the mode is changed, or a restart",
                    LIMIT,
                    WINDOW.toSeconds());
        }
        return trips;
    }
}
