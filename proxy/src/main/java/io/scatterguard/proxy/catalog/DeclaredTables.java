package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.Unsplittable;
import io.scatterguard.proxy.config.TimeseriesRule;
import java.util.BitSet;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaxKey;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Makes the routing table of a declared collection, by the same way as one that was read. Its version is
 * {@link ChunkVersion#NONE}: there is no cluster that gave it one.
 */
final class DeclaredTables {
    private final ShardNames names;
    private final ShardOrdinals ordinals;
    private final DeclaredLayout layout;

    DeclaredTables(ShardNames names, ShardOrdinals ordinals, DeclaredLayout layout) {
        this.names = names;
        this.ordinals = ordinals;
        this.layout = layout;
    }

    /** @throws CatalogException if its chunks do not fit together; the rule's own checks leave no such case */
    RoutingTable table(CollectionRule rule) {
        RoutingTableAssembler assembler = new RoutingTableAssembler(info(rule), ordinals);
        DeclaredChunks chunks = DeclaredChunks.of(rule, names, layout);
        List<BsonDocument> mins =
                chunks.mins().stream().map(min -> inBuckets(min, rule)).toList();
        for (int i = 0; i < mins.size(); i++) {
            BsonDocument max = i + 1 < mins.size() ? mins.get(i + 1) : highest(mins.get(i));
            assembler.add(new BsonDocument("min", mins.get(i))
                    .append("max", max)
                    .append("shard", new BsonString(chunks.shards().get(i)))
                    .append("lastmod", new BsonTimestamp(0, 0)));
        }
        RoutingTable table = assembler.build();
        return !chunks.known() && rule.distribution() instanceof Shards shards
                ? table.withoutBounds(owners(shards.count()))
                : table;
    }

    private ShardSet owners(int count) {
        BitSet owners = new BitSet();
        names.first(count).forEach(id -> owners.set(ordinals.ordinal(id)));
        return ShardSet.of(owners);
    }

    private CollectionInfo info(CollectionRule rule) {
        BsonDocument collation = rule.collation();
        boolean simple = collation == null || new BsonString("simple").equals(collation.get("locale"));
        return new CollectionInfo(
                tracked(rule),
                ShardKey.of(inBuckets(rule.key(), rule)),
                simple ? null : collation,
                rule.unique(),
                rule.distribution() instanceof Unsplittable,
                rule.timeseries() == null ? null : fields(rule.timeseries()),
                true);
    }

    /** The namespace under which the cluster would track the collection (targeting semantics §14.4). */
    Namespace tracked(CollectionRule rule) {
        return rule.timeseries() == null || layout.viewless() ? rule.namespace() : buckets(rule.namespace());
    }

    static Namespace buckets(Namespace namespace) {
        return new Namespace(namespace.database(), CollectionInfo.BUCKETS + namespace.collection());
    }

    private static BsonDocument fields(TimeseriesRule rule) {
        BsonDocument fields = new BsonDocument("timeField", new BsonString(rule.timeField()));
        text(fields, "metaField", rule.metaField());
        text(fields, "granularity", rule.granularity());
        number(fields, "bucketMaxSpanSeconds", rule.bucketMaxSpanSeconds());
        number(fields, "bucketRoundingSeconds", rule.bucketRoundingSeconds());
        return fields;
    }

    private static void text(BsonDocument fields, String name, @Nullable String value) {
        if (value != null) {
            fields.append(name, new BsonString(value));
        }
    }

    private static void number(BsonDocument fields, String name, @Nullable Integer value) {
        if (value != null) {
            fields.append(name, new BsonInt32(value));
        }
    }

    /**
     * A key, or a value of it, under the names that its fields have in the buckets' documents. The key that the server gives to
     * what is not split is of the buckets' documents already.
     */
    private static BsonDocument inBuckets(BsonDocument key, CollectionRule rule) {
        TimeseriesRule timeseries = rule.timeseries();
        if (timeseries == null || rule.distribution() instanceof Unsplittable) {
            return key;
        }
        BsonDocument renamed = new BsonDocument();
        key.forEach((path, value) -> renamed.append(inBuckets(path, timeseries), value));
        return renamed;
    }

    private static String inBuckets(String path, TimeseriesRule timeseries) {
        String meta = timeseries.metaField();
        return path.equals(timeseries.timeField()) || meta == null
                ? "control.min." + path
                : "meta" + path.substring(meta.length());
    }

    private static BsonDocument highest(BsonDocument min) {
        BsonDocument highest = new BsonDocument();
        BsonValue end = new BsonMaxKey();
        min.keySet().forEach(field -> highest.append(field, end));
        return highest;
    }
}
