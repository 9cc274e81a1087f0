package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** A source that counts what is asked of another one. */
final class CountedSource implements CatalogSource {
    private final CatalogSource source;
    private final LongAdder queries = new LongAdder();
    private final LongAdder chunks = new LongAdder();

    CountedSource(CatalogSource source) {
        this.source = source;
    }

    /** How many queries were begun. */
    long queries() {
        return queries.sum();
    }

    /** How many chunks were read. */
    long chunks() {
        return chunks.sum();
    }

    private <T extends @Nullable Object> T query(Supplier<T> query) {
        queries.increment();
        return query.get();
    }

    private Consumer<BsonDocument> counting(Consumer<BsonDocument> consumer) {
        queries.increment();
        return chunk -> {
            chunks.increment();
            consumer.accept(chunk);
        };
    }

    @Override
    public List<BsonDocument> shards() {
        return query(source::shards);
    }

    @Override
    public List<BsonDocument> databases() {
        return query(source::databases);
    }

    @Override
    public List<BsonDocument> collections() {
        return query(source::collections);
    }

    @Override
    public @Nullable BsonDocument database(String name) {
        return query(() -> source.database(name));
    }

    @Override
    public List<BsonDocument> collections(String database) {
        return query(() -> source.collections(database));
    }

    @Override
    public @Nullable BsonDocument collection(Namespace namespace) {
        return query(() -> source.collection(namespace));
    }

    @Override
    public void chunks(Incarnation incarnation, Consumer<BsonDocument> consumer) {
        source.chunks(incarnation, counting(consumer));
    }

    @Override
    public ChunkVersion highestVersion(Incarnation incarnation) {
        return query(() -> source.highestVersion(incarnation));
    }

    @Override
    public void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> consumer) {
        source.chunksSince(incarnation, version, counting(consumer));
    }

    @Override
    public boolean readsViews() {
        return source.readsViews();
    }

    @Override
    public List<BsonDocument> views(String database) {
        return query(() -> source.views(database));
    }

    @Override
    public List<BsonDocument> clusterParameters() {
        return query(source::clusterParameters);
    }

    @Override
    public @Nullable ObjectId clusterId() {
        return query(source::clusterId);
    }

    @Override
    public void close() {
        source.close();
    }
}
