package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.tls.TlsContexts;
import io.scatterguard.proxy.tracing.Traces;
import java.time.Clock;
import java.time.Instant;

/** The audit log, TLS, and the process itself. */
public final class ServiceMeters {
    private ServiceMeters() {}

    /** Binds {@code audit}, which the caller holds as long as the metrics are read. */
    public static void bindAudit(ProxyMetrics metrics, AuditPipeline audit) {
        MeterRegistry registry = metrics.registry();
        Metric.AUDIT_WAITING.gauge(registry, audit, AuditPipeline::waiting);
        Metric.AUDIT_CAPACITY.gauge(registry, audit, AuditPipeline::queueCapacity);
        Metric.AUDIT_RECORDS.counter(registry, audit, AuditPipeline::recorded, "written");
        Metric.AUDIT_RECORDS.counter(registry, audit, AuditPipeline::dropped, "dropped");
        Metric.AUDIT_SINK_ERRORS.counter(registry, audit, AuditPipeline::sinkErrors);
        Metric.INTERNAL_ERRORS.counter(registry, audit, AuditPipeline::internalErrors, "audit");
    }

    /** Binds {@code traces}, likewise. */
    public static void bindTraces(ProxyMetrics metrics, Traces traces) {
        MeterRegistry registry = metrics.registry();
        Metric.SPANS.counter(registry, traces, Traces::sent, "sent");
        Metric.SPANS.counter(registry, traces, Traces::dropped, "dropped");
        Metric.INTERNAL_ERRORS.counter(registry, traces, Traces::internalErrors, "tracing");
    }

    /** Binds the ends of our own certificates; each section of the configuration with one is a label. */
    public static void bindTls(ProxyMetrics metrics, TlsContexts tls) {
        for (String section : tls.certificateEnds().keySet()) {
            Metric.TLS_EXPIRY.gauge(metrics.registry(), tls, t -> end(t, section), section);
        }
    }

    private static double end(TlsContexts tls, String section) {
        Instant end = tls.certificateEnds().get(section);
        return end == null ? Double.NaN : end.getEpochSecond();
    }

    /** Binds when this process started, and its {@code version}. */
    public static void bindProcess(ProxyMetrics metrics, String version, Clock clock) {
        double started = clock.instant().getEpochSecond();
        Metric.START_TIME.gauge(metrics.registry(), metrics, m -> started);
        Metric.BUILD.gauge(metrics.registry(), metrics, m -> 1, version);
    }
}
