package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.ArrayList;
import java.util.List;

/** What the worst statement of a route does with the fields of the shard key. */
final class KeyFields {
    /**
     * A key field that the statement narrows.
     *
     * @param by {@code point} for single values, {@code range} for anything wider
     */
    record Constrained(String field, String by) {}

    private KeyFields() {}

    /** Whether the route was decided by a shard key, so that the other methods have something to say. */
    static boolean apply(Route route) {
        RoutingTable table = route.table();
        return route.kind() == Route.Kind.ROUTED
                && table != null
                && !table.collection().unsplittable();
    }

    static List<Constrained> constrained(Route route) {
        List<Constrained> constrained = new ArrayList<>();
        StatementRoute worst = route.worst();
        ShardKey key = key(route);
        for (int i = 0; i < key.size(); i++) {
            if (worst.constrains(i)) {
                boolean point = (worst.pointFields() & (1L << i)) != 0;
                constrained.add(new Constrained(key.field(i).path(), point ? "point" : "range"));
            }
        }
        return constrained;
    }

    static List<String> missing(Route route) {
        List<String> missing = new ArrayList<>();
        ShardKey key = key(route);
        for (int i = 0; i < key.size(); i++) {
            if (!route.worst().constrains(i)) {
                missing.add(key.field(i).path());
            }
        }
        return missing;
    }

    private static ShardKey key(Route route) {
        RoutingTable table = route.table();
        if (table == null) {
            throw new IllegalArgumentException("route of " + route.namespace() + ": no shard key (expected: one)");
        }
        return table.shardKey();
    }
}
