package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Makes snapshots out of a {@link CatalogSource}, each by one sweep over the metadata. Tables that did not change are
 * the same objects in the next snapshot. A broken collection keeps the last good table of its incarnation. Not
 * thread-safe.
 */
final class CatalogLoader {
    private final CatalogSource source;
    private final Clock clock;
    // Both outlive a failed sweep: tables read before the failure are used by the next one.
    private final ShardOrdinals ordinals = new ShardOrdinals(ShardRegistry.empty());
    private final TableLoader tableLoader;
    private final ViewLoader viewLoader;
    private ClusterParameters clusterParameters = ClusterParameters.DEFAULT;

    CatalogLoader(CatalogSource source, Clock clock) {
        this.source = source;
        this.clock = clock;
        this.tableLoader = new TableLoader(source, ordinals, TableLoader.MAX_CACHED_CHUNKS);
        this.viewLoader = new ViewLoader(source, clock);
    }

    /** What one sweep has found so far. */
    private static final class Sweep {
        final Map<Namespace, RoutingTable> tables = new HashMap<>();
        final Set<Namespace> unknown = new HashSet<>();
        final Set<Incarnation> live = new HashSet<>();
        final List<CatalogProblem> problems = new ArrayList<>();

        void add(String name, @Nullable RoutingTable table, @Nullable CatalogProblem problem) {
            Namespace namespace = Namespace.parse(name);
            if (table != null) {
                tables.put(namespace, table);
            } else {
                unknown.add(namespace);
            }
            if (problem != null) {
                problems.add(problem);
            }
        }
    }

    /** Reads everything that changed. Throws what the source throws, and then nothing is lost. */
    CatalogLoad load() {
        Sweep sweep = new Sweep();
        List<String> registered = registeredShards();
        int known = ordinals.size();
        Map<String, Integer> primaries = CatalogBuilder.primaries(source.databases(), ordinals, sweep.problems);
        for (BsonDocument collection : source.collections()) {
            if (CollectionDocument.isTracked(collection)) {
                add(collection, sweep);
            }
        }
        if (ordinals.size() > known) {
            // A shard was added after config.shards was read, and has chunks already.
            registered = registeredShards();
        }
        tableLoader.retain(sweep.live);
        ViewResolver.Resolved views = viewLoader.load(primaries.keySet(), sweep.problems);
        sweep.unknown.addAll(views.broken());
        CatalogSnapshot snapshot = new CatalogSnapshot(
                clock.instant(),
                true,
                ordinals.registry(registered),
                primaries,
                sweep.tables,
                sweep.unknown,
                views.views(),
                clusterParameters(sweep));
        return new CatalogLoad(snapshot, sweep.problems, source.clusterId());
    }

    /** What cannot be read, as with a role from before it was asked for, stays as it is. */
    private ClusterParameters clusterParameters(Sweep sweep) {
        try {
            clusterParameters = ClusterParameters.of(source.clusterParameters());
        } catch (RuntimeException e) {
            sweep.problems.add(new CatalogProblem(
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

    private void add(BsonDocument document, Sweep sweep) {
        String name;
        try {
            name = ConfigFields.string(document, "_id", "config.collections");
        } catch (CatalogException e) {
            sweep.problems.add(new CatalogProblem("config.collections", String.valueOf(e.getMessage())));
            return;
        }
        try {
            CachedTable found = tableLoader.load(document);
            if (found != null) {
                sweep.live.add(found.incarnation());
                sweep.add(name, found.table(), found.problem());
            }
        } catch (CatalogException e) {
            addBroken(document, name, e, sweep);
        }
    }

    private void addBroken(BsonDocument document, String name, CatalogException failure, Sweep sweep) {
        RoutingTable lastGood = null;
        try {
            Incarnation incarnation = Incarnation.of(document);
            sweep.live.add(incarnation);
            lastGood = tableLoader.lastGood(incarnation);
        } catch (CatalogException e) {
            // Without its incarnation no earlier table can be told to be of this collection.
        }
        sweep.add(name, lastGood, new CatalogProblem(name, String.valueOf(failure.getMessage())));
    }
}
