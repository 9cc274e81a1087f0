package io.scatterguard.tests.support;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Writes tilings as the documents that a cluster of a given release keeps of them in its {@code config} database, with the
 * fields that release writes, also those that routing does not read.
 *
 * <p>The chunk at index i has the version {@code (1 + i / 4)|(i % 4)} and {@code 1 + i % 3} entries of {@code history}: the
 * newest is its owner's, from {@link #SECOND} − i on, each older one the next shard's, 100 s earlier.
 */
public final class LayoutDocuments {
    /** When the cluster was set up, in seconds. */
    public static final int SECOND = 1_700_000_000;

    private final LayoutRelease release;
    private final List<BsonDocument> shards = new ArrayList<>();
    private final List<String> shardIds = new ArrayList<>();
    private final List<BsonDocument> databases = new ArrayList<>();
    private final List<BsonDocument> collections = new ArrayList<>();
    private final List<BsonDocument> chunks = new ArrayList<>();
    private final List<BsonDocument> tags = new ArrayList<>();

    private LayoutDocuments(LayoutRelease release) {
        this.release = release;
    }

    /** A cluster of these shards; one named {@code config} is a config server that is a shard as well (7.0 and later). */
    public static LayoutDocuments of(LayoutRelease release, String... shardIds) {
        LayoutDocuments documents = new LayoutDocuments(release);
        for (String id : shardIds) {
            documents.require(!id.equals("config"), LayoutRelease.V7_0, "a config shard");
            documents.addShard(id);
        }
        return documents;
    }

    private void require(boolean otherwise, LayoutRelease least, String what) {
        if (!otherwise && !release.isAtLeast(least)) {
            throw new IllegalArgumentException(what + ": release " + release + " (expected: at least " + least + ")");
        }
    }

    private void addShard(String id) {
        String set = id.equals("config") ? "cfg" : id;
        BsonDocument shard = new BsonDocument("_id", new BsonString(id))
                .append("host", new BsonString(set + "/" + set + "-1.test:27018," + set + "-2.test:27018"))
                .append("state", new BsonInt32(1));
        if (release.isAtLeast(LayoutRelease.V5_0)) {
            shard.append("topologyTime", new BsonTimestamp(SECOND, 1 + shards.size()));
        }
        if (release.isAtLeast(LayoutRelease.V7_0)) {
            shard.append("replSetConfigVersion", new BsonInt32(shards.isEmpty() ? -1 : 2));
        }
        shardIds.add(id);
        shards.add(shard);
    }

    /** Has the balancer empty a shard, which still receives commands. */
    public LayoutDocuments draining(String shardId) {
        shards.get(shardIds.indexOf(shardId)).append("draining", BsonBoolean.TRUE);
        return this;
    }

    /** Assigns the chunk's range to a zone of its owner's. */
    public LayoutDocuments zone(String zone, LayoutTiling tiling, int chunk) {
        BsonDocument shard = shards.get(shardIds.indexOf(tiling.owners().get(chunk)));
        if (!shard.containsKey("tags")) {
            shard.append("tags", new BsonArray());
        }
        shard.getArray("tags").add(new BsonString(zone));
        BsonValue id = release.isAtLeast(LayoutRelease.V5_0)
                ? new BsonObjectId(new ObjectId(SECOND, tags.size()))
                : new BsonDocument("ns", new BsonString(tiling.namespace())).append("min", tiling.min(chunk));
        tags.add(new BsonDocument("_id", id)
                .append("ns", new BsonString(tiling.namespace()))
                .append("min", tiling.min(chunk))
                .append("max", tiling.max(chunk))
                .append("tag", new BsonString(zone)));
        return this;
    }

    public LayoutDocuments database(String name, String primary) {
        BsonDocument version = new BsonDocument("uuid", uuid("database " + name));
        if (release.isAtLeast(LayoutRelease.V5_0)) {
            version.append("timestamp", new BsonTimestamp(SECOND, 1 + databases.size()));
        }
        BsonDocument database =
                new BsonDocument("_id", new BsonString(name)).append("primary", new BsonString(primary));
        if (!release.isAtLeast(LayoutRelease.V6_0)) {
            database.append("partitioned", BsonBoolean.TRUE);
        }
        databases.add(database.append("version", version.append("lastMod", new BsonInt32(1))));
        return this;
    }

    /** What is left of a dropped collection: a tombstone up to 4.4, nothing in later releases. */
    public LayoutDocuments dropped(String namespace) {
        if (!release.isAtLeast(LayoutRelease.V5_0)) {
            collections.add(new BsonDocument("_id", new BsonString(namespace))
                    .append("lastmodEpoch", new BsonObjectId(new ObjectId("000000000000000000000000")))
                    .append("lastmod", new BsonDateTime(SECOND * 1_000L))
                    .append("dropped", BsonBoolean.TRUE));
        }
        return this;
    }

    public LayoutDocuments collection(LayoutTiling tiling) {
        require(!tiling.options().containsKey("timeseriesFields"), LayoutRelease.V6_0, "a time-series collection");
        require(!tiling.options().containsKey("unsplittable"), LayoutRelease.V8_0, "an unsplittable collection");
        ObjectId epoch = new ObjectId(SECOND, 1 + collections.size());
        BsonBinary uuid = uuid(tiling.namespace());
        BsonDocument collection = new BsonDocument("_id", new BsonString(tiling.namespace()))
                .append("lastmodEpoch", new BsonObjectId(epoch))
                .append("lastmod", new BsonDateTime(SECOND * 1_000L));
        if (release.isAtLeast(LayoutRelease.V5_0)) {
            collection.append("timestamp", new BsonTimestamp(SECOND, 1 + collections.size()));
        } else {
            collection.append("dropped", BsonBoolean.FALSE).append("distributionMode", new BsonString("sharded"));
        }
        collection.append("uuid", uuid).append("key", tiling.key()).append("unique", BsonBoolean.FALSE);
        addBalancerFields(collection);
        collection.putAll(tiling.options());
        collections.add(collection);
        for (int i = 0; i < tiling.owners().size(); i++) {
            chunks.add(chunk(tiling, i, epoch, uuid));
        }
        return this;
    }

    private void addBalancerFields(BsonDocument collection) {
        switch (release) {
            case V4_4 -> collection.append("noBalance", BsonBoolean.FALSE);
            case V5_0 -> collection.append("allowMigrations", BsonBoolean.TRUE);
            case V6_0 -> collection.append("noAutoSplit", BsonBoolean.TRUE);
            case V7_0 -> collection.append("enableAutoMerge", BsonBoolean.FALSE);
            case V8_0 -> collection.append("maxChunkSizeBytes", new BsonInt32(1 << 27));
        }
    }

    private BsonDocument chunk(LayoutTiling tiling, int index, ObjectId epoch, BsonBinary uuid) {
        BsonDocument chunk = new BsonDocument("_id", new BsonObjectId(new ObjectId(SECOND, chunks.size())));
        boolean byUuid = release.isAtLeast(LayoutRelease.V5_0);
        if (byUuid) {
            chunk.append("uuid", uuid);
        } else {
            chunk.append("ns", new BsonString(tiling.namespace()));
        }
        chunk.append("min", tiling.min(index))
                .append("max", tiling.max(index))
                .append("shard", new BsonString(tiling.owners().get(index)))
                .append("lastmod", new BsonTimestamp(1 + index / 4, index % 4));
        if (!byUuid) {
            chunk.append("lastmodEpoch", new BsonObjectId(epoch));
        }
        if (release.isAtLeast(LayoutRelease.V7_0)) {
            chunk.append("onCurrentShardSince", new BsonTimestamp(SECOND - index, 1));
        }
        if (index % 7 == 6) {
            chunk.append("jumbo", BsonBoolean.TRUE);
        }
        return chunk.append("history", history(tiling.owners().get(index), index));
    }

    private BsonArray history(String owner, int index) {
        BsonArray history = new BsonArray();
        int shard = shardIds.indexOf(owner);
        for (int i = 0; i <= index % 3; i++) {
            history.add(new BsonDocument("validAfter", new BsonTimestamp(SECOND - index - 100 * i, 1))
                    .append("shard", new BsonString(shardIds.get((shard + i) % shardIds.size()))));
        }
        return history;
    }

    private static BsonBinary uuid(String name) {
        return new BsonBinary(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** The documents of {@code config.tags}, which no router reads. */
    public List<BsonDocument> tags() {
        return List.copyOf(tags);
    }

    public CatalogDocuments build() {
        BsonDocument version = new BsonDocument("_id", new BsonInt32(1));
        if (!release.isAtLeast(LayoutRelease.V7_0)) {
            version.append("minCompatibleVersion", new BsonInt32(5)).append("currentVersion", new BsonInt32(6));
        }
        version.append("clusterId", new BsonObjectId(new ObjectId(SECOND, 0xc1)));
        return new CatalogDocuments(shards, databases, collections, chunks, List.of(version));
    }
}
