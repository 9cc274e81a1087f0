package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.config.AuditConfig;
import io.scatterguard.proxy.config.ConfigError;
import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.SinkConfig;
import io.scatterguard.proxy.routing.RouteText;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The audit log of a running proxy: its pipeline, and the sinks as they are configured at present. */
final class LiveAudit implements LivePart {
    private static final Logger LOG = LoggerFactory.getLogger(LiveAudit.class);

    /** A sink, and the configuration it was made of. */
    private record Placed(SinkConfig config, AuditSink sink) {}

    private final String cluster;
    private final List<AuditSink> further;
    private final AuditPipeline pipeline;
    private List<Placed> placed;
    private AuditConfig current;

    private LiveAudit(ScatterguardConfig config, List<AuditSink> further) {
        this.cluster = config.cluster();
        this.current = config.audit();
        this.further = further;
        this.placed = current.sinks().stream().map(LiveAudit::placed).toList();
        this.pipeline = AuditPipeline.start(
                AuditWiring.settings(cluster, current), sinks(placed), RouteText::why, Clock.systemUTC());
    }

    /** Starts it with the configured sinks and {@code further} ones. A sink that does not work yet may do so later. */
    static LiveAudit start(ScatterguardConfig config, List<AuditSink> further) {
        LiveAudit audit = new LiveAudit(config, further);
        problems(audit.placed, List.of()).forEach(problem -> LOG.warn("audit records will be dropped: {}", problem));
        warnOfValues(config.audit());
        return audit;
    }

    AuditPipeline pipeline() {
        return pipeline;
    }

    /**
     * A sink whose configuration stays is the same object from before.
     *
     * @throws ConfigException if a sink cannot be expected to take records
     */
    @Override
    public Runnable prepare(ScatterguardConfig changed) {
        AuditConfig audit = changed.audit();
        if (audit.equals(current)) {
            return () -> {};
        }
        List<Placed> free = new ArrayList<>(placed);
        List<Placed> next = new ArrayList<>();
        for (SinkConfig config : audit.sinks()) {
            Optional<Placed> kept =
                    free.stream().filter(one -> one.config().equals(config)).findFirst();
            kept.ifPresent(free::remove);
            next.add(kept.orElseGet(() -> placed(config)));
        }
        List<ConfigError> problems = problems(next, placed);
        if (!problems.isEmpty()) {
            throw new ConfigException("of the audit log", problems);
        }
        return () -> use(audit, next);
    }

    /** What keeps sinks from taking records, but for those that are {@code inUse}. */
    private static List<ConfigError> problems(List<Placed> sinks, List<Placed> inUse) {
        List<ConfigError> problems = new ArrayList<>();
        for (int i = 0; i < sinks.size(); i++) {
            try {
                if (!inUse.contains(sinks.get(i))) {
                    sinks.get(i).sink().check();
                }
            } catch (IOException e) {
                problems.add(new ConfigError("audit.sinks[" + i + "]", 0, String.valueOf(e.getMessage())));
            }
        }
        return problems;
    }

    /** Nobody is to find that out by reading the log. */
    private static void warnOfValues(AuditConfig audit) {
        if (audit.values() == AuditConfig.Values.FULL) {
            LOG.warn(
                    "audit.values: full: every record holds the values of its command, personal data and secrets included"
                            + " (expected: shape, unless whoever reads the log may see them)");
        }
    }

    private void use(AuditConfig audit, List<Placed> next) {
        pipeline.use(AuditWiring.settings(cluster, audit), sinks(next));
        if (audit.values() != current.values()) {
            warnOfValues(audit);
        }
        LOG.info(
                "audit log changed: sinks={} record={} findings={} values={} queueCapacity={}",
                next.stream().map(one -> one.sink().name()).toList(),
                audit.record().text(),
                audit.findings().text(),
                audit.values().text(),
                audit.queueCapacity());
        placed = List.copyOf(next);
        current = audit;
    }

    private static Placed placed(SinkConfig config) {
        return new Placed(config, AuditWiring.sink(config));
    }

    private List<AuditSink> sinks(List<Placed> configured) {
        return Stream.concat(further.stream(), configured.stream().map(Placed::sink))
                .toList();
    }
}
