package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.ClusterShardsRule;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.Bounds;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Distribution;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.Unsplittable;
import io.scatterguard.proxy.config.DatabaseRule;
import io.scatterguard.proxy.config.RulesWriter;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.ViewRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The rules that declare what a catalog says: the primaries of the databases, the tracked collections in the terms in which
 * they were sharded, and the views. Pure.
 */
public final class CatalogRules {
    private final Placement placement;
    /** Of each collection that can be declared, the shards that own chunks. */
    private final Map<Namespace, List<String>> owners = new HashMap<>();

    private final Set<Namespace> views = new HashSet<>();
    private final Map<BsonValue, List<BsonDocument>> chunks;
    private final List<ShardingRule> rules = new ArrayList<>();
    private final List<CatalogProblem> problems = new ArrayList<>();

    /**
     * How the chunks are to be declared.
     *
     * @param chunks each with its bounds and its shard
     * @param shards otherwise, on how many virtual shards; null for as many as own chunks
     */
    public record Placement(boolean chunks, @Nullable Integer shards) {}

    /**
     * What can be declared, and what could not be.
     *
     * @param rules the cluster's shards, databases, collections, views, each in the order of their names
     * @param problems what is left out or not as it is, and why
     */
    public record Imported(List<ShardingRule> rules, List<CatalogProblem> problems) {
        public Imported {
            rules = List.copyOf(rules);
            problems = List.copyOf(problems);
        }

        /** Whether any collection is among the rules: without one nothing is sharded. */
        public boolean hasCollections() {
            return rules.stream().anyMatch(CollectionRule.class::isInstance);
        }
    }

    private CatalogRules(RawCatalog raw, Placement placement) {
        this.placement = placement;
        this.chunks = CatalogBuilder.byCollection(raw.chunks());
    }

    /** Takes what its chunks tile. */
    private void tiled(RawCatalog raw) {
        CatalogLoad load = CatalogBuilder.load(raw, ShardRegistry.empty(), Instant.EPOCH);
        CatalogSnapshot snapshot = load.snapshot();
        snapshot.tables()
                .forEach((namespace, table) ->
                        owners.put(namespace, snapshot.registry().names(table.owningShards())));
        views.addAll(snapshot.views().keySet());
        problems.addAll(load.problems());
    }

    /** Takes what has chunks, whose bounds nobody looked at. */
    private void owned(OwnedCatalog catalog) {
        for (BsonDocument collection : catalog.catalog().collections()) {
            try {
                if (CollectionDocument.isTracked(collection)) {
                    owned(Incarnation.of(collection), collection, catalog);
                }
            } catch (CatalogException e) {
                problems.add(new CatalogProblem(subject(collection), String.valueOf(e.getMessage())));
            }
        }
        ViewResolver.Resolved resolved = ViewResolver.resolve(catalog.catalog().views());
        views.addAll(resolved.views().keySet());
        problems.addAll(resolved.problems());
    }

    private void owned(Incarnation incarnation, BsonDocument collection, OwnedCatalog catalog) {
        Namespace namespace = incarnation.namespace();
        CollectionDocument.info(collection, incarnation);
        incarnation.chunksKey();
        List<String> shards = catalog.owners().getOrDefault(namespace, List.of());
        if (shards.isEmpty()) {
            throw new CatalogException(namespace + ": no chunks (expected: at least one)");
        }
        owners.put(namespace, shards);
    }

    private static String subject(BsonDocument collection) {
        return collection.isString("_id") ? id(collection) : "config.collections";
    }

    /**
     * The rules of a catalog of which only the owners of chunks were read.
     *
     * @param placement without chunks
     */
    public static Imported of(OwnedCatalog catalog, Predicate<Namespace> wanted, Placement placement) {
        CatalogRules made = new CatalogRules(catalog.catalog(), placement);
        made.owned(catalog);
        return made.of(catalog.catalog(), wanted);
    }

    /**
     * The rules of a catalog with its chunks.
     *
     * @param wanted the collections and views to declare; views on what is wanted, and what a wanted view reads, come along
     * @throws CatalogException if {@code config.shards} cannot be understood
     */
    public static Imported of(RawCatalog raw, Predicate<Namespace> wanted, Placement placement) {
        CatalogRules made = new CatalogRules(raw, placement);
        made.tiled(raw);
        return made.of(raw, wanted);
    }

    private Imported of(RawCatalog raw, Predicate<Namespace> wanted) {
        DumpedViews dumped = DumpedViews.closure(readable(raw.views()), wanted);
        Predicate<Namespace> all = wanted.or(dumped.underlying()::contains);
        List<BsonDocument> collections =
                raw.collections().stream().filter(this::isDeclarable).toList();
        List<BsonDocument> kept = new ArrayList<>();
        collections.stream()
                .filter(collection -> all.test(userNamespace(name(collection))))
                .sorted(Comparator.comparing(
                        collection -> userNamespace(name(collection)).fullName()))
                .forEach(kept::add);
        cluster(CatalogBuilder.shardIds(raw.shards()));
        databases(raw, wanted, kept, dumped.documents());
        kept.forEach(this::collection);
        dumped.documents().stream()
                .sorted(Comparator.comparing(view -> name(view).fullName()))
                .forEach(this::view);
        return new Imported(rules, problems);
    }

    /** A given number of virtual shards is instead of those of the cluster. */
    private void cluster(List<String> ids) {
        if (placement.shards() == null && !ids.isEmpty()) {
            attempt("config.shards", () -> new ClusterShardsRule(ids));
        }
    }

    /** A database is declared if it is wanted itself, or anything in it is. */
    private void databases(
            RawCatalog raw, Predicate<Namespace> wanted, List<BsonDocument> collections, List<BsonDocument> views) {
        Set<String> used = collections.stream().map(c -> name(c).database()).collect(Collectors.toSet());
        views.forEach(view -> used.add(name(view).database()));
        raw.databases().stream()
                .filter(d -> d.isString("_id") && d.isString("primary"))
                .filter(d -> used.contains(id(d)) || wanted.test(new Namespace(id(d), "")))
                .sorted(Comparator.comparing(CatalogRules::id))
                .forEach(d -> attempt(
                        id(d),
                        () -> new DatabaseRule(id(d), d.getString("primary").getValue())));
    }

    private void collection(BsonDocument document) {
        Incarnation incarnation = Incarnation.of(document);
        CollectionInfo info = CollectionDocument.info(document, incarnation);
        Namespace namespace = userNamespace(incarnation.namespace());
        attempt(namespace.fullName(), () -> {
            TimeseriesTerms terms = TimeseriesTerms.of(info);
            return new CollectionRule(
                    namespace,
                    terms.key(),
                    info.unique(),
                    info.defaultCollation(),
                    distribution(incarnation, info, terms),
                    terms.rule(),
                    List.of());
        });
    }

    private Distribution distribution(Incarnation incarnation, CollectionInfo info, TimeseriesTerms terms) {
        List<String> owning = owners.getOrDefault(incarnation.namespace(), List.of());
        if (info.unsplittable()) {
            return new Unsplittable(owning.get(0));
        }
        Integer given = placement.shards();
        int count = Math.min(given == null ? owning.size() : given, Shards.MAX);
        // The bounds that the server gave it in the beginning are seldom those that it has.
        Bounds bounds = count > 1 && CollectionRule.beginsHashed(terms.key()) ? Bounds.UNKNOWN : Bounds.FRESH;
        Shards shards = new Shards(count, bounds);
        if (!placement.chunks()) {
            return shards;
        }
        List<BsonDocument> own = chunks.getOrDefault(incarnation.chunksKey(), List.of());
        if (!own.stream().allMatch(chunk -> RulesWriter.keeps(chunk.getDocument("min")))) {
            problems.add(new CatalogProblem(
                    incarnation.namespace().fullName(),
                    userNamespace(incarnation.namespace())
                            + ": a bound of its chunks is a document that reads as Extended JSON (shards: "
                            + shards.count() + " was written in place of its chunks)"));
            return shards;
        }
        return new Chunks(own.stream()
                .sorted(Comparator.comparing(CatalogRules::keyBytes, KeyBytes::compare))
                .map(chunk -> new ChunkRule(
                        terms.bound(chunk.getDocument("min")),
                        chunk.getString("shard").getValue()))
                .toList());
    }

    private void view(BsonDocument document) {
        Namespace namespace = name(document);
        String viewOn = document.getString("viewOn").getValue();
        if (viewOn.equals(CollectionInfo.BUCKETS + namespace.collection()) || !views.contains(namespace)) {
            return; // The buckets' collection stands for it; or a problem says why it cannot be followed.
        }
        List<BsonDocument> pipeline = document.getArray("pipeline").stream()
                .map(BsonValue::asDocument)
                .toList();
        if (!pipeline.stream().allMatch(RulesWriter::keeps)) {
            problems.add(new CatalogProblem(
                    namespace.fullName(),
                    namespace + ": a value of its pipeline is a document that reads as Extended JSON (left out)"));
            return;
        }
        BsonDocument collation = ConfigFields.optionalDocument(document, "collation", "system.views");
        attempt(
                namespace.fullName(),
                () -> new ViewRule(namespace, new Namespace(namespace.database(), viewOn), pipeline, collation));
    }

    private void attempt(String subject, Supplier<ShardingRule> rule) {
        try {
            rules.add(rule.get());
        } catch (IllegalArgumentException e) {
            problems.add(new CatalogProblem(subject, subject + ": cannot be declared: " + e.getMessage()));
        }
    }

    private boolean isDeclarable(BsonDocument collection) {
        return collection.isString("_id") && owners.containsKey(name(collection));
    }

    /** What follows views needs their names, and the rest is reported already. */
    private List<BsonDocument> readable(List<BsonDocument> views) {
        return views.stream()
                .filter(view -> view.isString("_id") && view.isString("viewOn"))
                .toList();
    }

    private static byte[] keyBytes(BsonDocument chunk) {
        try {
            return KeyBytes.ofValues(BsonView.encode(chunk.getDocument("min")));
        } catch (MalformedBsonException | BSONException e) {
            throw new IllegalArgumentException("min: " + e.getMessage(), e);
        }
    }

    /** The name that commands use: a time-series collection's own. */
    private static Namespace userNamespace(Namespace namespace) {
        String collection = namespace.collection();
        return collection.startsWith(CollectionInfo.BUCKETS)
                ? new Namespace(namespace.database(), collection.substring(CollectionInfo.BUCKETS.length()))
                : namespace;
    }

    private static Namespace name(BsonDocument document) {
        return Namespace.parse(id(document));
    }

    private static String id(BsonDocument document) {
        return document.getString("_id").getValue();
    }
}
