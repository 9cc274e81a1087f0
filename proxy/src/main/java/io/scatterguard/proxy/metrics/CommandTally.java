package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.scatterguard.proxy.session.CommandMeter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The meters of commands that are alike.
 *
 * @param host counts them as servers do; null where servers do not
 * @param shardSeconds of their owner
 * @param common what is measured of all commands
 */
record CommandTally(Counter commands, @Nullable Counter host, Timer serverTime, Counter shardSeconds, Common common)
        implements CommandMeter.Tally {
    private static final double NANOS_PER_SECOND = 1e9;

    /** What is measured of all commands together. */
    @FunctionalInterface
    interface Common {
        void measured(long proxyNanos, long requestBytes, long replyBytes);
    }

    @Override
    public void ended(int shards, long proxyNanos, long serverNanos, long requestBytes, long replyBytes) {
        commands.increment();
        if (host != null) {
            host.increment();
        }
        if (serverNanos != CommandMeter.NO_SERVER) {
            serverTime.record(serverNanos, TimeUnit.NANOSECONDS);
            shardSeconds.increment(Math.max(0, serverNanos) / NANOS_PER_SECOND * shards);
        }
        common.measured(proxyNanos, requestBytes, replyBytes);
    }
}
