package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;

/** Where a collection lives, which decides the rules that apply to its commands (targeting semantics §1.2). */
sealed interface CollectionPlace {
    /** Begins the name of the collection that holds a time-series collection's buckets. */
    String BUCKETS = "system.buckets.";

    /** Sharded: the key decides. */
    record Sharded(RoutingTable table) implements CollectionPlace {}

    /** Not sharded: one shard, or none where the database does not exist. */
    record Single(ShardSet owner) implements CollectionPlace {}

    /** A time-series collection whose buckets are sharded. */
    record Buckets(RoutingTable table) implements CollectionPlace {}

    /** Nothing is known. */
    record Unknown() implements CollectionPlace {}

    /** The place of {@code namespace} in the catalog. */
    static CollectionPlace of(Namespace namespace, CatalogSnapshot catalog) {
        if (!catalog.complete() || catalog.unknown().contains(namespace)) {
            return new Unknown();
        }
        RoutingTable table = catalog.table(namespace);
        if (table != null) {
            return tracked(table, table.collection().timeseriesFields() != null && !isBucketNamespace(namespace));
        }
        if (!isBucketNamespace(namespace)) {
            Namespace bucketNamespace = new Namespace(namespace.database(), BUCKETS + namespace.collection());
            if (catalog.unknown().contains(bucketNamespace)) {
                return new Unknown();
            }
            RoutingTable buckets = catalog.table(bucketNamespace);
            if (buckets != null) {
                return tracked(buckets, true);
            }
        }
        return new Single(ShardSet.of(catalog.primary(namespace.database())));
    }

    private static CollectionPlace tracked(RoutingTable table, boolean buckets) {
        if (table.collection().unsplittable()) {
            return new Single(ShardSet.of(table.firstChunkShard()));
        }
        return buckets ? new Buckets(table) : new Sharded(table);
    }

    private static boolean isBucketNamespace(Namespace namespace) {
        return namespace.collection().startsWith(BUCKETS);
    }

    /** The shards that hold data of the collection. */
    default ShardSet owning() {
        if (this instanceof Sharded sharded) {
            return sharded.table().owningShards();
        } else if (this instanceof Buckets buckets) {
            return buckets.table().owningShards();
        } else if (this instanceof Single single) {
            return single.owner();
        }
        return ShardSet.none();
    }
}
