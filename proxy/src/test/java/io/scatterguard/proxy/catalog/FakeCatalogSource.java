package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Metadata in memory that a test changes; it counts what is read and can be down. */
final class FakeCatalogSource implements CatalogSource {
    static final ObjectId CLUSTER_ID = new ObjectId("650000000000000000000001");

    final List<BsonDocument> shards = new ArrayList<>(List.of(RawCatalogs.SHARD_A, RawCatalogs.SHARD_B));
    final List<BsonDocument> collections = new CopyOnWriteArrayList<>();
    final List<BsonDocument> chunks = new CopyOnWriteArrayList<>();
    final List<String> queries = new CopyOnWriteArrayList<>();
    /** Null where they may not be read. */
    @Nullable List<BsonDocument> clusterParameters = new ArrayList<>();
    /** The documents of {@code system.views}; null as on config servers, where there are none to read. */
    @Nullable List<BsonDocument> views;
    /** Databases whose views cannot be read. */
    final List<String> withoutViews = new ArrayList<>();

    final List<BsonDocument> databases = new ArrayList<>(List.of(BsonDocument.parse("{_id: 'shop', primary: 'b'}")));

    volatile @Nullable RuntimeException down;

    volatile boolean closed;
    /** Runs after every full read of chunks: what changes while a table is loaded. */
    volatile Runnable afterChunks = () -> {};
    /** Runs before every query and before every chunk that is given away: what changes in the middle of a reading. */
    volatile Runnable beforeStep = () -> {};

    /** Replaces whatever there is of this collection. */
    FakeCatalogSource with(RawCatalogs.Collection collection, List<BsonDocument> itsChunks) {
        return with(collection.document(), itsChunks);
    }

    FakeCatalogSource with(BsonDocument collection, List<BsonDocument> itsChunks) {
        remove(collection.getString("_id").getValue());
        collections.add(collection);
        chunks.addAll(itsChunks);
        return this;
    }

    void remove(String namespace) {
        for (BsonDocument collection : List.copyOf(collections)) {
            if (collection.getString("_id").getValue().equals(namespace)) {
                collections.remove(collection);
                chunks.removeIf(of(Incarnation.of(collection)));
            }
        }
    }

    /** The full reads of chunks since the last call. */
    List<String> takeChunkReads() {
        List<String> reads =
                queries.stream().filter(query -> query.startsWith("chunks ")).toList();
        queries.clear();
        return reads;
    }

    /** Moves a chunk, found by its {@code _id}, as a migration does; the donor's control chunk is moved to itself. */
    void move(BsonDocument chunk, String shard, int major, int minor) {
        chunks.replaceAll(present -> present.get("_id").equals(chunk.get("_id"))
                ? present.clone()
                        .append("shard", new BsonString(shard))
                        .append("lastmod", new BsonTimestamp(major, minor))
                : present);
    }

    private void query(String query) {
        beforeStep.run();
        queries.add(query);
        if (down != null) {
            throw down;
        }
    }

    private static Predicate<BsonDocument> of(Incarnation incarnation) {
        return chunk -> incarnation.chunksKey().equals(chunk.get(incarnation.chunksField()));
    }

    @Override
    public List<BsonDocument> shards() {
        query("shards");
        return List.copyOf(shards);
    }

    @Override
    public List<BsonDocument> databases() {
        query("databases");
        return List.copyOf(databases);
    }

    @Override
    public List<BsonDocument> collections() {
        query("collections");
        return List.copyOf(collections);
    }

    @Override
    public @Nullable BsonDocument database(String name) {
        query("database " + name);
        return databases.stream()
                .filter(document -> document.getString("_id").getValue().equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<BsonDocument> collections(String database) {
        query("collections " + database);
        return collections.stream()
                .filter(document -> document.getString("_id").getValue().startsWith(database + "."))
                .toList();
    }

    @Override
    public @Nullable BsonDocument collection(Namespace namespace) {
        query("collection " + namespace);
        return collections.stream()
                .filter(document -> document.getString("_id").getValue().equals(namespace.fullName()))
                .findFirst()
                .orElse(null);
    }

    @Override
    public void chunks(Incarnation incarnation, Consumer<BsonDocument> consumer) {
        query("chunks " + incarnation.namespace());
        // Like a cursor over many batches: each chunk as it is when it is reached.
        for (BsonDocument chunk : chunks.stream().filter(of(incarnation)).toList()) {
            beforeStep.run();
            chunks.stream()
                    .filter(present -> present.get("_id").equals(chunk.get("_id")))
                    .forEach(consumer);
        }
        afterChunks.run();
    }

    @Override
    public ChunkVersion highestVersion(Incarnation incarnation) {
        query("highest " + incarnation.namespace());
        return versions(incarnation).max(Comparator.naturalOrder()).orElse(ChunkVersion.NONE);
    }

    /** Like a cursor over the index by version: what changes meanwhile gets a higher version, and comes later. */
    @Override
    public void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> consumer) {
        query("delta " + incarnation.namespace());
        Optional<BsonDocument> next = from(incarnation, version, true);
        while (next.isPresent()) {
            ChunkVersion given = version(next.get());
            consumer.accept(next.get());
            beforeStep.run();
            next = from(incarnation, given, false);
        }
    }

    private Optional<BsonDocument> from(Incarnation incarnation, ChunkVersion version, boolean included) {
        return chunks.stream()
                .filter(of(incarnation))
                .filter(chunk -> version(chunk).compareTo(version) >= (included ? 0 : 1))
                .min(Comparator.comparing(FakeCatalogSource::version));
    }

    private static ChunkVersion version(BsonDocument chunk) {
        return ChunkVersion.of(chunk.getTimestamp("lastmod"));
    }

    private Stream<ChunkVersion> versions(Incarnation incarnation) {
        return chunks.stream().filter(of(incarnation)).map(FakeCatalogSource::version);
    }

    @Override
    public List<BsonDocument> clusterParameters() {
        query("clusterParameters");
        if (clusterParameters == null) {
            throw new IllegalStateException("not authorized");
        }
        return List.copyOf(clusterParameters);
    }

    @Override
    public boolean readsViews() {
        return views != null;
    }

    @Override
    public List<BsonDocument> views(String database) {
        query("views " + database);
        if (withoutViews.contains(database)) {
            throw new IllegalStateException("not authorized on " + database);
        }
        return views.stream()
                .filter(view -> view.get("_id").toString().contains("'" + database + "."))
                .toList();
    }

    @Override
    public ObjectId clusterId() {
        query("version");
        return CLUSTER_ID;
    }

    @Override
    public void close() {
        closed = true;
    }
}
