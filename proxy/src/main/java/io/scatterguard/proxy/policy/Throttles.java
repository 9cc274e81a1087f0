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

    private record Key(String rule, String shape) {}

    private static final class Bucket {
        private double tokens;
        private long updatedNanos;

        Bucket(double tokens, long updatedNanos) {
            this.tokens = tokens;
            this.updatedNanos = updatedNanos;
        }

        boolean take(RateConfig rate, long nowNanos) {
            // A clock that was set back must not stop the refilling until it has caught up.
            long elapsed = Math.max(0, nowNanos - updatedNanos);
            updatedNanos = nowNanos;
            tokens = Math.min(rate.permits(), tokens + elapsed / NANOS * rate.perSecond());
            if (tokens < 1) {
                return false;
            }
            tokens--;
            return true;
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
        int hash = key.hashCode();
        Stripe stripe = stripes[(hash ^ (hash >>> 16)) & (STRIPES - 1)];
        if (stripe.capacity == 0) {
            return false;
        }
        long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        synchronized (stripe) {
            Bucket bucket = stripe.get(key);
            if (bucket == null) {
                bucket = new Bucket(rate.permits(), nanos);
                stripe.put(key, bucket);
            }
            return bucket.take(rate, nanos);
        }
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
