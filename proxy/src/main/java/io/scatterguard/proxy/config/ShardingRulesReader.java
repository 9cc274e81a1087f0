package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Distribution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Reads {@code shardingRules}, which stand in the configuration or in a file of their own. */
final class ShardingRulesReader {
    static final String KEY = "shardingRules";

    private static final String NAMESPACE_EXPECTED = "db.coll";
    private static final String WHOLE_KEY_EXPECTED = "a value of each field of the key, like {customer: 10}";
    private static final String INDEX_EXPECTED = "the keys of indexes, like {customer: 1, number: 1}";

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

    /** The rules directly in {@code root}. */
    static List<ShardingRule> of(Section root) {
        List<ShardingRule> rules = new ArrayList<>();
        for (Section section : root.children(KEY)) {
            rule(section).ifPresent(rules::add);
        }
        return rules;
    }

    private static Optional<? extends ShardingRule> rule(Section section) {
        if (section.has("database")) {
            return database(section);
        }
        section.require("namespace", NAMESPACE_EXPECTED + ", or a database with its primary");
        Optional<Namespace> namespace = namespace(section, "namespace");
        if (namespace.isEmpty()) {
            return Optional.empty();
        }
        return section.has("viewOn") ? view(section, namespace.get()) : collection(section, namespace.get());
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
        section.require("primary", "the id of a shard");
        Optional<String> database = section.text("database");
        Optional<String> primary = section.text("primary");
        return database.isEmpty() || primary.isEmpty()
                ? Optional.empty()
                : section.build(() -> new DatabaseRule(database.get(), primary.get()));
    }

    private static Optional<ViewRule> view(Section section, Namespace namespace) {
        Optional<Namespace> viewOn = namespace(section, "viewOn");
        List<BsonDocument> pipeline = section.documents("pipeline", "stages");
        BsonDocument collation = collation(section);
        return viewOn.isEmpty()
                ? Optional.empty()
                : section.build(() -> new ViewRule(namespace, viewOn.get(), pipeline, collation));
    }

    private static @Nullable BsonDocument collation(Section section) {
        return section.document("collation", "a collation, like {locale: en, strength: 2}")
                .orElse(null);
    }

    private static Optional<CollectionRule> collection(Section section, Namespace namespace) {
        boolean unsplittable = section.has("unsplittable");
        if (!unsplittable) {
            section.require("key", CollectionRule.KEY_EXPECTED);
        }
        Optional<BsonDocument> key = section.document("key", CollectionRule.KEY_EXPECTED);
        boolean unique = section.flag("unique", false);
        BsonDocument collation = collation(section);
        Optional<? extends Distribution> distribution = distribution(section);
        TimeseriesRule timeseries = timeseries(section.child("timeseries"));
        List<BsonDocument> uniqueIndexes = section.documents("uniqueIndexes", INDEX_EXPECTED);
        BsonDocument used = key.orElse(unsplittable ? CollectionRule.UNSPLITTABLE_KEY : new BsonDocument());
        return used.isEmpty() || distribution.isEmpty()
                ? Optional.empty()
                : section.build(() -> new CollectionRule(
                        namespace, used, unique, collation, distribution.get(), timeseries, uniqueIndexes));
    }

    private static Optional<? extends Distribution> distribution(Section section) {
        int shards = section.integer("shards", CollectionRule.Shards.DEFAULT.count());
        if (section.has("unsplittable")) {
            return section.text("unsplittable").map(CollectionRule.Unsplittable::new);
        }
        if (section.has("chunks")) {
            List<ChunkRule> chunks = new ArrayList<>();
            for (Section chunk : section.children("chunks")) {
                Optional<BsonDocument> min = chunk.document("min", WHOLE_KEY_EXPECTED);
                Optional<String> shard = chunk.text("shard");
                chunk.require("min", WHOLE_KEY_EXPECTED);
                chunk.require("shard", "the id of a shard");
                if (min.isPresent() && shard.isPresent()) {
                    chunks.add(new ChunkRule(min.get(), shard.get()));
                }
            }
            return section.build(() -> new CollectionRule.Chunks(chunks));
        }
        return section.has("splitAt")
                ? section.build(
                        () -> new CollectionRule.SplitAt(section.documents("splitAt", WHOLE_KEY_EXPECTED), shards))
                : section.build(() -> new CollectionRule.Shards(shards));
    }

    private static @Nullable TimeseriesRule timeseries(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        section.require("timeField", "the name of a field");
        Optional<String> timeField = section.text("timeField");
        int span = section.integer("bucketMaxSpanSeconds", 0);
        int rounding = section.integer("bucketRoundingSeconds", 0);
        return timeField
                .flatMap(field -> section.build(() -> new TimeseriesRule(
                        field,
                        section.text("metaField").orElse(null),
                        section.text("granularity").orElse(null),
                        span == 0 ? null : span,
                        rounding == 0 ? null : rounding)))
                .orElse(null);
    }
}
