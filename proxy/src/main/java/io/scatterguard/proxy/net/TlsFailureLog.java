package io.scatterguard.proxy.net;

import io.scatterguard.proxy.session.CloseCause;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log lines about handshakes that failed: one a second a cause at most, with a count of those that got none. Thread-safe. */
final class TlsFailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFailureLog.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private final Map<CloseCause, Line> lines = new EnumMap<>(CloseCause.class);

    /** When a line of a cause was last written, and how many were not since. */
    private static final class Line {
        private long writtenAt;
        private int leftOut;
    }

    TlsFailureLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void warn(CloseCause cause, @Nullable SocketAddress client, String reason) {
        int leftOut = due(cause);
        if (leftOut >= 0) {
            LOG.warn(
                    "client closed: cause={} client={} error={} hint={} leftOut={}",
                    cause.text(),
                    client,
                    reason,
                    hint(cause),
                    leftOut);
        }
    }

    /** How many lines were left out before this one; -1 if this one is to be left out too. */
    synchronized int due(CloseCause cause) {
        long now = nanoTime.getAsLong();
        Line line = lines.get(cause);
        if (line == null) {
            line = new Line();
            line.writtenAt = now - INTERVAL_NANOS;
            lines.put(cause, line);
        }
        if (now - line.writtenAt < INTERVAL_NANOS) {
            line.leftOut++;
            return -1;
        }
        int leftOut = line.leftOut;
        line.leftOut = 0;
        line.writtenAt = now;
        return leftOut;
    }

    private static String hint(CloseCause cause) {
        if (cause == CloseCause.PLAINTEXT_ON_TLS_PORT) {
            return "\"this listener speaks TLS: tls=true belongs into the client's connection string\"";
        } else if (cause == CloseCause.TLS_ON_PLAINTEXT_PORT) {
            return "\"this listener does not speak TLS: configure listeners[].tls, or leave tls=true out of the"
                    + " client's connection string\"";
        }
        return "\"see docs/tls.md\"";
    }
}
