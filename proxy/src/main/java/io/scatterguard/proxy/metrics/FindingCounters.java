package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.scatterguard.protocol.command.Namespace;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The counters of findings: made when first needed, since namespaces and owners are not known before. Thread-safe. */
final class FindingCounters {
    /** How many there are at most with a namespace's own label; any further one counts under {@code other}. */
    static final int MAX_SERIES = 5_000;

    /** The labels of one counter. */
    private record Key(String owner, String namespace, String shape, Decision action) {}

    private final MeterRegistry registry;
    private final TopNamespaces namespaces;
    private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();

    FindingCounters(MeterRegistry registry, TopNamespaces namespaces) {
        this.registry = registry;
        this.namespaces = namespaces;
    }

    /** {@code owner} and {@code shape} must be of bounded sets. */
    Counter of(String owner, Namespace namespace, String shape, Decision action) {
        Key key = new Key(owner, namespaces.labelOf(namespace), shape, action);
        Counter known = counters.get(key);
        if (known != null) {
            return known;
        }
        return counters.size() < MAX_SERIES ? made(key) : made(new Key(owner, BoundedLabels.OTHER, shape, action));
    }

    private Counter made(Key key) {
        return counters.computeIfAbsent(
                key,
                k -> Metric.FINDINGS.counter(
                        registry,
                        k.owner(),
                        k.namespace(),
                        k.shape(),
                        k.action().text()));
    }
}
