package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.AuditSettings;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.audit.AuditSettings.Values;
import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.audit.FileRotation;
import io.scatterguard.proxy.audit.OtlpSink;
import io.scatterguard.proxy.audit.RollingFileSink;
import io.scatterguard.proxy.audit.StdoutSink;
import io.scatterguard.proxy.audit.WhenFull;
import io.scatterguard.proxy.config.AuditConfig;
import io.scatterguard.proxy.config.SinkConfig;
import java.time.Clock;

/** Makes what the audit pipeline that a configuration asks for consists of. */
final class AuditWiring {
    private AuditWiring() {}

    static AuditSettings settings(String cluster, AuditConfig audit) {
        return new AuditSettings(
                cluster,
                OtlpWiring.INSTANCE,
                recording(audit.record()),
                audit.findings() == AuditConfig.Findings.EVERY ? Findings.EVERY : Findings.SAMPLED,
                audit.queueCapacity(),
                AuditSettings.DEFAULT_CLOSE_DEADLINE,
                audit.values() == AuditConfig.Values.FULL ? Values.FULL : Values.SHAPE);
    }

    /** Not opened before its first record. */
    static AuditSink sink(SinkConfig config) {
        WhenFull whenFull = config.whenFull() == SinkConfig.WhenFull.BLOCK ? WhenFull.BLOCK : WhenFull.DROP;
        if (config instanceof SinkConfig.Otlp otlp) {
            return new OtlpSink(OtlpWiring.target(otlp.collector()), whenFull, Clock.systemUTC());
        }
        if (config instanceof SinkConfig.RotatingFile file) {
            FileRotation rotation =
                    new FileRotation(file.maxBytes(), file.maxFiles() - 1, file.rotateEvery(), file.gzip());
            return new RollingFileSink(file.path(), rotation, whenFull, Clock.systemUTC());
        }
        return new StdoutSink(whenFull);
    }

    private static Recording recording(AuditConfig.Recorded recorded) {
        return switch (recorded) {
            case FINDINGS -> Recording.FINDINGS;
            case ROUTED -> Recording.ROUTED;
            case ALL -> Recording.ALL;
        };
    }
}
