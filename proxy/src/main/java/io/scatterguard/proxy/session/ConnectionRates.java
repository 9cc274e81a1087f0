package io.scatterguard.proxy.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of tokens for each client address: a new connection takes one, and they come back at a fixed rate. Addresses
 * that have been quiet for as long as a bucket takes to fill are forgotten, and so are some when there are too many.
 * Thread-safe.
 */
final class ConnectionRates {
    static final int MAX_ADDRESSES = 100_000;
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private record Bucket(double tokens, long atNanos, boolean admitted) {}

    private final int perSecond;
    private final double most;
    private final LongSupplier nanoTime;
    private final Cache<InetAddress, Bucket> buckets;

    /** {@code perSecond}: 0 for no limit. */
    ConnectionRates(int perSecond, LongSupplier nanoTime) {
        this.perSecond = perSecond;
        this.most = (double) perSecond * ConnectionLimits.BURST_SECONDS;
        this.nanoTime = nanoTime;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(MAX_ADDRESSES)
                .expireAfterWrite(ConnectionLimits.BURST_SECONDS, TimeUnit.SECONDS)
                .ticker(nanoTime::getAsLong)
                .build();
    }

    /** Whether {@code address} may open another connection now, which is counted if so. */
    boolean admits(InetAddress address) {
        if (perSecond == 0) {
            return true;
        }
        Bucket after = buckets.asMap().compute(address, (key, before) -> taken(before));
        return after != null && after.admitted();
    }

    private Bucket taken(@Nullable Bucket before) {
        long now = nanoTime.getAsLong();
        double tokens = most;
        if (before != null) {
            double since = (double) Math.max(0, now - before.atNanos()) / NANOS_PER_SECOND;
            tokens = Math.min(most, before.tokens() + since * perSecond);
        }
        return tokens >= 1 ? new Bucket(tokens - 1, now, true) : new Bucket(tokens, now, false);
    }
}
