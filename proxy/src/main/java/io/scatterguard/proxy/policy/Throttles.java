package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.RateConfig;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of its rate each rule has left for each query shape: a token bucket each, which begins full and holds what one
 * period brings. The table is bounded; where it is full, the bucket that was not asked for longest goes, and begins full again
 * if it is needed once more. Safe to use from all event loops; nothing here waits for time to pass.
 */
public final class Throttles {
    /** How many buckets there are at most; one takes some 200 bytes. */
    public static final int MAX_BUCKETS = 10_000;

    private static final int STRIPES = 16;
    private static final double NANOS = 1e9;

    /** How much earlier than the latest a time is at most that was read by a thread which comes late. */
    private static final long LATENESS_NANOS = 1_000_000_000L;

    private record Key(String rule, String shape) {}

    private static final class Bucket {
        private double tokens;
        private long updatedNanos;

        Bucket(double tokens, long updatedNanos) {
            this.tokens = tokens;
            this.updatedNanos = updatedNanos;
        }

        /** Whether there is a token now, after what has come since the last time. */
        boolean refilled(RateConfig rate, long nowNanos) {
            long elapsed = nowNanos - updatedNanos;
            // Threads read the clock before they come here, each at its time: whoever comes late must not turn the
            // bucket's
            // time back, or the next one is credited once more with what was credited already. A clock that was set
            // back,
            // though, must not stop the refilling until it has caught up.
            if (elapsed > 0 || elapsed < -LATENESS_NANOS) {
                updatedNanos = nowNanos;
            }
            tokens = Math.min(rate.permits(), tokens + Math.max(0, elapsed) / NANOS * rate.perSecond());
            return tokens >= 1;
        }

        boolean take(RateConfig rate, long nowNanos) {
            boolean left = refilled(rate, nowNanos);
            if (left) {
                tokens--;
            }
            return left;
        }
    }

    private static final class Stripe extends LinkedHashMap<Key, Bucket> {
        private static final long serialVersionUID = 1L;

        private final int capacity;

        Stripe(int capacity) {
            super(16, 0.75f, true);
            this.capacity = capacity;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Bucket> eldest) {
            return size() > capacity;
        }
    }

    private final Stripe[] stripes;

    /** With room for {@link #MAX_BUCKETS} buckets. */
    public Throttles() {
        this(MAX_BUCKETS);
    }

    /** @param maxBuckets rounded down to a multiple of 16; 0 for a table in which everything is above its rate */
    Throttles(int maxBuckets) {
        this.stripes = new Stripe[STRIPES];
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(maxBuckets / STRIPES);
        }
    }

    /** One that takes everything to be above its rate, for asking what a policy could do at most. */
    public static Throttles exhausted() {
        return new Throttles(0);
    }

    /**
     * Whether one more command is within the rate, and if so takes it from what is left.
     *
     * @param rule the rule's name; the default's is empty
     * @param shape hash of the command's shape
     */
    boolean admits(String rule, String shape, RateConfig rate, Instant now) {
        Key key = new Key(rule, shape);
        Stripe stripe = stripe(key);
        if (stripe.capacity == 0) {
            return false;
        }
        long nanos = nanos(now);
        synchronized (stripe) {
            Bucket bucket = stripe.get(key);
            if (bucket == null) {
                bucket = new Bucket(rate.permits(), nanos);
                stripe.put(key, bucket);
            }
            return bucket.take(rate, nanos);
        }
    }

    /** What {@link #admits} would say; nothing is taken, and no bucket made. */
    boolean wouldAdmit(String rule, String shape, RateConfig rate, Instant now) {
        Key key = new Key(rule, shape);
        Stripe stripe = stripe(key);
        synchronized (stripe) {
            Bucket bucket = stripe.get(key);
            return bucket == null ? stripe.capacity > 0 : bucket.refilled(rate, nanos(now));
        }
    }

    private Stripe stripe(Key key) {
        int hash = key.hashCode();
        return stripes[(hash ^ (hash >>> 16)) & (STRIPES - 1)];
    }

    private static long nanos(Instant now) {
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /** How many buckets there are. */
    public int size() {
        int size = 0;
        for (Stripe stripe : stripes) {
            synchronized (stripe) {
                size += stripe.size();
            }
        }
        return size;
    }
}
