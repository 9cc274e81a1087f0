package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.CommandJudge;
import io.scatterguard.proxy.session.SessionCounters;

/** What is counted of connections and requests. */
public final class ConnectionMeters {
    private ConnectionMeters() {}

    /** Binds {@code counters} and {@code budget}, which the caller holds as long as the metrics are read. */
    public static void bind(ProxyMetrics metrics, SessionCounters counters, RequestBudget budget) {
        MeterRegistry registry = metrics.registry();
        states(registry, counters);
        Metric.ACCEPTED.counter(registry, counters, SessionCounters::acceptedConnections);
        Metric.ACCEPT_FAILURES.counter(registry, counters, SessionCounters::failedAccepts);
        for (CloseCause cause : CloseCause.values()) {
            Metric.CLOSES.counter(registry, counters, c -> c.closes(cause), cause.text());
        }
        for (OpCode opCode : OpCode.values()) {
            String name = opCode == OpCode.UNKNOWN ? "unknown" : opCode.name();
            Metric.REQUESTS.counter(registry, counters, c -> c.requests(opCode), name);
        }
        Metric.FORWARDED.counter(registry, counters, SessionCounters::forwardedRequests);
        Metric.REFUSED.counter(registry, counters, SessionCounters::refusedCommands);
        Metric.WOULD_REFUSE.counter(registry, counters, SessionCounters::wouldRefuseCommands);
        Metric.WOULD_FAIL.counter(registry, counters, SessionCounters::wouldFailCommands);
        Metric.MALFORMED.counter(registry, counters, SessionCounters::malformedRequests);
        Metric.METADATA_WAITS.counter(registry, counters, c -> c.metadataWaits() - c.metadataMisses(), "loaded");
        Metric.METADATA_WAITS.counter(registry, counters, SessionCounters::metadataMisses, "missed");
        Metric.INTERNAL_ERRORS.counter(registry, counters, SessionCounters::internalErrorCount, "judging");
        Metric.REQUEST_BUFFER_USED.gauge(registry, budget, RequestBudget::reservedBytes);
        Metric.REQUEST_BUFFER_LIMIT.gauge(registry, budget, RequestBudget::capacityBytes);
        Metric.REQUEST_BUFFER_WAITING.gauge(registry, budget, RequestBudget::waiting);
    }

    /** The three are read one after the other while they change: what is left over is never shown as less than nothing. */
    private static void states(MeterRegistry registry, SessionCounters counters) {
        Metric.CONNECTIONS.gauge(
                registry,
                counters,
                c -> Math.max(0, c.openConnections() - c.connectingConnections() - c.connectedConnections()),
                "idle");
        Metric.CONNECTIONS.gauge(registry, counters, SessionCounters::connectingConnections, "connecting");
        Metric.CONNECTIONS.gauge(registry, counters, SessionCounters::connectedConnections, "connected");
    }

    /** Binds what is particular to one listener, by its configured address. */
    public static void bindListener(ProxyMetrics metrics, String listener, CommandJudge judge) {
        Metric.BYPASSED.gauge(metrics.registry(), judge, j -> j.isBypassed() ? 1 : 0, listener);
    }
}
