package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Makes a snapshot out of raw metadata, in either layout of {@code config.chunks} (targeting semantics §2.2). Pure: no
 * I/O, no clock. A collection whose metadata is broken does not spoil the rest: it becomes
 * {@link CatalogSnapshot#unknown() unknown} and a {@link CatalogProblem}.
 */
public final class CatalogBuilder {
    private final ShardOrdinals ordinals;
    private final List<CatalogProblem> problems = new ArrayList<>();

    private CatalogBuilder(ShardOrdinals ordinals) {
        this.ordinals = ordinals;
    }

    /**
     * The snapshot of {@code raw}; broken collections are in its {@link CatalogSnapshot#unknown()}.
     *
     * @param previousRegistry its ordinals are kept
     * @throws CatalogException if {@code config.shards} itself cannot be understood
     */
    public static CatalogSnapshot build(RawCatalog raw, ShardRegistry previousRegistry, Instant loadedAt) {
        return load(raw, previousRegistry, loadedAt).snapshot();
    }

    /** As {@link #build}, with the reasons why something is left out of the snapshot. */
    public static CatalogLoad load(RawCatalog raw, ShardRegistry previousRegistry, Instant loadedAt) {
        return new CatalogBuilder(new ShardOrdinals(previousRegistry)).load(raw, loadedAt);
    }

    /**
     * The routing table of one collection.
     *
     * @param collection its document of {@code config.collections}
     * @param chunks exactly its documents of {@code config.chunks}, in any order
     * @throws CatalogException if they contradict each other or cannot be understood
     */
    static RoutingTable table(BsonDocument collection, Iterable<BsonDocument> chunks, ShardOrdinals ordinals) {
        CollectionInfo info = CollectionDocument.info(collection, Incarnation.of(collection));
        RoutingTableAssembler assembler = new RoutingTableAssembler(info, ordinals);
        chunks.forEach(assembler::add);
        return assembler.build();
    }

    /** The ids in {@code config.shards}. */
    static List<String> shardIds(List<BsonDocument> shards) {
        return shards.stream()
                .map(shard -> ConfigFields.string(shard, "_id", "config.shards"))
                .toList();
    }

    /** The primary of every database; a document that cannot be understood becomes a problem. */
    static Map<String, Integer> primaries(
            List<BsonDocument> databases, ShardOrdinals ordinals, List<CatalogProblem> problems) {
        Map<String, Integer> primaries = new HashMap<>();
        for (BsonDocument database : databases) {
            String subject = "config.databases";
            try {
                subject = ConfigFields.string(database, "_id", subject);
                primaries.put(subject, ordinals.ordinal(ConfigFields.string(database, "primary", subject)));
            } catch (CatalogException e) {
                problems.add(new CatalogProblem(subject, String.valueOf(e.getMessage())));
            }
        }
        return primaries;
    }

    /** The databases that there are according to {@code databases}, of which {@code primaries} has none. */
    static List<String> withoutPrimary(List<BsonDocument> databases, Map<String, Integer> primaries) {
        return databases.stream()
                .map(database -> database.get("_id"))
                .filter(id -> id != null && id.isString())
                .map(id -> id.asString().getValue())
                .filter(name -> !primaries.containsKey(name))
                .toList();
    }

    private CatalogLoad load(RawCatalog raw, Instant loadedAt) {
        // First, so that the ordinals of a fresh registry follow config.shards.
        List<String> registered = shardIds(raw.shards());
        registered.forEach(ordinals::ordinal);
        Map<String, Integer> primaries = primaries(raw.databases(), ordinals, problems);
        Map<BsonValue, List<BsonDocument>> chunks = byCollection(raw.chunks());
        Map<Namespace, RoutingTable> tables = new HashMap<>();
        Set<Namespace> unknown = new HashSet<>();
        for (BsonDocument collection : raw.collections()) {
            if (CollectionDocument.isTracked(collection)) {
                addTable(collection, chunks, tables, unknown);
            }
        }
        ViewResolver.Resolved views = ViewResolver.resolve(raw.views());
        problems.addAll(views.problems());
        unknown.addAll(views.broken());
        withoutPrimary(raw.databases(), primaries).forEach(name -> unknown.add(new Namespace(name, "")));
        CatalogSnapshot snapshot = new CatalogSnapshot(
                loadedAt,
                true,
                ordinals.registry(registered),
                primaries,
                tables,
                unknown,
                views.views(),
                ClusterParameters.of(raw.clusterParameters()));
        return new CatalogLoad(snapshot, problems, null);
    }

    private void addTable(
            BsonDocument collection,
            Map<BsonValue, List<BsonDocument>> chunks,
            Map<Namespace, RoutingTable> tables,
            Set<Namespace> unknown) {
        String subject = "config.collections";
        try {
            subject = ConfigFields.string(collection, "_id", subject);
            List<BsonDocument> own =
                    chunks.getOrDefault(Incarnation.of(collection).chunksKey(), List.of());
            tables.put(Namespace.parse(subject), table(collection, own, ordinals));
        } catch (CatalogException e) {
            problems.add(new CatalogProblem(subject, String.valueOf(e.getMessage())));
            if (!subject.equals("config.collections")) {
                unknown.add(Namespace.parse(subject));
            }
        }
    }

    /** A chunk is found under its {@code uuid} and under its {@code ns}; while a cluster is upgraded it may have both. */
    static Map<BsonValue, List<BsonDocument>> byCollection(List<BsonDocument> chunks) {
        Map<BsonValue, List<BsonDocument>> byCollection = new HashMap<>();
        for (BsonDocument chunk : chunks) {
            for (String field : List.of("uuid", "ns")) {
                BsonValue key = chunk.get(field);
                if (key != null) {
                    byCollection.computeIfAbsent(key, k -> new ArrayList<>()).add(chunk);
                }
            }
        }
        return byCollection;
    }
}
