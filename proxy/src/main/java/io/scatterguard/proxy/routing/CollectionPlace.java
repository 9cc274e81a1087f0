package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.CollectionInfo;
import io.scatterguard.proxy.catalog.ResolvedView;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import org.jspecify.annotations.Nullable;

/** Where a collection lives, which decides the rules that apply to its commands (targeting semantics §1.2). */
sealed interface CollectionPlace {
    /** Sharded: the key decides. */
    record Sharded(RoutingTable table) implements CollectionPlace {}

    /** Not sharded: one shard, or none where the database does not exist. */
    record Single(ShardSet owner) implements CollectionPlace {}

    /** A time-series collection whose buckets are sharded. */
    record Buckets(RoutingTable table) implements CollectionPlace {}

    /** A view, asked for at the database's primary first. */
    record View(ResolvedView view, ShardSet primary) implements CollectionPlace {}

    /** Nothing is known. */
    record Unknown() implements CollectionPlace {}

    /** The place of {@code namespace} in the catalog. */
    static CollectionPlace of(Namespace namespace, CatalogSnapshot catalog) {
        if (catalog.unknown().contains(namespace)) {
            return new Unknown();
        }
        RoutingTable table = catalog.table(namespace);
        if (table != null) {
            return tracked(table, table.collection().timeseriesFields() != null && !isBucketNamespace(namespace));
        }
        if (catalog.tracked().containsKey(namespace)) {
            return new Unknown();
        }
        if (!isBucketNamespace(namespace)) {
            Namespace bucketNamespace =
                    new Namespace(namespace.database(), CollectionInfo.BUCKETS + namespace.collection());
            RoutingTable buckets = catalog.table(bucketNamespace);
            if (buckets != null) {
                return tracked(buckets, true);
            }
            if (catalog.complete() && catalog.isUnknown(bucketNamespace)) {
                return new Unknown();
            }
        }
        return untracked(namespace, catalog);
    }

    /**
     * The place of a namespace that a command goes on to. No command waits for the metadata of such, but they are noted as in
     * use: what is not loaded is then loaded soon, and what is loaded is kept up to date.
     */
    static CollectionPlace ofForeign(Namespace namespace, CatalogSnapshot catalog) {
        catalog.noteUse(namespace);
        return of(namespace, catalog);
    }

    private static CollectionPlace untracked(Namespace namespace, CatalogSnapshot catalog) {
        int primary = catalog.primary(namespace.database());
        ResolvedView view = catalog.view(namespace);
        boolean found =
                catalog.complete() ? primary >= 0 || !catalog.isUnknownDatabase(namespace.database()) : view != null;
        if (!found) {
            return new Unknown();
        }
        return view == null ? new Single(ShardSet.of(primary)) : new View(view, ShardSet.of(primary));
    }

    private static CollectionPlace tracked(RoutingTable table, boolean buckets) {
        if (table.collection().unsplittable()) {
            return new Single(ShardSet.of(table.firstChunkShard()));
        }
        return buckets ? new Buckets(table) : new Sharded(table);
    }

    private static boolean isBucketNamespace(Namespace namespace) {
        return namespace.collection().startsWith(CollectionInfo.BUCKETS);
    }

    /** The shards that hold data of the collection; of a view the one that is asked first. */
    default ShardSet owning() {
        if (this instanceof Sharded sharded) {
            return sharded.table().owningShards();
        } else if (this instanceof Buckets buckets) {
            return buckets.table().owningShards();
        } else if (this instanceof Single single) {
            return single.owner();
        } else if (this instanceof View view) {
            return view.primary();
        }
        return ShardSet.none();
    }

    /** The table that decides about its documents or its buckets; null where no key decides. */
    default @Nullable RoutingTable table() {
        if (this instanceof Sharded sharded) {
            return sharded.table();
        }
        return this instanceof Buckets buckets ? buckets.table() : null;
    }

    /** Whether the router takes it for a collection on one shard. */
    default boolean isOnOneShard() {
        return this instanceof Single || this instanceof View;
    }
}
