package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** A source that shows only some of the collections, so that the chunks of the others are not read. */
record SelectedCollections(CatalogSource source, Predicate<Namespace> wanted) implements CatalogSource {
    @Override
    public List<BsonDocument> shards() {
        return source.shards();
    }

    @Override
    public List<BsonDocument> databases() {
        return source.databases();
    }

    @Override
    public List<BsonDocument> collections() {
        return selected(source.collections());
    }

    @Override
    public List<BsonDocument> collections(String database) {
        return selected(source.collections(database));
    }

    /** A document without a name stays: it is a problem, and perhaps about what is wanted. */
    private List<BsonDocument> selected(List<BsonDocument> collections) {
        return collections.stream()
                .filter(document -> {
                    BsonValue id = document.get("_id");
                    return id == null
                            || !id.isString()
                            || wanted.test(Namespace.parse(id.asString().getValue()));
                })
                .toList();
    }

    @Override
    public @Nullable BsonDocument database(String name) {
        return source.database(name);
    }

    @Override
    public @Nullable BsonDocument collection(Namespace namespace) {
        return source.collection(namespace);
    }

    @Override
    public void chunks(Incarnation incarnation, Consumer<BsonDocument> chunks) {
        source.chunks(incarnation, chunks);
    }

    @Override
    public ChunkVersion highestVersion(Incarnation incarnation) {
        return source.highestVersion(incarnation);
    }

    @Override
    public void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> chunks) {
        source.chunksSince(incarnation, version, chunks);
    }

    @Override
    public boolean readsViews() {
        return source.readsViews();
    }

    @Override
    public List<BsonDocument> views(String database) {
        return source.views(database);
    }

    @Override
    public List<BsonDocument> clusterParameters() {
        return source.clusterParameters();
    }

    @Override
    public @Nullable ObjectId clusterId() {
        return source.clusterId();
    }

    @Override
    public void close() {
        source.close();
    }
}
