package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's metadata at one moment, read without locks by every event loop. Immutable but for the marks of use.
 *
 * @param loadedAt when the last successful refresh ended
 * @param complete false before anything was loaded: nothing can be said of any namespace, except of one that is declared
 * @param registry the shards
 * @param primaries the ordinal of each database's primary shard; a database that is not there is unknown,
 *     unless {@link #ANY_DATABASE} has one, which then stands for all of them
 * @param tables the routing tables of the tracked collections, as far as they are loaded
 * @param unknown tracked collections and views whose metadata could not be understood and of which nothing earlier is
 *     left: a command on one may reach every registered shard. Never in {@code tables} or {@code views}. One without a
 *     collection's name stands for a database of which the primary could not be understood
 * @param views the views that are known; none where the metadata is read from config servers
 * @param clusterParameters those that decide on routing
 * @param tracked every tracked collection, loaded or not, where tables are loaded on demand; otherwise none. What is neither
 *     there nor in {@code tables}, {@code unknown} or {@code views} is unsharded
 * @param uses what is in use, and must be asked for
 */
public record CatalogSnapshot(
        Instant loadedAt,
        boolean complete,
        ShardRegistry registry,
        Map<String, Integer> primaries,
        Map<Namespace, RoutingTable> tables,
        Set<Namespace> unknown,
        Map<Namespace, ResolvedView> views,
        ClusterParameters clusterParameters,
        Map<Namespace, CollectionInfo> tracked,
        CatalogUses uses) {
    /** Among the primaries, stands for every database that is not there itself; no database has this name. */
    public static final String ANY_DATABASE = "";

    public CatalogSnapshot {
        primaries = Map.copyOf(primaries);
        tables = Map.copyOf(tables);
        unknown = Set.copyOf(unknown);
        views = Map.copyOf(views);
        tracked = Map.copyOf(tracked);
    }

    /** A snapshot of everything: nothing is loaded on demand. */
    public CatalogSnapshot(
            Instant loadedAt,
            boolean complete,
            ShardRegistry registry,
            Map<String, Integer> primaries,
            Map<Namespace, RoutingTable> tables,
            Set<Namespace> unknown,
            Map<Namespace, ResolvedView> views,
            ClusterParameters clusterParameters) {
        this(
                loadedAt,
                complete,
                registry,
                primaries,
                tables,
                unknown,
                views,
                clusterParameters,
                Map.of(),
                CatalogUses.NONE);
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

    /** What is known of a tracked collection, be it loaded or not; null for one that is not tracked. */
    public @Nullable CollectionInfo collection(Namespace namespace) {
        RoutingTable table = tables.get(namespace);
        return table == null ? tracked.get(namespace) : table.collection();
    }

    /** The view of this name, null if there is none, or none that is known. */
    public @Nullable ResolvedView view(Namespace namespace) {
        return views.get(namespace);
    }

    /**
     * Whether nothing can be said of {@code namespace}: nothing was ever loaded, nor is it declared, its metadata could not be understood, or it
     * is a tracked collection that is not loaded.
     */
    public boolean isUnknown(Namespace namespace) {
        return unknown.contains(namespace)
                || (!tables.containsKey(namespace) && (!complete || tracked.containsKey(namespace)));
    }

    /** Whether there is the database, but not known where. */
    public boolean isUnknownDatabase(String database) {
        return !unknown.isEmpty() && unknown.contains(new Namespace(database, ""));
    }

    /**
     * The tracked collections that a command on {@code namespace} is judged by and that are not loaded, or were not looked at
     * lately: it itself, its buckets, what it reads as a view. None if the command can be judged at once, and none while the
     * metadata cannot be read. Notes that the namespace is in use, so that it is kept up to date.
     */
    public List<Namespace> notLoaded(Namespace namespace) {
        return uses.missing(namespace);
    }

    /**
     * Notes that a command that need not wait for it is judged by {@code namespace}, so that it is kept up to date. If it is
     * not loaded, it soon will be.
     */
    public void noteUse(Namespace namespace) {
        uses.want(namespace);
    }

    /**
     * When the chunks that a command on {@code namespace} is judged by were last found to be those of the cluster, in
     * milliseconds since 1970; that of the whole snapshot where tables are not loaded on demand, or there are none.
     */
    public long lookedAtMillis(Namespace namespace) {
        long millis = uses.lookedAtMillis(namespace);
        return millis == 0 ? loadedAt.toEpochMilli() : millis;
    }

    /** The ordinal of the database's primary shard, −1 if the database is unknown. */
    public int primary(String database) {
        return primaries.getOrDefault(database, primaries.getOrDefault(ANY_DATABASE, -1));
    }
}
