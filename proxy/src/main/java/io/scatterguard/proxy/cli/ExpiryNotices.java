package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.policy.CompiledPolicy;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log which exemptions and rules are about to expire, and which have: at the start, after every edit, and when a day
 * begins in UTC. On a daemon thread of its own.
 */
final class ExpiryNotices implements LivePart, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiryNotices.class);

    /** How long after midnight it is said at the latest. */
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final Supplier<CompiledPolicy> current;
    private final Clock clock;
    private final Thread thread = new Thread(this::run, "scatterguard-expiry");
    private @Nullable LocalDate said;

    /** {@code current} gives the policy that is in force. */
    ExpiryNotices(Supplier<CompiledPolicy> current, Clock clock) {
        this.current = current;
        this.clock = clock;
        thread.setDaemon(true);
    }

    void start() {
        look();
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(PERIOD.toMillis());
                look();
            }
        } catch (InterruptedException e) {
            LOG.debug("expiries are not announced any more");
        }
    }

    /** One look: says it if it was not said today. */
    synchronized void look() {
        if (!today().equals(said)) {
            announce();
        }
    }

    private synchronized void announce() {
        said = today();
        current.get().notices(said).forEach(LOG::warn);
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    @Override
    public Runnable prepare(ScatterguardConfig changed) {
        return this::announce;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
