package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster, put together from sweeps and from looks at single collections, and the snapshots made of
 * it. Thread-safe; what it holds is replaced, never changed.
 */
final class CatalogState {
    private final ShardOrdinals ordinals;
    private final AtomicBoolean failing;
    private final boolean keysOnly;
    /** By full name, which a sweep has at hand. */
    private Map<String, TrackedCollection> tracked = new HashMap<>();

    private final Map<Namespace, CachedTable> loaded = new HashMap<>();
    private final Map<String, DatabaseUse> databases = new HashMap<>();
    /** Why a collection could not be looked at, where it was not for its own metadata. */
    private final Map<Namespace, CatalogProblem> failures = new TreeMap<>(Comparator.comparing(Namespace::fullName));

    private ClusterOutline outline = ClusterOutline.NONE;
    private List<CatalogProblem> nameless = List.of();
    private Instant sweptAt = Instant.EPOCH;
    private boolean complete;
    /** Made anew when collections come or go, or views do. */
    private @Nullable CatalogUses uses;

    private Map<Namespace, CollectionInfo> infos = Map.of();
    private boolean changed;

    /**
     * @param failing true while nothing is to be asked for
     * @param keysOnly whether tables are made of shard keys alone
     */
    CatalogState(ShardOrdinals ordinals, AtomicBoolean failing, boolean keysOnly) {
        this.ordinals = ordinals;
        this.failing = failing;
        this.keysOnly = keysOnly;
    }

    /** Takes a whole sweep. What it shows in an older state than a look did meanwhile stays as the look left it. */
    synchronized void swept(ClusterOutline found, List<BsonDocument> collections, Instant now) {
        Map<String, TrackedCollection> next = new HashMap<>(collections.size() * 2);
        List<CatalogProblem> unnamed = new ArrayList<>();
        for (BsonDocument document : collections) {
            if (CollectionDocument.isTracked(document)) {
                try {
                    String name = ConfigFields.string(document, "_id", "config.collections");
                    next.put(name, present(name, document));
                } catch (CatalogException e) {
                    unnamed.add(new CatalogProblem("config.collections", String.valueOf(e.getMessage())));
                }
            }
        }
        tracked = next;
        loaded.keySet().removeIf(namespace -> !next.containsKey(namespace.fullName()));
        failures.keySet().removeIf(namespace -> !next.containsKey(namespace.fullName()));
        outline = found;
        nameless = unnamed;
        sweptAt = now;
        complete = true;
        renewUses();
    }

    /** The collection as {@code document} shows it: the same object if nothing has changed. */
    private TrackedCollection present(String name, BsonDocument document) {
        TrackedCollection before = tracked.get(name);
        if (before != null && before.isOf(document)) {
            return before;
        }
        TableUse use = before == null ? new TableUse(Namespace.parse(name)) : before.use();
        TrackedCollection now = TrackedCollection.of(document, use);
        if (before != null && before.isAfter(now)) {
            return before;
        }
        CollectionInfo info = now.info();
        CachedTable table = loaded.get(now.namespace());
        if (keysOnly && info != null && now.incarnation() != null) {
            loaded.put(now.namespace(), CachedTable.ofKey(now.incarnation(), info, ordinals));
            use.setAsked();
        } else if (table != null && !table.incarnation().equals(now.incarnation())) {
            loaded.remove(now.namespace());
            use.setDue();
        }
        return now;
    }

    private void renewUses() {
        databases.keySet().retainAll(outline.primaries().keySet());
        outline.primaries().keySet().forEach(name -> databases.computeIfAbsent(name, n -> new DatabaseUse()));
        Map<Namespace, CollectionInfo> all = new HashMap<>();
        List<TableUse> tables = new ArrayList<>();
        for (TrackedCollection collection : tracked.values()) {
            if (collection.info() != null) {
                all.put(collection.namespace(), collection.info());
                tables.add(collection.use());
            }
        }
        infos = Map.copyOf(all);
        uses = CatalogUses.of(tables, outline.views().views().values(), databases, failing);
        changed = true;
    }

    /** The shards that are registered now. */
    synchronized void registered(List<String> ids) {
        outline = outline.withRegistered(ids);
        changed = true;
    }

    synchronized void views(ViewResolver.Resolved views) {
        outline = outline.withViews(views);
        renewUses();
    }

    /** A database as its document shows it now; null if there is none. */
    synchronized void database(String name, @Nullable BsonDocument document, List<BsonDocument> collections) {
        Map<String, Integer> primaries = new HashMap<>(outline.primaries());
        List<String> broken = new ArrayList<>(outline.brokenDatabases());
        primaries.remove(name);
        broken.remove(name);
        if (document != null) {
            primaries.putAll(CatalogBuilder.primaries(List.of(document), ordinals, new ArrayList<>()));
            if (!primaries.containsKey(name)) {
                broken.add(name);
            }
        }
        outline = outline.withPrimaries(primaries, broken);
        String prefix = name + ".";
        Set<String> seen = new HashSet<>();
        for (BsonDocument collection : collections) {
            if (CollectionDocument.isTracked(collection)) {
                String id = ConfigFields.string(collection, "_id", "config.collections");
                tracked.put(id, present(id, collection));
                seen.add(id);
            }
        }
        tracked.keySet().removeIf(id -> id.startsWith(prefix) && !seen.contains(id));
        loaded.keySet()
                .removeIf(namespace -> namespace.database().equals(name) && !tracked.containsKey(namespace.fullName()));
        renewUses();
    }

    /**
     * A collection as its document shows it now; null if there is none.
     *
     * @return whether it is tracked
     */
    synchronized boolean collection(Namespace namespace, @Nullable BsonDocument document) {
        String name = namespace.fullName();
        TrackedCollection before = tracked.get(name);
        if (document == null || !CollectionDocument.isTracked(document)) {
            if (before != null) {
                forget(before);
            }
            return false;
        }
        TrackedCollection now = present(name, document);
        if (before == null || !before.isSame(now)) {
            tracked.put(name, now);
            renewUses();
        }
        return true;
    }

    private void forget(TrackedCollection collection) {
        tracked.remove(collection.namespace().fullName());
        loaded.remove(collection.namespace());
        failures.remove(collection.namespace());
        renewUses();
    }

    synchronized @Nullable TrackedCollection tracked(Namespace namespace) {
        return tracked.get(namespace.fullName());
    }

    synchronized List<TrackedCollection> allTracked() {
        return List.copyOf(tracked.values());
    }

    /** Whether the chunks of a collection were ever asked for, or somebody waits for them. */
    synchronized boolean isLoaded(Namespace namespace) {
        return loaded.containsKey(namespace);
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

    /**
     * The collections that were in use since the last call. The others must be asked for before they are used again, and the
     * tables of those that are remembered nowhere else go.
     */
    synchronized List<TrackedCollection> takeUsed(TableLoader loader) {
        Deque<TrackedCollection> used = new ArrayDeque<>();
        for (TrackedCollection collection : tracked.values()) {
            if (collection.info() == null || keysOnly) {
                continue;
            }
            if (collection.use().takeUsed()) {
                // What failed the last time comes last, so that the others have their turn.
                if (failures.containsKey(collection.namespace())) {
                    used.addLast(collection);
                } else {
                    used.addFirst(collection);
                }
                continue;
            }
            collection.use().setDue();
            changed |= failures.remove(collection.namespace()) != null;
            CachedTable table = loaded.get(collection.namespace());
            if (table != null && !loader.remembers(table.incarnation())) {
                loaded.remove(collection.namespace());
                changed = true;
            }
        }
        return List.copyOf(used);
    }

    /** Takes what a look at {@code asked} found, unless the collection has become another one meanwhile. */
    synchronized void looked(TrackedCollection asked, TableLoader.Look look, Instant now) {
        TrackedCollection present = tracked.get(asked.namespace().fullName());
        if (present == null) {
            return;
        }
        BsonDocument document = look.document();
        CachedTable table = look.table();
        if (document == null || table == null) {
            if (present.isSame(asked)) {
                forget(present);
            }
            return;
        }
        if (!table.incarnation().equals(present.incarnation())) {
            TrackedCollection newer = TrackedCollection.of(document, present.use());
            if (!present.isSame(asked) || newer.info() == null) {
                return;
            }
            tracked.put(newer.namespace().fullName(), newer);
            renewUses();
        }
        CachedTable before = loaded.get(asked.namespace());
        boolean older = before != null
                && before.incarnation().equals(table.incarnation())
                && before.seen().compareTo(table.seen()) > 0;
        if (!older) {
            changed |= !table.equals(loaded.put(asked.namespace(), table));
        }
        changed |= failures.remove(asked.namespace()) != null;
        asked.use().lookedAt(now.toEpochMilli());
    }

    /** A look failed; what was known before is used on, and nobody asks again before the next sweep does. */
    synchronized void failed(TrackedCollection asked, CatalogProblem problem) {
        asked.use().setAsked();
        asked.use().mark();
        changed |= !problem.equals(failures.put(asked.namespace(), problem));
    }

    /** A snapshot of what is known now with its problems; null if nothing has changed since the last one. */
    synchronized @Nullable CatalogLoad takeChanged() {
        if (!changed || !complete || uses == null) {
            return null;
        }
        changed = false;
        Map<Namespace, RoutingTable> tables = new HashMap<>();
        Set<Namespace> unknown = new HashSet<>(outline.views().broken());
        outline.brokenDatabases().forEach(name -> unknown.add(new Namespace(name, "")));
        List<CatalogProblem> problems = new ArrayList<>(outline.problems());
        problems.addAll(outline.views().problems());
        problems.addAll(nameless);
        for (TrackedCollection collection : tracked.values()) {
            if (collection.info() == null) {
                add(collection, tables, unknown, problems);
            }
        }
        loaded.forEach((namespace, table) -> {
            if (table.table() != null && infos.containsKey(namespace)) {
                tables.put(namespace, table.table());
            }
            if (table.problem() != null) {
                problems.add(table.problem());
            }
        });
        problems.addAll(failures.values());
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

    /** A collection whose document cannot be understood: the last good table of its incarnation, or unknown. */
    private void add(
            TrackedCollection broken,
            Map<Namespace, RoutingTable> tables,
            Set<Namespace> unknown,
            List<CatalogProblem> problems) {
        CachedTable last = loaded.get(broken.namespace());
        RoutingTable table = last == null ? null : last.table();
        if (table == null) {
            unknown.add(broken.namespace());
        } else {
            tables.put(broken.namespace(), table);
        }
        if (broken.problem() != null) {
            problems.add(broken.problem());
        }
    }
}
