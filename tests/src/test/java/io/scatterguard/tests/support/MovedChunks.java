package io.scatterguard.tests.support;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Documents of a catalog in which something has changed, or is more. */
public final class MovedChunks {
    private MovedChunks() {}

    /** {@code catalog} after a migration of the lowest chunk of {@code namespace} to {@code shard}. */
    public static CatalogDocuments lowest(CatalogDocuments catalog, String namespace, String shard) {
        BsonValue uuid = catalog.collections().stream()
                .filter(collection -> collection.getString("_id").getValue().equals(namespace))
                .findFirst()
                .orElseThrow()
                .get("uuid");
        List<BsonDocument> chunks = new ArrayList<>();
        boolean moved = false;
        for (BsonDocument chunk : catalog.chunks()) {
            boolean lowest = !moved && chunk.get("uuid").equals(uuid);
            chunks.add(lowest ? moved(chunk, shard) : chunk);
            moved |= lowest;
        }
        return new CatalogDocuments(
                catalog.shards(), catalog.databases(), catalog.collections(), chunks, catalog.version());
    }

    private static BsonDocument moved(BsonDocument chunk, String shard) {
        BsonTimestamp now = new BsonTimestamp(1_900_000_000, 1);
        BsonArray history = new BsonArray();
        history.add(new BsonDocument("validAfter", now).append("shard", new BsonString(shard)));
        history.addAll(chunk.getArray("history", new BsonArray()));
        BsonDocument moved = chunk.clone();
        moved.append("shard", new BsonString(shard))
                .append("lastmod", new BsonTimestamp(1_000, 0))
                .append("history", history);
        if (moved.containsKey("onCurrentShardSince")) {
            moved.append("onCurrentShardSince", now);
        }
        return moved;
    }

    /** {@code catalog} with the collections {@code many.c0} and so on, sharded by {@code {a: 1}}. */
    public static CatalogDocuments withCollections(CatalogDocuments catalog, int count) {
        List<BsonDocument> databases = new ArrayList<>(catalog.databases());
        databases.add(BsonDocument.parse("{_id: 'many', primary: 'shard-a'}"));
        List<BsonDocument> collections = new ArrayList<>(catalog.collections());
        List<BsonDocument> chunks = new ArrayList<>(catalog.chunks());
        for (int i = 0; i < count; i++) {
            BsonBinary uuid = new BsonBinary(new UUID(77, i));
            collections.add(BsonDocument.parse("{_id: 'many.c" + i + "', key: {a: 1}}")
                    .append("lastmodEpoch", new BsonObjectId(new ObjectId(1_000, i)))
                    .append("timestamp", new BsonTimestamp(1_800_000_000, i + 1))
                    .append("uuid", uuid));
            chunks.add(chunk("{min: {a: {$minKey: 1}}, max: {a: 500}, shard: 'shard-a'}", 1, i, uuid));
            chunks.add(chunk("{min: {a: 500}, max: {a: {$maxKey: 1}}, shard: 'shard-b'}", 2, i, uuid));
        }
        return new CatalogDocuments(catalog.shards(), databases, collections, chunks, catalog.version());
    }

    private static BsonDocument chunk(String json, int major, int collection, BsonBinary uuid) {
        return BsonDocument.parse(json)
                .append("_id", new BsonObjectId(new ObjectId(2_000 + major, collection)))
                .append("lastmod", new BsonTimestamp(major, 0))
                .append("uuid", uuid);
    }
}
