package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The catalog that a targeting vector describes (targeting semantics §20): collection {@code c} of database {@code test},
 * and the namespaces that it involves besides.
 */
public final class VectorCatalog {
    /** The database of a vector's collections. */
    public static final String DATABASE = "test";

    private static final RouterRelease VIEWLESS = new RouterRelease(9, 0);

    private final Members vector;
    private final ConfigDocuments config = new ConfigDocuments();

    private VectorCatalog(Members vector) {
        this.vector = vector;
    }

    /** The catalog of a vector in Extended JSON, as a cluster before 9.0 has it. */
    public static CatalogSnapshot of(String vector) {
        return of(BsonDocument.parse(vector));
    }

    /** The catalog of a vector, as a cluster before 9.0 has it. */
    public static CatalogSnapshot of(BsonDocument vector) {
        return of(new Members(vector), new RouterRelease(6, 3));
    }

    /**
     * @param release decides under which name a time-series collection stands (addendum §A.6)
     * @throws LineFormatException if the vector does not describe one
     */
    static CatalogSnapshot of(Members vector, RouterRelease release) {
        return new VectorCatalog(vector).build(release);
    }

    private CatalogSnapshot build(RouterRelease release) {
        if (vector.has("allShards")) {
            vector.strings("allShards").forEach(config::shard);
        }
        List<BsonDocument> layout = vector.documentsOrNone("chunks");
        if (!vector.flag("unsharded")) {
            boolean buckets = vector.has("timeseries") && release.compareTo(VIEWLESS) < 0;
            String name = DATABASE + (buckets ? ".system.buckets.c" : ".c");
            config.collection(name, vector.document("shardKey"), layout, options());
        }
        String first = layout.isEmpty() ? "" : new Members(layout.get(0)).string("shard");
        config.database(
                DATABASE, first.isEmpty() ? vector.string("primaryShard") : vector.string("primaryShard", first));
        if (vector.has("involved")) {
            vector.document("involved").forEach(this::involve);
        }
        if (vector.has("clusterParameters")) {
            BsonDocument parameters = vector.document("clusterParameters");
            parameters.keySet().forEach(p -> config.clusterParameter(p, new Members(parameters).document(p)));
        }
        return config.build();
    }

    private BsonDocument options() {
        BsonDocument options = new BsonDocument();
        for (String flag : List.of("unique", "unsplittable")) {
            if (vector.has(flag)) {
                options.append(flag, BsonBoolean.valueOf(vector.flag(flag)));
            }
        }
        if (vector.has("collation")) {
            options.append("defaultCollation", vector.document("collation"));
        }
        if (vector.has("timeseries")) {
            options.append("timeseriesFields", vector.document("timeseries"));
        }
        return options;
    }

    /**
     * A namespace that a stage reads or writes: with a key and chunks of its own, or of one chunk by {@code _id}, which is
     * on the first shard unless another is named.
     */
    private void involve(String name, BsonValue value) {
        if (!value.isDocument()) {
            throw new LineFormatException("involved." + name + ": " + Members.json(value) + " (expected: a document)");
        }
        Members description = new Members(value.asDocument());
        if (description.has("view")) {
            return;
        }
        if (description.has("chunks")) {
            List<BsonDocument> chunks = description.documents("chunks");
            config.collection(DATABASE + "." + name, description.document("shardKey"), chunks, new BsonDocument());
            return;
        }
        BsonDocument chunk = BsonDocument.parse("{min: {_id: {$minKey: 1}}, max: {_id: {$maxKey: 1}}}")
                .append(
                        "shard",
                        new BsonString(
                                description.string("shard", config.shards().get(0))));
        BsonDocument options = description.has("unsplittable")
                ? new BsonDocument("unsplittable", BsonBoolean.TRUE)
                : new BsonDocument();
        config.collection(DATABASE + "." + name, new BsonDocument("_id", new BsonInt32(1)), List.of(chunk), options);
    }
}
