package io.scatterguard.tests.conformance;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Builds the metadata a vector describes, as the documents of {@code config} that a cluster would hold. */
public final class VectorCatalog {
    public static final String DATABASE = "test";

    private final BsonDocument vector;
    private final List<BsonDocument> collections = new ArrayList<>();
    private final List<BsonDocument> chunks = new ArrayList<>();
    private final Set<String> shards = new LinkedHashSet<>();

    private VectorCatalog(BsonDocument vector) {
        this.vector = vector;
    }

    /** The catalog of a vector in Extended JSON. */
    static CatalogSnapshot of(String vector) {
        return of(BsonDocument.parse(vector));
    }

    public static CatalogSnapshot of(BsonDocument vector) {
        return new VectorCatalog(vector).build();
    }

    private CatalogSnapshot build() {
        BsonArray layout = vector.getArray("chunks", new BsonArray());
        if (vector.containsKey("allShards")) {
            vector.getArray("allShards").forEach(s -> shards.add(s.asString().getValue()));
        }
        layout.forEach(c -> shards.add(c.asDocument().getString("shard").getValue()));
        String primary = vector.containsKey("primaryShard")
                ? vector.getString("primaryShard").getValue()
                : layout.get(0).asDocument().getString("shard").getValue();
        shards.add(primary);
        if (!vector.getBoolean("unsharded", BsonBoolean.FALSE).getValue()) {
            addCollection(collectionName(), vector.getDocument("shardKey"), layout);
        }
        vector.getDocument("involved", new BsonDocument()).forEach((name, value) -> addInvolved(name, value));
        List<BsonDocument> shardDocuments = shards.stream()
                .map(s -> new BsonDocument("_id", new BsonString(s)).append("host", new BsonString("rs/" + s + ":1")))
                .toList();
        BsonDocument database =
                new BsonDocument("_id", new BsonString(DATABASE)).append("primary", new BsonString(primary));
        RawCatalog raw = new RawCatalog(shardDocuments, List.of(database), collections, chunks);
        return CatalogBuilder.build(raw, ShardRegistry.empty(), Instant.EPOCH);
    }

    private String collectionName() {
        return vector.containsKey("timeseries") ? "system.buckets.c" : "c";
    }

    private void addCollection(String name, BsonDocument key, BsonArray layout) {
        BsonDocument collection = collection(name, key);
        for (String flag : List.of("unique", "unsplittable")) {
            if (vector.containsKey(flag)) {
                collection.append(flag, vector.get(flag));
            }
        }
        if (vector.containsKey("collation")) {
            collection.append("defaultCollation", vector.get("collation"));
        }
        if (vector.containsKey("timeseries")) {
            collection.append("timeseriesFields", vector.get("timeseries"));
        }
        collections.add(collection);
        int minor = 0;
        for (BsonValue chunk : layout) {
            BsonDocument c = chunk.asDocument();
            addChunk(collection, c.getDocument("min"), c.getDocument("max"), c.getString("shard"), minor++);
        }
    }

    /** A namespace that a stage reads or writes; a sharded one is on every shard that is not named otherwise. */
    private void addInvolved(String name, BsonValue value) {
        BsonDocument description = value.asDocument();
        if (description.containsKey("view")) {
            return;
        }
        BsonDocument key = new BsonDocument("_id", new BsonInt32(1));
        BsonDocument collection = collection(name, key);
        if (description.containsKey("unsplittable")) {
            collection.append("unsplittable", BsonBoolean.TRUE);
        }
        collections.add(collection);
        BsonDocument min = BsonDocument.parse("{_id: {$minKey: 1}}");
        BsonDocument max = BsonDocument.parse("{_id: {$maxKey: 1}}");
        BsonString owner = description.containsKey("shard")
                ? description.getString("shard")
                : new BsonString(shards.iterator().next());
        shards.add(owner.getValue());
        addChunk(collection, min, max, owner, 0);
    }

    private static BsonDocument collection(String name, BsonDocument key) {
        return new BsonDocument("_id", new BsonString(DATABASE + "." + name))
                .append("lastmodEpoch", new BsonObjectId(new ObjectId("000000000000000000000001")))
                .append("timestamp", new BsonTimestamp(1, 1))
                .append("uuid", new BsonBinary(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))))
                .append("key", key);
    }

    private void addChunk(BsonDocument collection, BsonDocument min, BsonDocument max, BsonString shard, int minor) {
        chunks.add(new BsonDocument("_id", new BsonObjectId())
                .append("uuid", collection.get("uuid"))
                .append("min", min)
                .append("max", max)
                .append("shard", shard)
                .append("lastmod", new BsonTimestamp(1, minor)));
    }
}
