package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster, put together from sweeps, from looks at single collections and from what was read again by
 * itself, and the snapshots made of it. Thread-safe, but not for event loops: a sweep over many collections holds it for
 * milliseconds.
 */
final class CatalogState {
    private final ShardOrdinals ordinals;
    private final LoadDemand demand;
    private final Supplier<ViewResolver.Resolved> views;
    private final KnownCollections collections;
    private final SweepOverlap overlap = new SweepOverlap();
    private final Map<String, DatabaseUse> databases = new HashMap<>();

    private ClusterOutline outline = ClusterOutline.NONE;
    private Instant sweptAt = Instant.EPOCH;
    private boolean complete;
    /** Made anew when collections come or go, or views or databases do. */
    private CatalogUses uses = CatalogUses.NONE;

    private Map<Namespace, CollectionInfo> infos = Map.of();
    private boolean changed;

    /**
     * @param demand what is missing is asked for by
     * @param keysOnly whether tables are made of shard keys alone
     * @param views the newest there are; must not wait
     */
    CatalogState(ShardOrdinals ordinals, LoadDemand demand, boolean keysOnly, Supplier<ViewResolver.Resolved> views) {
        this.ordinals = ordinals;
        this.demand = demand;
        this.views = views;
        this.collections = new KnownCollections(ordinals, keysOnly);
    }

    /** A sweep begins to read; what is read by itself from now on counts more than what the sweep will have read of it. */
    synchronized void beginSweep() {
        overlap.begin();
    }

    /** Takes a whole sweep, but for its views, of which there may be newer ones. */
    synchronized void swept(ClusterOutline found, List<BsonDocument> documents, Instant now) {
        ClusterOutline before = outline;
        outline = withoutOverlap(found).withViews(views.get());
        boolean listed = collections.swept(documents, overlap);
        overlap.end();
        sweptAt = now;
        complete = true;
        changed = true;
        if (listed || !outline.hasSameNames(before)) {
            renewUses();
        }
    }

    private ClusterOutline withoutOverlap(ClusterOutline found) {
        ClusterOutline kept = overlap.hasShards() ? found.withRegistered(outline.registered()) : found;
        for (String database : overlap.databases()) {
            kept = kept.withDatabase(
                    database,
                    outline.primaries().get(database),
                    outline.brokenDatabases().contains(database));
        }
        return kept;
    }

    private void renewUses() {
        databases.keySet().retainAll(outline.primaries().keySet());
        outline.primaries().keySet().forEach(name -> databases.computeIfAbsent(name, n -> new DatabaseUse()));
        infos = collections.infos();
        uses = CatalogUses.of(collections.uses(), outline.views().views().values(), databases, demand);
        changed = true;
    }

    /** The shards that are registered now. */
    synchronized void registered(List<String> ids) {
        overlap.shards();
        outline = outline.withRegistered(ids);
        changed = true;
    }

    /** There may be newer views. */
    synchronized void viewsRead() {
        ViewResolver.Resolved newest = views.get();
        if (!newest.equals(outline.views())) {
            outline = outline.withViews(newest);
            renewUses();
        }
    }

    /** A database as its document shows it now; null if there is none. */
    synchronized void database(String name, @Nullable BsonDocument document, List<BsonDocument> documents) {
        overlap.database(name);
        Integer primary = document == null
                ? null
                : CatalogBuilder.primaries(List.of(document), ordinals, new ArrayList<>())
                        .get(name);
        outline = outline.withDatabase(name, primary, document != null && primary == null);
        collections.ofDatabase(name, documents);
        renewUses();
    }

    /**
     * A collection as its document shows it now; null if there is none.
     *
     * @return whether it is tracked
     */
    synchronized boolean collection(Namespace namespace, @Nullable BsonDocument document) {
        overlap.collection(namespace.fullName());
        BsonDocument tracked = document != null && CollectionDocument.isTracked(document) ? document : null;
        boolean listed = tracked == null ? collections.forget(namespace) : collections.one(namespace, tracked);
        if (listed) {
            renewUses();
        }
        return tracked != null;
    }

    synchronized @Nullable TrackedCollection tracked(Namespace namespace) {
        return collections.get(namespace);
    }

    synchronized List<TrackedCollection> allTracked() {
        return List.copyOf(collections.all());
    }

    /** Whether something is known of the chunks of a collection. */
    synchronized boolean isLoaded(Namespace namespace) {
        return collections.isLoaded(namespace);
    }

    /** The databases that were in use since the last call. */
    synchronized Set<String> takeUsedDatabases() {
        Set<String> used = new HashSet<>();
        databases.forEach((name, use) -> {
            if (use.takeUsed()) {
                used.add(name);
            }
        });
        return used;
    }

    /** As {@link KnownCollections#takeUsed}. */
    synchronized List<TrackedCollection> takeUsed(TableLoader loader) {
        List<TrackedCollection> used = new ArrayList<>();
        changed |= collections.takeUsed(loader, used);
        return used;
    }

    /** Takes what a look at {@code asked} found, unless the collection has become another one meanwhile. */
    synchronized void looked(TrackedCollection asked, TableLoader.Look look, Instant now) {
        KnownCollections.Change change = collections.looked(asked, look, now);
        changed |= change.tables();
        if (change.listed()) {
            overlap.collection(asked.namespace().fullName());
            renewUses();
        }
    }

    /** A look failed; what was known before is used on, and nobody asks again before the next sweep does. */
    synchronized void failed(TrackedCollection asked, CatalogProblem problem) {
        changed |= collections.failed(asked, problem);
    }

    /** A snapshot of what is known now with its problems; null if nothing has changed since the last one. */
    synchronized @Nullable CatalogLoad takeChanged() {
        if (!changed || !complete) {
            return null;
        }
        changed = false;
        Map<Namespace, RoutingTable> tables = new HashMap<>();
        Set<Namespace> unknown = new HashSet<>(outline.views().broken());
        outline.brokenDatabases().forEach(name -> unknown.add(new Namespace(name, "")));
        List<CatalogProblem> problems = new ArrayList<>(outline.problems());
        problems.addAll(outline.views().problems());
        collections.publish(tables, unknown, problems);
        CatalogSnapshot snapshot = new CatalogSnapshot(
                sweptAt,
                true,
                ordinals.registry(outline.registered()),
                outline.primaries(),
                tables,
                unknown,
                outline.views().views(),
                outline.clusterParameters(),
                infos,
                uses);
        return new CatalogLoad(snapshot, problems, outline.clusterId());
    }
}
