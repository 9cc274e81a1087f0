package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What {@code config.collections} says of a collection, as far as routing needs it.
 *
 * @param namespace for a time-series collection the bucket namespace
 * @param shardKey the shard key pattern
 * @param defaultCollation the collection's collation; null for simple
 * @param unique whether the key is unique (no effect on targeting)
 * @param unsplittable tracked but not sharded (8.0 and later)
 * @param timeseriesFields the raw {@code timeseriesFields}; null for an ordinary collection
 * @param declared whether a sharding rule says so, and not a cluster
 */
public record CollectionInfo(
        Namespace namespace,
        ShardKey shardKey,
        @Nullable BsonDocument defaultCollation,
        boolean unique,
        boolean unsplittable,
        @Nullable BsonDocument timeseriesFields,
        boolean declared) {
    /** What a cluster says of a collection. */
    CollectionInfo(
            Namespace namespace,
            ShardKey shardKey,
            @Nullable BsonDocument defaultCollation,
            boolean unique,
            boolean unsplittable,
            @Nullable BsonDocument timeseriesFields) {
        this(namespace, shardKey, defaultCollation, unique, unsplittable, timeseriesFields, false);
    }

    /** Begins the name of the collection that holds a time-series collection's buckets. */
    public static final String BUCKETS = "system.buckets.";
}
