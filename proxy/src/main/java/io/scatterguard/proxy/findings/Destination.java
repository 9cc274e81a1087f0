package io.scatterguard.proxy.findings;

import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a {@link Route}: labels by their names in records, and counts; not the routing table.
 *
 * @param placement null where it is not known, and for a command that is not routed
 * @param shape of the worst statement; null where there is none
 * @param reach how many shards
 * @param missing the fields of the shard key that the worst statement leaves open
 */
public record Destination(
        @Nullable String placement,
        @Nullable String shape,
        String certainty,
        boolean intrinsic,
        Reach reach,
        List<String> missing) {
    /** How many fields are listed; a key has at most 32. */
    private static final int MAX_MISSING = 32;

    /**
     * How many shards.
     *
     * @param shards predicted; -1 where that is not known
     * @param working those and the ones contacted besides, each of which works on it; 0 where that is not known
     */
    public record Reach(int shards, int working) {
        static final Reach UNKNOWN = new Reach(-1, 0);
    }

    public Destination {
        missing = List.copyOf(missing);
    }

    public static Destination of(Route route) {
        boolean placed = route.kind() != Route.Kind.NOT_ROUTED && route.isPlaced();
        Shape shape = route.shape();
        return new Destination(
                placed ? route.placement().text() : null,
                shape == null ? null : shape.text(),
                route.certainty().text(),
                route.isIntrinsic(),
                placed
                        ? new Reach(
                                route.shards().size(),
                                route.shards().union(route.contacted()).size())
                        : Reach.UNKNOWN,
                missing(route));
    }

    private static List<String> missing(Route route) {
        RoutingTable table = route.table();
        if (table == null || route.isIntrinsic() || table.collection().unsplittable()) {
            return List.of();
        }
        ShardKey key = table.shardKey();
        List<String> missing = new ArrayList<>(Math.min(key.size(), MAX_MISSING));
        for (int i = 0; i < Math.min(key.size(), MAX_MISSING); i++) {
            if (!route.worst().constrains(i)) {
                missing.add(key.field(i).path());
            }
        }
        return missing;
    }
}
