package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.audit.AuditSettings;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.audit.FileRotation;
import io.scatterguard.proxy.audit.OtlpSink;
import io.scatterguard.proxy.audit.RollingFileSink;
import io.scatterguard.proxy.audit.StdoutSink;
import io.scatterguard.proxy.audit.WhenFull;
import io.scatterguard.proxy.config.AuditConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.SinkConfig;
import io.scatterguard.proxy.routing.RouteText;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Makes the audit pipeline that a configuration asks for. */
final class AuditWiring {
    private AuditWiring() {}

    /** Starts it with the configured sinks and {@code further} ones. */
    static AuditPipeline start(ScatterguardConfig config, List<AuditSink> further) {
        AuditConfig audit = config.audit();
        List<AuditSink> sinks = new ArrayList<>(further);
        audit.sinks().forEach(sink -> sinks.add(sink(sink)));
        AuditSettings settings = new AuditSettings(
                config.cluster(),
                OtlpWiring.instance(),
                recording(audit.record()),
                audit.findings() == AuditConfig.Findings.EVERY ? Findings.EVERY : Findings.SAMPLED,
                audit.queueCapacity(),
                AuditSettings.DEFAULT_CLOSE_DEADLINE);
        return AuditPipeline.start(settings, sinks, RouteText::why, Clock.systemUTC());
    }

    private static AuditSink sink(SinkConfig config) {
        WhenFull whenFull = config.whenFull() == SinkConfig.WhenFull.BLOCK ? WhenFull.BLOCK : WhenFull.DROP;
        if (config instanceof SinkConfig.Otlp otlp) {
            return new OtlpSink(OtlpWiring.target(otlp.collector()), whenFull, Clock.systemUTC());
        }
        if (config instanceof SinkConfig.RotatingFile file) {
            FileRotation rotation =
                    new FileRotation(file.maxBytes(), file.maxFiles() - 1, file.rotateEvery(), file.gzip());
            return new RollingFileSink(file.path(), rotation, whenFull, Clock.systemUTC());
        }
        return new StdoutSink(System.out, whenFull);
    }

    private static Recording recording(AuditConfig.Recorded recorded) {
        return switch (recorded) {
            case FINDINGS -> Recording.FINDINGS;
            case ROUTED -> Recording.ROUTED;
            case ALL -> Recording.ALL;
        };
    }
}
