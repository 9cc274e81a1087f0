package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
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
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Gathers the documents that the {@code config} database of a described cluster would hold, in the layout of 5.0 and later. */
final class ConfigDocuments {
    private final Set<String> shards = new LinkedHashSet<>();
    private final List<BsonDocument> databases = new ArrayList<>();
    private final List<BsonDocument> collections = new ArrayList<>();
    private final List<BsonDocument> chunks = new ArrayList<>();
    private final List<BsonDocument> views = new ArrayList<>();
    private final List<BsonDocument> clusterParameters = new ArrayList<>();

    void shard(String name) {
        shards.add(name);
    }

    /** The shards so far, in the order in which they were named. */
    List<String> shards() {
        return List.copyOf(shards);
    }

    void database(String name, String primary) {
        shards.add(primary);
        databases.add(new BsonDocument("_id", new BsonString(name)).append("primary", new BsonString(primary)));
    }

    /**
     * A tracked collection.
     *
     * @param layout its chunks, {@code {min, max, shard}}
     * @param options further members of its document, like {@code defaultCollation}
     */
    void collection(String namespace, BsonDocument key, List<BsonDocument> layout, BsonDocument options) {
        BsonBinary uuid = new BsonBinary(UUID.nameUUIDFromBytes(namespace.getBytes(StandardCharsets.UTF_8)));
        BsonDocument collection = new BsonDocument("_id", new BsonString(namespace))
                .append("lastmodEpoch", new BsonObjectId(new ObjectId("000000000000000000000001")))
                .append("timestamp", new BsonTimestamp(1, 1))
                .append("uuid", uuid)
                .append("key", key);
        collection.putAll(options);
        collections.add(collection);
        int minor = 0;
        for (BsonDocument chunk : layout) {
            Members members = new Members(chunk);
            String shard = members.string("shard");
            shards.add(shard);
            chunks.add(new BsonDocument("_id", new BsonObjectId())
                    .append("uuid", uuid)
                    .append("min", members.document("min"))
                    .append("max", members.document("max"))
                    .append("shard", new BsonString(shard))
                    .append("lastmod", new BsonTimestamp(1, minor++)));
        }
    }

    void view(String namespace, BsonValue viewOn, BsonValue pipeline) {
        views.add(new BsonDocument("_id", new BsonString(namespace))
                .append("viewOn", viewOn)
                .append("pipeline", pipeline));
    }

    /** @param value its document without {@code _id}, like {@code {enabled: true}} */
    void clusterParameter(String name, BsonDocument value) {
        BsonDocument parameter = new BsonDocument("_id", new BsonString(name));
        parameter.putAll(value);
        clusterParameters.add(parameter);
    }

    /** @throws LineFormatException if a collection's chunks do not tile the key space, or the like */
    CatalogSnapshot build() {
        List<BsonDocument> registry = shards.stream()
                .map(s -> new BsonDocument("_id", new BsonString(s)).append("host", new BsonString("rs/" + s + ":1")))
                .toList();
        RawCatalog raw = new RawCatalog(registry, databases, collections, chunks, List.of(), views, clusterParameters);
        CatalogLoad load = CatalogBuilder.load(raw, ShardRegistry.empty(), Instant.EPOCH);
        if (!load.problems().isEmpty()) {
            CatalogProblem problem = load.problems().get(0);
            throw new LineFormatException("the described collections: " + problem.subject() + ": " + problem.message());
        }
        return load.snapshot();
    }
}
