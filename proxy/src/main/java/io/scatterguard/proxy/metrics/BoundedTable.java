package io.scatterguard.proxy.metrics;

import java.util.function.ToDoubleFunction;

/** The tables whose entries clients make, by what they send: each has a bound, and shows how full it is. */
public enum BoundedTable {
    /** Shapes and applications that sampled findings are counted by. */
    SAMPLED_FINDINGS("sampledFindings"),
    /** Rates of throttles, by rule and query shape. */
    THROTTLES("throttles"),
    /** Sessions of which a refused transaction is remembered, at all listeners. */
    REFUSED_TRANSACTIONS("refusedTransactions");

    private final String text;

    BoundedTable(String text) {
        this.text = text;
    }

    /** The value of the label. */
    public String text() {
        return text;
    }

    /** Binds {@code source}, which the caller holds as long as the metrics are read. */
    public <T> void bind(ProxyMetrics metrics, T source, ToDoubleFunction<T> entries, ToDoubleFunction<T> capacity) {
        Metric.TABLE_ENTRIES.gauge(metrics.registry(), source, entries, text);
        Metric.TABLE_CAPACITY.gauge(metrics.registry(), source, capacity, text);
    }
}
