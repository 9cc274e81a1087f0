package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.config.MetricsPushConfig;
import io.scatterguard.proxy.config.OtlpEndpoint;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.TracingConfig;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.metrics.ServiceMeters;
import io.scatterguard.proxy.otlp.OtlpTarget;
import io.scatterguard.proxy.tracing.Traces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes what a configuration wants to be sent to OpenTelemetry collectors. */
final class OtlpWiring {
    /** This process among those of the cluster: the host's name and the process's number; the same for all its life. */
    static final String INSTANCE = instance();

    private OtlpWiring() {}

    static OtlpTarget target(OtlpEndpoint endpoint) {
        Map<String, String> headers = new LinkedHashMap<>();
        endpoint.headers()
                .forEach(header -> headers.put(header.name(), header.value().reveal()));
        return new OtlpTarget(endpoint.uri(), headers, "scatterguard", INSTANCE);
    }

    private static String instance() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown";
        }
        return host + "/" + ProcessHandle.current().pid();
    }

    /** Starts the spans, which go on to {@code audit}, and their meters; null if none are to be made. */
    static @Nullable Traces traces(ScatterguardConfig config, AuditPipeline audit, ProxyMetrics metrics) {
        TracingConfig tracing = config.observation().tracing();
        if (tracing == null) {
            return null;
        }
        Traces traces = Traces.start(
                audit, target(tracing.collector()), config.cluster(), tracing.queueCapacity(), Clock.systemUTC());
        ServiceMeters.bindTraces(metrics, traces);
        return traces;
    }

    /** Starts to send metrics, until these are closed, if that is configured. */
    static void push(ScatterguardConfig config, ProxyMetrics metrics) {
        MetricsPushConfig push = config.observation().push();
        if (push != null) {
            metrics.pushTo(target(push.collector()), push.every(), Clock.systemUTC());
        }
    }
}
