package io.scatterguard.proxy.session;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Says in the log why connections are closed, where a limit or an error did that: at most one line a second for each cause,
 * with how many there were since the line before. A flood of clients must not become a flood of lines. Thread-safe.
 */
public final class CloseLog {
    private static final Logger LOG = LoggerFactory.getLogger(CloseLog.class);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<CloseCause, Line> lines = new EnumMap<>(CloseCause.class);
    private final Map<CloseCause, Line> errors = new EnumMap<>(CloseCause.class);
    private final LongSupplier nanoTime;

    /** {@code nanoTime}: in nanoseconds. */
    public CloseLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        for (CloseCause cause : CloseCause.values()) {
            errors.put(cause, new Line());
            if (cause.limit() != null) {
                lines.put(cause, new Line());
            }
        }
    }

    /** A connection of {@code client} is closed for {@code cause}; says so if that is a limit's and it is time. */
    public void note(CloseCause cause, String client) {
        Line line = lines.get(cause);
        if (line != null) {
            long count = line.count(nanoTime.getAsLong());
            if (count > 0) {
                LOG.warn(
                        "connections closed: cause={} count={} lastClient={} see={}",
                        cause.text(),
                        count,
                        client,
                        cause.limit());
            }
        }
    }

    /** A connection of {@code client} is closed because of {@code error}; says so if it is time. */
    public void explain(Level level, CloseCause cause, String client, String error) {
        Line line = errors.get(cause);
        long count = line == null ? 0 : line.count(nanoTime.getAsLong());
        if (count > 0) {
            String advice = cause.advice();
            LOG.atLevel(level)
                    .log(
                            "connection closed: cause={} client={} error={} count={}{}",
                            cause.text(),
                            client,
                            error,
                            count,
                            advice == null ? "" : " advice=\"" + advice + "\"");
        }
    }

    /** What one cause has to say. */
    private static final class Line {
        private final LongAdder since = new LongAdder();
        private final AtomicBoolean began = new AtomicBoolean();
        private final AtomicLong lastNanos = new AtomicLong();

        /** Counts one more; returns how many a line has to name now, 0 if it is too early for one. */
        long count(long now) {
            since.increment();
            if (began.compareAndSet(false, true)) {
                lastNanos.set(now);
                return since.sumThenReset();
            }
            long last = lastNanos.get();
            boolean due = now - last >= PERIOD_NANOS && lastNanos.compareAndSet(last, now);
            return due ? since.sumThenReset() : 0;
        }
    }
}
