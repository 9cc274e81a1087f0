package io.scatterguard.tests.support;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Puts together what the {@code config} database of a 6.0 cluster holds: shards, databases, collections and chunks. */
public final class ClusterDocuments {
    private static final int SECOND = 1_700_000_000;

    private final List<BsonDocument> shards = new ArrayList<>();
    private final List<BsonDocument> databases = new ArrayList<>();
    private final List<BsonDocument> collections = new ArrayList<>();
    private final List<BsonDocument> chunks = new ArrayList<>();

    private ClusterDocuments(List<String> shardIds) {
        for (String id : shardIds) {
            shards.add(new BsonDocument("_id", new BsonString(id))
                    .append("host", new BsonString(id + "/" + id + ".test:27018"))
                    .append("state", new BsonInt32(1)));
        }
    }

    /** A cluster of these shards. */
    public static ClusterDocuments of(String... shardIds) {
        return new ClusterDocuments(List.of(shardIds));
    }

    public ClusterDocuments database(String name, String primary) {
        databases.add(new BsonDocument("_id", new BsonString(name)).append("primary", new BsonString(primary)));
        return this;
    }

    /**
     * Adds a sharded collection.
     *
     * @param key the shard key in Extended JSON
     * @param splits full keys, ascending
     * @param owners the shard of each chunk, one more than there are splits
     */
    public ClusterDocuments sharded(String namespace, String key, List<BsonDocument> splits, String... owners) {
        if (owners.length != splits.size() + 1) {
            throw new IllegalArgumentException("owners: " + owners.length + " (expected: " + (splits.size() + 1) + ")");
        }
        BsonDocument pattern = BsonDocument.parse(key);
        BsonBinary uuid = new BsonBinary(UUID.nameUUIDFromBytes(namespace.getBytes(StandardCharsets.UTF_8)));
        collections.add(new BsonDocument("_id", new BsonString(namespace))
                .append("lastmodEpoch", new BsonObjectId(new ObjectId(SECOND, collections.size())))
                .append("timestamp", new BsonTimestamp(SECOND, 1 + collections.size()))
                .append("uuid", uuid)
                .append("key", pattern));
        for (int i = 0; i < owners.length; i++) {
            chunks.add(new BsonDocument("_id", new BsonObjectId(new ObjectId(SECOND, chunks.size())))
                    .append("uuid", uuid)
                    .append("min", i == 0 ? bound(pattern, new BsonMinKey()) : splits.get(i - 1))
                    .append("max", i == splits.size() ? bound(pattern, new BsonMaxKey()) : splits.get(i))
                    .append("shard", new BsonString(owners[i]))
                    .append("lastmod", new BsonTimestamp(1, i)));
        }
        return this;
    }

    private static BsonDocument bound(BsonDocument pattern, BsonValue end) {
        BsonDocument bound = new BsonDocument();
        pattern.keySet().forEach(field -> bound.append(field, end));
        return bound;
    }

    public CatalogDocuments build() {
        BsonDocument version = new BsonDocument("_id", new BsonInt32(1))
                .append("clusterId", new BsonObjectId(new ObjectId(SECOND, 0xc1)));
        return new CatalogDocuments(shards, databases, collections, chunks, List.of(version));
    }
}
