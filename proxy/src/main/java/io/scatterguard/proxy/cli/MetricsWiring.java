package io.scatterguard.proxy.cli;

import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.metrics.CatalogMeters;
import io.scatterguard.proxy.metrics.ConnectionMeters;
import io.scatterguard.proxy.metrics.PolicyMeters;
import io.scatterguard.proxy.metrics.ProcessMeters;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.metrics.QueueMeters;
import io.scatterguard.proxy.metrics.ServiceMeters;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.proxy.tls.TlsContexts;
import java.time.Clock;
import java.util.function.Supplier;

/** Makes the metrics that a configuration asks for, and binds the parts of a runtime to them. */
final class MetricsWiring {
    private MetricsWiring() {}

    static ProxyMetrics create(ScatterguardConfig config, LivePolicy policy) {
        return new ProxyMetrics(
                config.cluster(),
                config.observation().topNamespaces(),
                (route, client) -> policy.current().owners().of(route, client));
    }

    /** Binds what is there from the start. */
    static void bind(
            ProxyMetrics metrics,
            SessionCounters counters,
            RequestBudget budget,
            CatalogRefresher catalog,
            AuditPipeline audit,
            TlsContexts tls) {
        ConnectionMeters.bind(metrics, counters, budget);
        CatalogMeters.bind(metrics, catalog, Clock.systemUTC());
        ServiceMeters.bindAudit(metrics, audit);
        QueueMeters.bind(metrics, audit);
        ServiceMeters.bindTls(metrics, tls);
        ServiceMeters.bindProcess(metrics, Main.Version.text(), Clock.systemUTC());
    }

    /** Binds what takes memory: the tables that clients fill, and the process. */
    static void bindMemory(ProxyMetrics metrics, ClientTables tables, ByteBufAllocator allocator) {
        tables.bind(metrics);
        ProcessMeters.bind(metrics, allocator);
    }

    /** Binds the policy that {@code current} gives whenever somebody asks. */
    static void bindPolicy(ProxyMetrics metrics, Supplier<CompiledPolicy> current) {
        PolicyMeters.bind(metrics, current, Clock.systemUTC());
    }
}
