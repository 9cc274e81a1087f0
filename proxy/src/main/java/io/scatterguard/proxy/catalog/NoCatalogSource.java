package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** The metadata of what is no cluster: there is none. */
public final class NoCatalogSource implements CatalogSource {
    @Override
    public List<BsonDocument> shards() {
        return List.of();
    }

    @Override
    public List<BsonDocument> databases() {
        return List.of();
    }

    @Override
    public List<BsonDocument> collections() {
        return List.of();
    }

    @Override
    public @Nullable BsonDocument database(String name) {
        return null;
    }

    @Override
    public List<BsonDocument> collections(String database) {
        return List.of();
    }

    @Override
    public @Nullable BsonDocument collection(Namespace namespace) {
        return null;
    }

    @Override
    public void chunks(Incarnation incarnation, Consumer<BsonDocument> chunks) {
        // There are none.
    }

    @Override
    public ChunkVersion highestVersion(Incarnation incarnation) {
        return ChunkVersion.NONE;
    }

    @Override
    public void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> chunks) {
        // There are none.
    }

    @Override
    public boolean readsViews() {
        return false;
    }

    @Override
    public List<BsonDocument> views(String database) {
        return List.of();
    }

    @Override
    public List<BsonDocument> clusterParameters() {
        return List.of();
    }

    @Override
    public @Nullable ObjectId clusterId() {
        return null;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
