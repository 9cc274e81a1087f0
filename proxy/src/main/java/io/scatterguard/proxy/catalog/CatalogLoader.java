package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Reads metadata out of a {@link CatalogSource}: everything but chunks by a sweep, chunks collection by collection when they
 * are asked for. A broken collection keeps the last good table of its incarnation. Thread-safe, but one sweep at a time, and
 * one look at a collection.
 */
final class CatalogLoader {
    private final CountedSource source;
    private final Clock clock;
    private final boolean keysOnly;
    // Both outlive a failed sweep: tables read before the failure are used by the next one.
    private final ShardOrdinals ordinals = new ShardOrdinals(ShardRegistry.empty());
    private final TableLoader tableLoader;
    private final ViewLoader viewLoader;
    private final CatalogState state;
    private volatile ClusterParameters clusterParameters = ClusterParameters.DEFAULT;

    CatalogLoader(CatalogSource source, Clock clock) {
        this(source, clock, false, LoadDemand.unmet());
    }

    /**
     * @param keysOnly whether no chunks are read at all
     * @param demand what is missing is asked for by
     */
    CatalogLoader(CatalogSource source, Clock clock, boolean keysOnly, LoadDemand demand) {
        this.source = new CountedSource(source);
        this.clock = clock;
        this.keysOnly = keysOnly;
        this.tableLoader = new TableLoader(this.source, ordinals, TableLoader.MAX_CACHED_CHUNKS, clock);
        this.viewLoader = new ViewLoader(this.source, clock);
        this.state = new CatalogState(ordinals, demand, keysOnly, viewLoader::latest);
    }

    /** Reads everything there is at once. Throws what the source throws, and then nothing is lost. */
    CatalogLoad load() {
        sweep();
        for (TrackedCollection collection : state.allTracked()) {
            look(collection.namespace());
        }
        CatalogLoad load = state.takeChanged();
        if (load == null) {
            throw new IllegalStateException("a sweep left nothing to publish");
        }
        return load;
    }

    /** Reads everything but chunks, in a handful of queries. Throws what the source throws. */
    void sweep() {
        state.beginSweep();
        List<CatalogProblem> problems = new ArrayList<>();
        List<String> registered = registeredShards();
        int known = ordinals.size();
        List<BsonDocument> databases = source.databases();
        Map<String, Integer> primaries = CatalogBuilder.primaries(databases, ordinals, problems);
        List<BsonDocument> collections = source.collections();
        if (ordinals.size() > known) {
            // A shard was added after config.shards was read, and is a primary already.
            registered = registeredShards();
        }
        viewLoader.load(primaries.keySet(), state.takeUsedDatabases(), problems);
        ClusterParameters parameters = clusterParameters(problems);
        ClusterOutline outline = new ClusterOutline(
                registered,
                primaries,
                CatalogBuilder.withoutPrimary(databases, primaries),
                ViewResolver.Resolved.NONE,
                parameters,
                problems,
                source.clusterId());
        state.swept(outline, collections, clock.instant());
        Set<Incarnation> live = new HashSet<>();
        for (TrackedCollection collection : state.allTracked()) {
            if (collection.incarnation() != null) {
                live.add(collection.incarnation());
            }
        }
        tableLoader.retain(live);
    }

    /** What cannot be read, as with a role from before it was asked for, stays as it is. */
    private ClusterParameters clusterParameters(List<CatalogProblem> problems) {
        try {
            clusterParameters = ClusterParameters.of(source.clusterParameters());
        } catch (RuntimeException e) {
            problems.add(new CatalogProblem(
                    "config.clusterParameters",
                    "config.clusterParameters: could not be read: " + ViewLoader.name(e)
                            + " (expected: the privilege find; what was read earlier is used on, at first that none"
                            + " is set)"));
        }
        return clusterParameters;
    }

    private List<String> registeredShards() {
        List<String> ids = CatalogBuilder.shardIds(source.shards());
        ids.forEach(ordinals::ordinal);
        return ids;
    }

    /** The collections in use since the last call, which are to be looked at now; the others are until they are used. */
    List<Namespace> takeUsed() {
        return state.takeUsed(tableLoader).stream()
                .map(TrackedCollection::namespace)
                .toList();
    }

    /** Notes that collections are in use, so that the next sweep is followed by a look at them. */
    void noteUse(List<Namespace> namespaces) {
        for (Namespace namespace : namespaces) {
            TrackedCollection collection = state.tracked(namespace);
            if (collection != null) {
                collection.use().mark();
            }
        }
    }

    /** Brings the table of a collection up to date, or loads it. Throws what the source throws. */
    void look(Namespace namespace) {
        TrackedCollection collection = state.tracked(namespace);
        if (collection == null || collection.info() == null || keysOnly) {
            return;
        }
        int known = ordinals.size();
        try {
            TableLoader.Look look = tableLoader.load(collection.document());
            if (ordinals.size() > known) {
                // A shard was added, and has chunks already.
                state.registered(registeredShards());
            }
            state.looked(collection, look, clock.instant());
        } catch (CatalogException e) {
            state.failed(collection, new CatalogProblem(namespace.fullName(), String.valueOf(e.getMessage())));
        }
    }

    /** Notes that a look could not be had, and that the next one is for the next sweep. */
    void lookFailed(Namespace namespace, Throwable failure) {
        TrackedCollection collection = state.tracked(namespace);
        if (collection != null) {
            state.failed(
                    collection,
                    new CatalogProblem(
                            namespace.fullName(),
                            namespace + ": its chunks could not be read: "
                                    + (failure instanceof RuntimeException e
                                            ? ViewLoader.name(e)
                                            : failure.getClass().getSimpleName())
                                    + (state.isLoaded(namespace)
                                            ? " (expected: a table; the one read earlier is used on)"
                                            : " (expected: a table; until then it is unknown)")));
        }
    }

    /**
     * Reads again what is known of one collection, or of one database where no collection is named, but for chunks. Throws
     * what the source throws.
     *
     * @return the collections whose chunks should be looked at: those that are loaded
     */
    List<Namespace> reread(Namespace changed) {
        String database = changed.database();
        if (changed.collection().isEmpty()) {
            state.database(database, source.database(database), source.collections(database));
            viewLoader.reload(database);
            state.viewsRead();
            return state.allTracked().stream()
                    .map(TrackedCollection::namespace)
                    .filter(namespace -> namespace.database().equals(database) && state.isLoaded(namespace))
                    .toList();
        }
        Namespace buckets = new Namespace(database, CollectionInfo.BUCKETS + changed.collection());
        boolean tracked = state.collection(changed, source.collection(changed));
        boolean bucketsTracked = !tracked && state.collection(buckets, source.collection(buckets));
        if (!tracked && !bucketsTracked) {
            viewLoader.reload(database);
            state.viewsRead();
        }
        return List.of(tracked ? changed : buckets).stream()
                .filter(state::isLoaded)
                .toList();
    }

    /** What is known now, with its problems; null if nothing has changed since the last call. */
    @Nullable CatalogLoad takeChanged() {
        return state.takeChanged();
    }

    /** What reading cost so far. */
    CatalogCounters counters() {
        return new CatalogCounters(
                source.queries(),
                source.chunks(),
                tableLoader.deltas(),
                tableLoader.fullLoads(),
                tableLoader.rejected());
    }
}
