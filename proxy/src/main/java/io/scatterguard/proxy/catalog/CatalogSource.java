package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code config} database, one query a call. Every method blocks, so none may be called on an event loop, and
 * throws an unchecked exception when the metadata cannot be reached. Thread-safe.
 */
public interface CatalogSource extends AutoCloseable {
    /** All documents of {@code config.shards}. */
    List<BsonDocument> shards();

    /** All documents of {@code config.databases}. */
    List<BsonDocument> databases();

    /** All documents of {@code config.collections}. */
    List<BsonDocument> collections();

    /** The document of {@code config.databases} of one database, null if there is none (any more). */
    @Nullable BsonDocument database(String name);

    /** The documents of {@code config.collections} of one database. */
    List<BsonDocument> collections(String database);

    /** The document of {@code config.collections} of one namespace, null if there is none (any more). */
    @Nullable BsonDocument collection(Namespace namespace);

    /** Gives every chunk of the collection to {@code chunks}; the order does not matter, but ascending {@code min} is cheapest. */
    void chunks(Incarnation incarnation, Consumer<BsonDocument> chunks);

    /** The highest version among the collection's chunks, {@link ChunkVersion#NONE} if it has none. */
    ChunkVersion highestVersion(Incarnation incarnation);

    /**
     * Gives every chunk of the collection at or above {@code version} to {@code chunks}, ascending by version. What changes
     * meanwhile gets a higher version and so comes later, so that whatever is given last is true together.
     */
    void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> chunks);

    /**
     * Whether {@link #views} knows them: through a {@code mongos}, not on config servers, which hold no views. Asked after
     * the first query.
     */
    boolean readsViews();

    /**
     * The views of one database, each as in its {@code system.views}: {@code {_id: "db.view", viewOn, pipeline,
     * collation}}. Views that time-series collections are may be among them.
     */
    List<BsonDocument> views(String database);

    /** All documents of {@code config.clusterParameters}. */
    List<BsonDocument> clusterParameters();

    /** The {@code clusterId} of {@code config.version}, null if there is none. */
    @Nullable ObjectId clusterId();

    @Override
    void close();
}
