package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.ExemptionState;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** What is in force. */
public final class PolicyMeters {
    private PolicyMeters() {}

    /** Binds the policy that {@code current} gives at the time of asking. */
    public static void bind(ProxyMetrics metrics, Supplier<CompiledPolicy> current, Clock clock) {
        MeterRegistry registry = metrics.registry();
        Metric.POLICY_VERSION.gauge(registry, current, policy -> policy.get().version());
        for (ExemptionState state : ExemptionState.values()) {
            Metric.EXEMPTIONS.gauge(registry, current, policy -> count(policy.get(), state, clock), state.text());
        }
    }

    /** What has become of edits of the configuration while the proxy runs. */
    public interface Edits {
        /** How many were applied. */
        long applied();

        /** How many were wrong. */
        long refused();

        /** Whether the last one was. */
        boolean lastRefused();
    }

    /** Binds {@code edits}, which the caller holds as long as the metrics are read. */
    public static void bindEdits(ProxyMetrics metrics, Edits edits) {
        MeterRegistry registry = metrics.registry();
        Metric.EDITS.counter(registry, edits, Edits::applied, "applied");
        Metric.EDITS.counter(registry, edits, Edits::refused, "refused");
        Metric.EDIT_REFUSED.gauge(registry, edits, e -> e.lastRefused() ? 1 : 0);
    }

    private static long count(CompiledPolicy policy, ExemptionState state, Clock clock) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        return policy.config().exemptions().stream()
                .filter(exemption -> ExemptionState.of(exemption.until(), today) == state)
                .count();
    }
}
