package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The tracked collections as their documents showed them the last time, and their tables as far as those are loaded. Not
 * thread-safe.
 */
final class KnownCollections {
    private final ShardOrdinals ordinals;
    private final boolean keysOnly;
    /** By full name, which a sweep has at hand. */
    private final Map<String, TrackedCollection> tracked = new HashMap<>();

    private final Map<Namespace, CachedTable> loaded = new HashMap<>();
    /** Why a collection could not be looked at, where it was not for its own metadata. */
    private final Map<Namespace, CatalogProblem> failures = new TreeMap<>(Comparator.comparing(Namespace::fullName));

    private List<CatalogProblem> nameless = List.of();

    /** @param keysOnly whether tables are made of shard keys alone */
    KnownCollections(ShardOrdinals ordinals, boolean keysOnly) {
        this.ordinals = ordinals;
        this.keysOnly = keysOnly;
    }

    /**
     * What a change leaves behind.
     *
     * @param listed whether collections came or went, or are described in another way
     * @param tables whether tables or problems changed
     */
    record Change(boolean listed, boolean tables) {
        static final Change NONE = new Change(false, false);
        static final Change LISTED = new Change(true, true);
    }

    /**
     * Takes all of {@code config.collections}. What it shows in an older state than a look did meanwhile stays.
     *
     * @param overlap whose collections stay as they are
     * @return whether the list is another one than before
     */
    boolean swept(List<BsonDocument> collections, SweepOverlap overlap) {
        List<CatalogProblem> unnamed = new ArrayList<>();
        Set<String> seen = new HashSet<>(collections.size() * 2);
        boolean listed = put(collections, name -> !overlap.hasCollection(name), seen, unnamed);
        nameless = unnamed;
        return retain(name -> seen.contains(name) || overlap.hasCollection(name)) || listed;
    }

    /**
     * Takes all documents of one database.
     *
     * @return whether the list is another one than before
     */
    boolean ofDatabase(String database, List<BsonDocument> collections) {
        String prefix = database + ".";
        Set<String> seen = new HashSet<>();
        boolean listed = put(collections, name -> true, seen, new ArrayList<>());
        return retain(name -> seen.contains(name) || !name.startsWith(prefix)) || listed;
    }

    private boolean put(
            List<BsonDocument> collections, Predicate<String> which, Set<String> seen, List<CatalogProblem> unnamed) {
        boolean listed = false;
        for (BsonDocument document : collections) {
            if (CollectionDocument.isTracked(document)) {
                try {
                    String name = ConfigFields.string(document, "_id", "config.collections");
                    seen.add(name);
                    listed |= which.test(name) && put(name, document);
                } catch (CatalogException e) {
                    unnamed.add(new CatalogProblem("config.collections", String.valueOf(e.getMessage())));
                }
            }
        }
        return listed;
    }

    private boolean put(String name, BsonDocument document) {
        TrackedCollection before = tracked.get(name);
        TrackedCollection now = present(before, name, document);
        if (before != null && before.isSame(now)) {
            return false;
        }
        tracked.put(name, now);
        return true;
    }

    private boolean retain(Predicate<String> names) {
        boolean gone = tracked.keySet().removeIf(name -> !names.test(name));
        if (gone) {
            loaded.keySet().removeIf(namespace -> !tracked.containsKey(namespace.fullName()));
            failures.keySet().removeIf(namespace -> !tracked.containsKey(namespace.fullName()));
        }
        return gone;
    }

    /** The collection as {@code document} shows it: the same object if nothing has changed. */
    private TrackedCollection present(@Nullable TrackedCollection before, String name, BsonDocument document) {
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

    /**
     * Takes the document of one collection.
     *
     * @return whether the list is another one than before
     */
    boolean one(Namespace namespace, BsonDocument document) {
        return put(namespace.fullName(), document);
    }

    /** Whether there was such a collection. */
    boolean forget(Namespace namespace) {
        loaded.remove(namespace);
        failures.remove(namespace);
        return tracked.remove(namespace.fullName()) != null;
    }

    @Nullable TrackedCollection get(Namespace namespace) {
        return tracked.get(namespace.fullName());
    }

    Collection<TrackedCollection> all() {
        return tracked.values();
    }

    boolean isLoaded(Namespace namespace) {
        return loaded.containsKey(namespace);
    }

    /**
     * The collections that were in use since the last call. The others must be asked for before they are used again, and the
     * tables of those that {@code loader} does not remember go.
     *
     * @param used takes them
     * @return whether tables or problems changed
     */
    boolean takeUsed(TableLoader loader, List<TrackedCollection> used) {
        Deque<TrackedCollection> inTurn = new ArrayDeque<>();
        boolean changed = false;
        for (TrackedCollection collection : tracked.values()) {
            if (collection.info() == null || keysOnly) {
                continue;
            }
            if (collection.use().takeUsed()) {
                // What failed the last time comes last, so that the others have their turn.
                if (failures.containsKey(collection.namespace())) {
                    inTurn.addLast(collection);
                } else {
                    inTurn.addFirst(collection);
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
        used.addAll(inTurn);
        return changed;
    }

    /** Takes what a look at {@code asked} found, unless the collection has become another one meanwhile. */
    Change looked(TrackedCollection asked, TableLoader.Look look, Instant now) {
        Namespace namespace = asked.namespace();
        TrackedCollection present = get(namespace);
        if (present == null) {
            return Change.NONE;
        }
        BsonDocument document = look.document();
        CachedTable table = look.table();
        if (document == null || table == null) {
            return present.isSame(asked) && forget(namespace) ? Change.LISTED : Change.NONE;
        }
        boolean another = !table.incarnation().equals(present.incarnation());
        if (another) {
            TrackedCollection newer = TrackedCollection.of(document, present.use());
            if (!present.isSame(asked) || newer.info() == null) {
                return Change.NONE;
            }
            tracked.put(namespace.fullName(), newer);
        }
        boolean healed = failures.remove(namespace) != null;
        boolean changed = put(namespace, table) || healed;
        asked.use().lookedAt(now.toEpochMilli());
        return another ? Change.LISTED : new Change(false, changed);
    }

    /** Puts a table in the place of an older one; says whether anything has changed. */
    private boolean put(Namespace namespace, CachedTable table) {
        CachedTable before = loaded.get(namespace);
        boolean older = before != null
                && before.incarnation().equals(table.incarnation())
                && before.seen().compareTo(table.seen()) > 0;
        // One that was loaded may be remembered nowhere else.
        CachedTable now = table.orTableOf(before);
        return !older && !now.equals(loaded.put(namespace, now));
    }

    /**
     * A look failed; what was known before is used on, and nobody asks again before the next sweep does.
     *
     * @return whether the problem is new
     */
    boolean failed(TrackedCollection asked, CatalogProblem problem) {
        if (get(asked.namespace()) == null) {
            return false;
        }
        asked.use().setAsked();
        asked.use().mark();
        return !problem.equals(failures.put(asked.namespace(), problem));
    }

    /** What is known of each collection that can be understood. */
    Map<Namespace, CollectionInfo> infos() {
        Map<Namespace, CollectionInfo> infos = new HashMap<>(tracked.size() * 2);
        for (TrackedCollection collection : tracked.values()) {
            if (collection.info() != null) {
                infos.put(collection.namespace(), collection.info());
            }
        }
        return Map.copyOf(infos);
    }

    /** The marks of each collection that can be understood. */
    List<TableUse> uses() {
        return tracked.values().stream()
                .filter(collection -> collection.info() != null)
                .map(TrackedCollection::use)
                .toList();
    }

    /** Hands out what is published of the collections: of one that cannot be understood the last good table, or unknown. */
    void publish(Map<Namespace, RoutingTable> tables, Set<Namespace> unknown, List<CatalogProblem> problems) {
        problems.addAll(nameless);
        loaded.forEach((namespace, table) -> {
            if (table.table() != null) {
                tables.put(namespace, table.table());
            }
            if (table.problem() != null) {
                problems.add(table.problem());
            }
        });
        for (TrackedCollection collection : tracked.values()) {
            if (collection.info() == null && !tables.containsKey(collection.namespace())) {
                unknown.add(collection.namespace());
            }
            if (collection.problem() != null) {
                problems.add(collection.problem());
            }
        }
        problems.addAll(failures.values());
    }
}
