package io.scatterguard.proxy.summary;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums by name. Names beyond {@link #MAX_NAMES} are added up together. Not thread-safe. */
final class Breakdown {
    /** How many names are told apart. */
    static final int MAX_NAMES = 10_000;

    /** What is longer is cut: names come from outside. */
    static final int MAX_NAME_CHARS = 256;

    private final Map<String, Sums> byName = new HashMap<>();
    private Sums beyond = Sums.NONE;
    private Sums unnamed = Sums.NONE;

    /** @param name empty for none */
    void add(String name, Sums sums) {
        if (sums.isNothing()) {
            return;
        }
        String key = cut(name);
        if (key.isEmpty()) {
            unnamed = unnamed.plus(sums);
        } else if (byName.containsKey(key) || byName.size() < MAX_NAMES) {
            byName.merge(key, sums, Sums::plus);
        } else {
            beyond = beyond.plus(sums);
        }
    }

    /** Those of whatever names. */
    void addOther(Sums sums) {
        beyond = beyond.plus(sums);
    }

    static String cut(String name) {
        return name.length() <= MAX_NAME_CHARS ? name : name.substring(0, MAX_NAME_CHARS - 1) + "…";
    }

    /** The first {@code top} by {@code order}, then by name. */
    Ranking ranking(int top, Comparator<Sums> order) {
        List<Ranking.Row> all = byName.entrySet().stream()
                .map(entry -> new Ranking.Row(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(Ranking.Row::sums, order).thenComparing(Ranking.Row::name))
                .toList();
        List<Ranking.Row> rows = all.subList(0, Math.min(top, all.size()));
        Sums other = all.stream().skip(top).map(Ranking.Row::sums).reduce(beyond, Sums::plus);
        return new Ranking(rows, all.size() - rows.size(), other, unnamed);
    }
}
