package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.audit.QueryShape;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts of what happened to cases, each with the query shapes it happened to. It knows {@link #MAX_SHAPES} shapes at most;
 * those that come later are counted and not shown.
 *
 * @param <K> what happened
 */
public final class TrialTally<K> {
    /** How many shapes are known by name. */
    public static final int MAX_SHAPES = 10_000;

    /** A query shape of a namespace, and how often it came. */
    public record Seen(String namespace, QueryShape shape, long count) {}

    /** One thing that happened. */
    public record Row<K>(K what, long count, List<Seen> shapes) {}

    private record Key(String namespace, QueryShape shape) {}

    private final Map<K, Map<Key, Long>> shapes = new LinkedHashMap<>();
    private final Map<K, Long> counts = new LinkedHashMap<>();
    private int known;

    public void add(K what, PolicyCase tried) {
        counts.merge(what, 1L, Long::sum);
        Map<Key, Long> ofWhat = shapes.computeIfAbsent(what, key -> new LinkedHashMap<>());
        Key key = new Key(tried.route().namespace().fullName(), tried.shape());
        if (ofWhat.containsKey(key) || known < MAX_SHAPES) {
            known += ofWhat.containsKey(key) ? 0 : 1;
            ofWhat.merge(key, 1L, Long::sum);
        }
    }

    public boolean isEmpty() {
        return counts.isEmpty();
    }

    /** What happened, most often first, with the {@code limit} shapes that it happened to most often. */
    public List<Row<K>> rows(int limit) {
        return counts.entrySet().stream()
                .map(entry -> new Row<>(entry.getKey(), entry.getValue(), seen(entry.getKey(), limit)))
                .sorted(Comparator.comparingLong((Row<K> row) -> row.count()).reversed())
                .toList();
    }

    private List<Seen> seen(K what, int limit) {
        return shapes.getOrDefault(what, Map.of()).entrySet().stream()
                .map(entry ->
                        new Seen(entry.getKey().namespace(), entry.getKey().shape(), entry.getValue()))
                .sorted(Comparator.comparingLong(Seen::count).reversed())
                .limit(limit)
                .toList();
    }
}
