package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's metadata at one moment: immutable, read without locks by every event loop.
 *
 * @param loadedAt when the last successful refresh ended
 * @param complete false before anything was loaded: nothing can be said of any namespace
 * @param registry the shards
 * @param primaries the ordinal of each database's primary shard; a database that is not there is unknown,
 *     unless {@link #ANY_DATABASE} has one, which then stands for all of them
 * @param tables the routing tables of the tracked collections; a namespace that is neither there nor unknown is unsharded
 * @param unknown tracked collections and views whose metadata could not be understood and of which nothing earlier is
 *     left: a command on one may reach every registered shard. Never in {@code tables} or {@code views}
 * @param views the views that are known; none where the metadata is read from config servers
 * @param clusterParameters those that decide on routing
 */
public record CatalogSnapshot(
        Instant loadedAt,
        boolean complete,
        ShardRegistry registry,
        Map<String, Integer> primaries,
        Map<Namespace, RoutingTable> tables,
        Set<Namespace> unknown,
        Map<Namespace, ResolvedView> views,
        ClusterParameters clusterParameters) {
    /** Among the primaries, stands for every database that is not there itself; no database has this name. */
    public static final String ANY_DATABASE = "";

    public CatalogSnapshot {
        primaries = Map.copyOf(primaries);
        tables = Map.copyOf(tables);
        unknown = Set.copyOf(unknown);
        views = Map.copyOf(views);
    }

    /** A snapshot without views and cluster parameters. */
    public CatalogSnapshot(
            Instant loadedAt,
            boolean complete,
            ShardRegistry registry,
            Map<String, Integer> primaries,
            Map<Namespace, RoutingTable> tables,
            Set<Namespace> unknown) {
        this(loadedAt, complete, registry, primaries, tables, unknown, Map.of(), ClusterParameters.DEFAULT);
    }

    /** A snapshot in which nothing is unknown. */
    public CatalogSnapshot(
            Instant loadedAt,
            boolean complete,
            ShardRegistry registry,
            Map<String, Integer> primaries,
            Map<Namespace, RoutingTable> tables) {
        this(loadedAt, complete, registry, primaries, tables, Set.of());
    }

    /** The snapshot before anything was loaded. */
    public static CatalogSnapshot empty() {
        return new CatalogSnapshot(Instant.EPOCH, false, ShardRegistry.empty(), Map.of(), Map.of());
    }

    /** The routing table of a tracked collection, null for one that is not tracked or {@link #isUnknown unknown}. */
    public @Nullable RoutingTable table(Namespace namespace) {
        return tables.get(namespace);
    }

    /** The view of this name, null if there is none, or none that is known. */
    public @Nullable ResolvedView view(Namespace namespace) {
        return views.get(namespace);
    }

    /**
     * Whether nothing can be said of {@code namespace}: nothing was ever loaded, or its metadata could not be
     * understood.
     */
    public boolean isUnknown(Namespace namespace) {
        return !complete || unknown.contains(namespace);
    }

    /**
     * The tracked collections that a command on {@code namespace} is judged by and that are not loaded, or were not looked at
     * lately: it itself, its buckets, what it reads as a view. None if the command can be judged at once.
     */
    public List<Namespace> notLoaded(Namespace namespace) {
        return List.of();
    }

    /** The ordinal of the database's primary shard, −1 if the database is unknown. */
    public int primary(String database) {
        return primaries.getOrDefault(database, primaries.getOrDefault(ANY_DATABASE, -1));
    }
}
