package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code config} database, one query a call. Every method blocks, so none may be called on an event loop, and
 * throws an unchecked exception when the metadata cannot be reached. Used by one thread at a time.
 */
public interface CatalogSource extends AutoCloseable {
    /** All documents of {@code config.shards}. */
    List<BsonDocument> shards();

    /** All documents of {@code config.databases}. */
    List<BsonDocument> databases();

    /** All documents of {@code config.collections}. */
    List<BsonDocument> collections();

    /** The document of {@code config.collections} of one namespace, null if there is none (any more). */
    @Nullable BsonDocument collection(Namespace namespace);

    /** Gives every chunk of the collection to {@code chunks}; the order does not matter, but ascending {@code min} is cheapest. */
    void chunks(Incarnation incarnation, Consumer<BsonDocument> chunks);

    /** The highest version among the collection's chunks, {@link ChunkVersion#NONE} if it has none. */
    ChunkVersion highestVersion(Incarnation incarnation);

    /**
     * The lowest versions at or above {@code version} among the collection's chunks, ascending.
     *
     * @param limit how many at most
     */
    List<ChunkVersion> versionsSince(Incarnation incarnation, ChunkVersion version, int limit);

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
