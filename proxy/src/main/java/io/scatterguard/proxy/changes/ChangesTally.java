package io.scatterguard.proxy.changes;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds compared commands up by their shapes. What is kept grows with the number of shapes, up to {@link #MAX_SHAPES} changes and
 * as many shapes that do not change, not with the number of commands. Not thread-safe.
 */
public final class ChangesTally {
    /** Further ones are counted together. */
    public static final int MAX_SHAPES = 100_000;

    private final Set<String> known;
    private final Map<Compared.Row, ChangeRow> rows = new HashMap<>();
    private final Set<String> unchanged = new HashSet<>();
    private long commands;
    private long changed;
    private long beyond;

    /** @param known the ids that are in the baseline */
    public ChangesTally(Set<String> known) {
        this.known = Set.copyOf(known);
    }

    public void add(Compared one) {
        commands += one.continued() ? 0 : 1;
        if (one.change() == Change.UNCHANGED) {
            if (unchanged.size() < MAX_SHAPES) {
                unchanged.add(one.subject().id());
            }
            return;
        }
        changed += one.continued() ? 0 : 1;
        ChangeRow row = rows.get(one.row());
        if (row == null) {
            if (rows.size() >= MAX_SHAPES) {
                beyond++;
                return;
            }
            row = new ChangeRow(one);
            rows.put(one.row(), row);
        }
        row.add(one);
    }

    /**
     * What there is so far.
     *
     * @param before the one side, for people
     * @param after the other one
     */
    public Changes changes(String before, String after) {
        List<Changes.Row> listed = rows.values().stream()
                .map(row -> row.row(known.contains(row.id())))
                .sorted(Changes.ORDER)
                .toList();
        Set<String> same = new HashSet<>(unchanged);
        listed.forEach(row -> same.remove(row.subject().id()));
        return new Changes(before, after, listed, new Changes.Totals(commands, changed, same.size(), beyond));
    }
}
