package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.ArrayList;
import java.util.List;

/** What a statement does with the fields of a shard key. */
final class KeyFields {
    /**
     * A key field that the statement narrows.
     *
     * @param by {@code point} for single values, {@code range} for anything wider
     */
    record Constrained(String field, String by) {}

    private KeyFields() {}

    static List<Constrained> constrained(ShardKey key, StatementRoute statement) {
        List<Constrained> constrained = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            if (statement.constrains(i)) {
                boolean point = (statement.pointFields() & (1L << i)) != 0;
                constrained.add(new Constrained(key.field(i).path(), point ? "point" : "range"));
            }
        }
        return constrained;
    }

    static List<String> missing(ShardKey key, StatementRoute statement) {
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            if (!statement.constrains(i)) {
                missing.add(key.field(i).path());
            }
        }
        return missing;
    }
}
