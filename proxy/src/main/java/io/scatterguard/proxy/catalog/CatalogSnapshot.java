package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's metadata at one moment: immutable, read without locks by every event loop.
 *
 * @param loadedAt when the last successful refresh ended
 * @param complete false before anything was loaded: nothing can be said of any namespace
 * @param registry the shards
 * @param primaries the ordinal of each database's primary shard; a database that is not there is unknown
 * @param tables the routing tables of the tracked collections; a namespace that is not there is unsharded
 */
public record CatalogSnapshot(
        Instant loadedAt,
        boolean complete,
        ShardRegistry registry,
        Map<String, Integer> primaries,
        Map<Namespace, RoutingTable> tables) {
    public CatalogSnapshot {
        primaries = Map.copyOf(primaries);
        tables = Map.copyOf(tables);
    }

    /** The snapshot before anything was loaded. */
    public static CatalogSnapshot empty() {
        return new CatalogSnapshot(Instant.EPOCH, false, ShardRegistry.empty(), Map.of(), Map.of());
    }

    /** The routing table of a tracked collection, null for one that is not tracked. */
    public @Nullable RoutingTable table(Namespace namespace) {
        return tables.get(namespace);
    }

    /** The ordinal of the database's primary shard, −1 if the database is unknown. */
    public int primary(String database) {
        return primaries.getOrDefault(database, -1);
    }
}
