package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.audit.SinkStatus;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * How full the queues of the audit log are. The label of a sink's queue is the sink's type, so that the series are the same
 * whatever sinks there are; several of one type are taken together.
 */
public final class QueueMeters {
    /** The types that a configuration may name. */
    static final List<String> SINK_TYPES = List.of("stdout", "file", "otlp");

    private QueueMeters() {}

    /** Binds {@code audit}, which the caller holds as long as the metrics are read. */
    public static void bind(ProxyMetrics metrics, AuditPipeline audit) {
        MeterRegistry registry = metrics.registry();
        Metric.AUDIT_PEAK.gauge(registry, audit, AuditPipeline::peakWaiting);
        for (String type : SINK_TYPES) {
            Metric.AUDIT_SINK_WAITING.gauge(
                    registry, audit, a -> each(a, type, SinkStatus::waiting).sum(), type);
            Metric.AUDIT_SINK_CAPACITY.gauge(
                    registry, audit, a -> each(a, type, SinkStatus::capacity).sum(), type);
            Metric.AUDIT_SINK_PEAK.gauge(
                    registry, audit, a -> each(a, type, SinkStatus::peak).max().orElse(0), type);
        }
    }

    private static IntStream each(AuditPipeline audit, String type, ToIntFunction<SinkStatus> figure) {
        return audit.sinks().stream().filter(sink -> sink.type().equals(type)).mapToInt(figure);
    }
}
