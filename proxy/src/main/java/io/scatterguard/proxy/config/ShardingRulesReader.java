package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule.Bounds;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Distribution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Reads {@code shardingRules}, which stand in the configuration or in a file of their own. */
final class ShardingRulesReader {
    static final String KEY = "shardingRules";

    private static final String NAMESPACE_EXPECTED = "db.coll";
    private static final String WHOLE_KEY_EXPECTED = "a value of each field of the key, like {customer: 10}";
    private static final String INDEX_EXPECTED = "the keys of indexes, like {customer: 1, number: 1}";

    private static final Namespace STAND_IN = new Namespace("db", "coll");
    private static final BsonDocument ID = BsonDocument.parse("{_id: 1}");

    private ShardingRulesReader() {}

    /** The rules of a configuration: those of its rules file first, then its own. */
    static List<ShardingRule> ofConfig(Section root) {
        List<ShardingRule> rules = new ArrayList<>();
        root.file("shardingRulesFile").ifPresent(file -> rules.addAll(ofFile(root, file)));
        rules.addAll(of(root));
        return rules;
    }

    private static List<ShardingRule> ofFile(Section root, Path file) {
        try {
            return RulesFile.read(file);
        } catch (ConfigException e) {
            root.problem("shardingRulesFile", e.getMessage() + " (expected: a rules file)");
            return List.of();
        }
    }

    /** The rules directly in {@code root}; two about the same are reported. */
    static List<ShardingRule> of(Section root) {
        List<ShardingRule> rules = new ArrayList<>();
        Map<String, String> places = new HashMap<>();
        for (Section section : root.children(KEY)) {
            rule(section).ifPresent(rule -> {
                String earlier = places.putIfAbsent(rule.subject(), section.path());
                if (earlier != null) {
                    section.problem(
                            subjectKey(section),
                            rule.subject() + " is declared by " + earlier + " already (expected: one rule for each)");
                }
                rules.add(rule);
            });
        }
        return rules;
    }

    /** The key that says what the rule is about. */
    private static String subjectKey(Section section) {
        return section.has(ClusterShardsRule.KEY)
                ? ClusterShardsRule.KEY
                : section.has("database") ? "database" : "namespace";
    }

    private static Optional<? extends ShardingRule> rule(Section section) {
        if (section.has(ClusterShardsRule.KEY)) {
            return clusterShards(section);
        }
        if (section.has("database")) {
            return database(section);
        }
        section.require("namespace", NAMESPACE_EXPECTED + ", or a database with its primary, or clusterShards");
        Optional<Namespace> namespace = namespace(section, "namespace");
        return section.has("viewOn") ? view(section, namespace) : collection(section, namespace);
    }

    private static Optional<ClusterShardsRule> clusterShards(Section section) {
        section.onlyOf(List.of(ClusterShardsRule.KEY), "beside clusterShards, which is a rule of its own");
        List<String> ids =
                section.values(ClusterShardsRule.KEY, text -> "the ids of the cluster's shards", Function.identity());
        return ids.isEmpty() ? Optional.empty() : section.build(() -> new ClusterShardsRule(ids));
    }

    private static Optional<Namespace> namespace(Section section, String key) {
        return section.value(key, NAMESPACE_EXPECTED, text -> {
            Namespace namespace = Namespace.parse(text);
            if (namespace.database().isEmpty() || namespace.collection().isEmpty()) {
                throw new IllegalArgumentException(NAMESPACE_EXPECTED);
            }
            return namespace;
        });
    }

    private static Optional<DatabaseRule> database(Section section) {
        section.onlyOf(List.of("database", "primary"), "on a database");
        section.require("primary", "the id of a shard");
        Optional<String> database = section.text("database");
        Optional<String> primary = section.text("primary");
        return database.isEmpty() || primary.isEmpty()
                ? Optional.empty()
                : section.build(() -> new DatabaseRule(database.get(), primary.get()));
    }

    private static Optional<ViewRule> view(Section section, Optional<Namespace> namespace) {
        section.onlyOf(List.of("namespace", "viewOn", "pipeline", "collation"), "on a view");
        Optional<Namespace> viewOn = namespace(section, "viewOn");
        List<BsonDocument> pipeline = section.documents("pipeline", "stages");
        BsonDocument collation = collation(section);
        return namespace.isEmpty() || viewOn.isEmpty()
                ? Optional.empty()
                : section.build(() -> new ViewRule(namespace.get(), viewOn.get(), pipeline, collation));
    }

    private static @Nullable BsonDocument collation(Section section) {
        return section.document("collation", CollationDemands.EXPECTED).orElse(null);
    }

    /** A part that is missing or wrong has a stand-in, so that the other parts are still checked. */
    private static Optional<CollectionRule> collection(Section section, Optional<Namespace> namespace) {
        boolean unsplittable = section.has("unsplittable");
        if (!unsplittable) {
            section.require("key", DeclaredKeyDemands.KEY_EXPECTED);
        }
        for (String key : List.of("primary", "pipeline")) {
            if (section.has(key)) {
                section.problem(key, "of no effect on a collection (remove it)");
            }
        }
        Optional<BsonDocument> key = section.document("key", DeclaredKeyDemands.KEY_EXPECTED);
        boolean unique = section.flag("unique", false);
        BsonDocument collation = collation(section);
        Optional<? extends Distribution> distribution = distribution(section);
        TimeseriesRule timeseries = timeseries(section.child("timeseries"));
        List<BsonDocument> uniqueIndexes = section.documents("uniqueIndexes", INDEX_EXPECTED);
        boolean keyed = key.isPresent() || unsplittable;
        Distribution checked = keyed && distribution.isPresent() ? distribution.get() : CollectionRule.Shards.DEFAULT;
        Optional<CollectionRule> rule = section.build(() -> new CollectionRule(
                namespace.orElse(STAND_IN), key.orElse(ID), unique, collation, checked, timeseries, uniqueIndexes));
        return namespace.isPresent() && keyed && distribution.isPresent() ? rule : Optional.empty();
    }

    private static Optional<? extends Distribution> distribution(Section section) {
        int shards = section.integer("shards", CollectionRule.Shards.DEFAULT.count());
        if (section.has("unsplittable")) {
            alone(section, "unsplittable", "chunks", "splitAt", "shards", "bounds");
            return section.text("unsplittable")
                    .flatMap(shard -> section.build(() -> new CollectionRule.Unsplittable(shard)));
        }
        if (section.has("chunks")) {
            alone(section, "chunks", "splitAt", "shards", "bounds");
            return chunks(section);
        }
        if (section.has("splitAt")) {
            alone(section, "splitAt", "bounds");
            return splitAt(section, shards);
        }
        Bounds bounds = section.choice("bounds", Bounds.class).orElse(Bounds.FRESH);
        return section.build(() -> new CollectionRule.Shards(shards, bounds));
    }

    private static Optional<CollectionRule.SplitAt> splitAt(Section section, int shards) {
        List<BsonDocument> points = section.documents("splitAt", WHOLE_KEY_EXPECTED);
        // Were one left out, the positions of the others would be wrong in messages.
        return points.size() < section.length("splitAt")
                ? Optional.empty()
                : section.build(() -> new CollectionRule.SplitAt(points, shards));
    }

    private static void alone(Section section, String key, String... others) {
        for (String other : others) {
            if (section.has(other)) {
                section.problem(other, "of no effect beside " + key + " (expected: one of them)");
            }
        }
    }

    private static Optional<CollectionRule.Chunks> chunks(Section section) {
        List<ChunkRule> chunks = new ArrayList<>();
        List<Section> sections = section.children("chunks");
        for (Section chunk : sections) {
            chunk.require("min", WHOLE_KEY_EXPECTED);
            chunk.require("shard", "the id of a shard");
            Optional<BsonDocument> min = chunk.document("min", WHOLE_KEY_EXPECTED);
            Optional<String> shard = chunk.text("shard");
            if (min.isPresent() && shard.isPresent()) {
                chunk.build(() -> new ChunkRule(min.get(), shard.get())).ifPresent(chunks::add);
            }
        }
        // Were one left out, the positions of the others would be wrong in messages.
        return chunks.size() < sections.size() ? Optional.empty() : Optional.of(new CollectionRule.Chunks(chunks));
    }

    private static @Nullable TimeseriesRule timeseries(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        section.require("timeField", "the name of a field");
        Optional<String> timeField = section.text("timeField");
        Optional<String> metaField = section.text("metaField");
        Optional<String> granularity = section.text("granularity");
        Integer span = seconds(section, "bucketMaxSpanSeconds");
        Integer rounding = seconds(section, "bucketRoundingSeconds");
        return timeField
                .flatMap(field -> section.build(() ->
                        new TimeseriesRule(field, metaField.orElse(null), granularity.orElse(null), span, rounding)))
                .orElse(null);
    }

    private static @Nullable Integer seconds(Section section, String key) {
        return section.has(key) ? Integer.valueOf(section.integer(key, 1)) : null;
    }
}
