package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.RoutingTable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** What there is of metadata, and how reading it goes. */
public final class CatalogMeters {
    private static final double MILLIS_PER_SECOND = 1e3;

    private CatalogMeters() {}

    /** Binds {@code catalog}, which the caller holds as long as the metrics are read. */
    public static void bind(ProxyMetrics metrics, CatalogRefresher catalog, Clock clock) {
        MeterRegistry registry = metrics.registry();
        Instant started = clock.instant();
        Metric.CATALOG_READY.gauge(registry, catalog, c -> c.current().complete() ? 1 : 0);
        Metric.CATALOG_AGE.gauge(registry, catalog, c -> seconds(age(c, started, clock.instant())));
        Metric.CATALOG_REFRESHES.counter(registry, catalog, c -> c.status().refreshes(), "ok");
        Metric.CATALOG_REFRESHES.counter(registry, catalog, c -> c.status().failures(), "failed");
        Metric.CATALOG_FAILED_LOOKS.counter(registry, catalog, c -> c.status().failedLooks());
        Metric.CATALOG_PROBLEMS.gauge(
                registry, catalog, c -> c.status().problems().size());
        Metric.CATALOG_QUERIES.counter(
                registry, catalog, c -> c.status().counters().queries());
        Metric.CATALOG_CHUNKS_READ.counter(
                registry, catalog, c -> c.status().counters().chunksRead());
        Metric.CATALOG_COLLECTIONS.gauge(
                registry, catalog, c -> c.current().tables().size(), "loaded");
        Metric.CATALOG_COLLECTIONS.gauge(
                registry, catalog, c -> c.current().tracked().size(), "tracked");
        Metric.CATALOG_COLLECTIONS.gauge(
                registry, catalog, c -> c.current().unknown().size(), "unknown");
        Metric.CATALOG_CHUNKS.gauge(registry, catalog, CatalogMeters::chunks);
    }

    /** Before anything was read, since the start: an alert on old metadata must not be silent then. */
    static Duration age(CatalogRefresher catalog, Instant started, Instant now) {
        return catalog.current().complete() ? catalog.age(now) : Duration.between(started, now);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS_PER_SECOND;
    }

    private static double chunks(CatalogRefresher catalog) {
        long chunks = 0;
        for (RoutingTable table : catalog.current().tables().values()) {
            chunks += table.chunkCount();
        }
        return chunks;
    }
}
