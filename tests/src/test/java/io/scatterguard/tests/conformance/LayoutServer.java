package io.scatterguard.tests.conformance;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.LayoutRelease;
import io.scatterguard.tests.support.LayoutTiling;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * A server whose {@code config} database is that of a cluster of one release, and what the cluster does to it: as its shards
 * and config servers write it, document by document.
 */
final class LayoutServer implements AutoCloseable {
    private final LayoutRelease release;
    private final EmbeddedServer server = EmbeddedServer.start(0);
    private final MongoClient client = MongoClients.create(server.connectionString());
    private final MongoDatabase config = client.getDatabase("config");
    private int life = 100;

    LayoutServer(LayoutRelease release, CatalogDocuments documents) {
        this.release = release;
        insert("shards", documents.shards());
        insert("databases", documents.databases());
        insert("collections", documents.collections());
        // In no order: who needs one has to ask for it.
        List<BsonDocument> chunks = new ArrayList<>(documents.chunks());
        Collections.shuffle(chunks, ThreadLocalRandom.current());
        insert("chunks", chunks);
        insert("version", documents.version());
    }

    String uri() {
        return server.connectionString();
    }

    private void insert(String name, List<BsonDocument> documents) {
        all(name).insertMany(documents);
    }

    private MongoCollection<BsonDocument> all(String name) {
        return config.getCollection(name, BsonDocument.class);
    }

    private BsonDocument collection(String namespace) {
        BsonDocument found = all("collections").find(id(namespace)).first();
        if (found == null) {
            throw new IllegalArgumentException("namespace: " + namespace + " (expected: a tracked collection)");
        }
        return found;
    }

    private static BsonDocument id(String namespace) {
        return new BsonDocument("_id", new BsonString(namespace));
    }

    private boolean byUuid() {
        return release.compareTo(LayoutRelease.V5_0) >= 0;
    }

    private BsonDocument ofCollection(BsonDocument collection) {
        return byUuid()
                ? new BsonDocument("uuid", collection.get("uuid"))
                : new BsonDocument("ns", collection.get("_id"));
    }

    private BsonDocument chunk(BsonDocument collection, BsonDocument min, BsonDocument max, String shard) {
        BsonDocument chunk = new BsonDocument("_id", new BsonObjectId(new ObjectId()));
        chunk.putAll(ofCollection(collection));
        if (!byUuid()) {
            chunk.append("lastmodEpoch", collection.get("lastmodEpoch"));
        }
        return chunk.append("min", min).append("max", max).append("shard", new BsonString(shard));
    }

    private void remove(String namespace, BsonDocument min) {
        all("chunks").deleteOne(ofCollection(collection(namespace)).append("min", min));
    }

    private void put(String namespace, BsonDocument min, BsonDocument max, String shard, int major, int minor) {
        remove(namespace, min);
        all("chunks")
                .insertOne(chunk(collection(namespace), min, max, shard)
                        .append("lastmod", new BsonTimestamp(major, minor)));
    }

    /** Writes the chunk at {@code index} of {@code tiling} anew, under another version. */
    void write(LayoutTiling tiling, int index, int major, int minor) {
        put(
                tiling.namespace(),
                tiling.min(index),
                tiling.max(index),
                tiling.owners().get(index),
                major,
                minor);
    }

    /** Takes away the chunk that begins there. */
    void erase(LayoutTiling tiling, int index) {
        remove(tiling.namespace(), tiling.min(index));
    }

    /** Removes a collection as its drop does. */
    void drop(String namespace) {
        all("chunks").deleteMany(ofCollection(collection(namespace)));
        all("collections").deleteOne(id(namespace));
        if (!byUuid()) {
            all("collections").insertOne(id(namespace).append("dropped", BsonBoolean.TRUE));
        }
    }

    /**
     * Begins another life of a collection, with the chunks of {@code tiling}, each under a minor version of its own.
     *
     * @param sameUuid whether it stays the same collection: refined, and not resharded
     */
    void replace(LayoutTiling tiling, boolean sameUuid) {
        BsonDocument before = collection(tiling.namespace());
        life++;
        BsonDocument after = before.clone()
                .append("key", tiling.key())
                .append("lastmodEpoch", new BsonObjectId(new ObjectId(life, life)));
        if (!sameUuid) {
            after.append("uuid", uuid(tiling.namespace() + life));
        }
        if (byUuid()) {
            after.append("timestamp", new BsonTimestamp(1_800_000_000 + life, 1));
        }
        all("chunks").deleteMany(ofCollection(before));
        List<BsonDocument> chunks = new ArrayList<>();
        for (int i = 0; i < tiling.owners().size(); i++) {
            chunks.add(
                    chunk(after, tiling.min(i), tiling.max(i), tiling.owners().get(i))
                            .append("lastmod", new BsonTimestamp(1, i)));
        }
        insert("chunks", chunks);
        all("collections").replaceOne(id(tiling.namespace()), after);
    }

    private static BsonBinary uuid(String name) {
        return new BsonBinary(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** {@code tiling} under a key with one more field, as refining it leaves the bounds. */
    static LayoutTiling refined(LayoutTiling tiling, String field) {
        BsonDocument key = tiling.key().clone().append(field, new BsonInt32(1));
        List<BsonDocument> splits = tiling.splits().stream()
                .map(split -> split.clone().append(field, new BsonMinKey()))
                .toList();
        return new LayoutTiling(tiling.namespace(), key, splits, tiling.owners(), tiling.options());
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
