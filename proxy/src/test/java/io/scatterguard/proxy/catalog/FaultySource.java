package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** A source that fails in the ways that metadata and what lies before it can fail. */
final class FaultySource implements CatalogSource {
    enum Fault {
        NONE,
        /** Every query takes half a minute. */
        SLOW,
        /** Every query is refused. */
        REFUSING,
        /** The connection is cut in the middle of the chunks. */
        CUT,
        /** A chunk is missing. */
        GAP,
        /** A chunk comes twice, the second time as another one's. */
        OVERLAP,
        /** A chunk's fields are of types that they never have. */
        GARBAGE_CHUNKS,
        /** So are those of collections. */
        GARBAGE_COLLECTIONS,
        /** A shard is named by a number. */
        GARBAGE_SHARD;

        boolean isOfChunks() {
            return this == GAP || this == OVERLAP || this == GARBAGE_CHUNKS;
        }
    }

    private final FakeCatalogSource source;
    private final Consumer<Duration> passing;
    volatile Fault fault = Fault.NONE;

    /** {@code passing} is told how much time a query takes. */
    FaultySource(FakeCatalogSource source, Consumer<Duration> passing) {
        this.source = source;
        this.passing = passing;
    }

    private void query() {
        if (fault == Fault.SLOW) {
            passing.accept(Duration.ofSeconds(30));
        } else if (fault == Fault.REFUSING) {
            throw new IllegalStateException("connection refused");
        }
    }

    /** What comes of the chunks of one collection. */
    private List<BsonDocument> changed(List<BsonDocument> chunks) {
        List<BsonDocument> all = new ArrayList<>(chunks);
        int middle = all.size() / 2;
        if (all.isEmpty()) {
            return all;
        }
        switch (fault) {
            case GAP -> all.remove(middle);
            case OVERLAP -> {
                BsonDocument twice = all.get(middle).clone();
                twice.put("min", all.get(0).get("min"));
                all.add(twice);
            }
            case GARBAGE_CHUNKS -> all.set(middle, all.get(middle).clone().append("min", new BsonString("x")));
            case GARBAGE_SHARD -> all.set(middle, all.get(middle).clone().append("shard", new BsonInt32(5)));
            default -> {}
        }
        return all;
    }

    @Override
    public void chunks(Incarnation incarnation, Consumer<BsonDocument> consumer) {
        query();
        List<BsonDocument> chunks = new ArrayList<>();
        source.chunks(incarnation, chunks::add);
        int given = 0;
        for (BsonDocument chunk : changed(chunks)) {
            if (fault == Fault.CUT && given++ == 1) {
                throw new IllegalStateException("connection reset");
            }
            consumer.accept(chunk);
        }
    }

    @Override
    public void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> consumer) {
        query();
        List<BsonDocument> chunks = new ArrayList<>();
        source.chunksSince(incarnation, version, chunks::add);
        // What is left out of changes cannot be told from what has not changed; that a chunk has become too small can.
        List<BsonDocument> given = fault == Fault.GAP ? shrunk(chunks) : changed(chunks);
        for (int i = 0; i < given.size(); i++) {
            if (fault == Fault.CUT && i == 1) {
                throw new IllegalStateException("connection reset");
            }
            consumer.accept(given.get(i));
        }
    }

    private static List<BsonDocument> shrunk(List<BsonDocument> chunks) {
        return chunks.stream()
                .map(chunk -> {
                    BsonValue max = chunk.getDocument("max").get("a");
                    return max.isNumber()
                            ? chunk.clone()
                                    .append(
                                            "max",
                                            new BsonDocument(
                                                    "a",
                                                    new BsonInt32(max.asNumber().intValue() - 1)))
                            : chunk;
                })
                .toList();
    }

    private List<BsonDocument> collectionsAsTheyCome(List<BsonDocument> collections) {
        return fault == Fault.GARBAGE_COLLECTIONS
                ? collections.stream()
                        .map(document -> document.clone().append("key", new BsonInt32(1)))
                        .toList()
                : collections;
    }

    @Override
    public List<BsonDocument> shards() {
        query();
        return source.shards();
    }

    @Override
    public List<BsonDocument> databases() {
        query();
        return source.databases();
    }

    @Override
    public List<BsonDocument> collections() {
        query();
        return collectionsAsTheyCome(source.collections());
    }

    @Override
    public @Nullable BsonDocument collection(Namespace namespace) {
        query();
        BsonDocument found = source.collection(namespace);
        return found == null ? null : collectionsAsTheyCome(List.of(found)).get(0);
    }

    @Override
    public ChunkVersion highestVersion(Incarnation incarnation) {
        query();
        return source.highestVersion(incarnation);
    }

    @Override
    public @Nullable BsonDocument database(String name) {
        query();
        return source.database(name);
    }

    @Override
    public List<BsonDocument> collections(String database) {
        query();
        return collectionsAsTheyCome(source.collections(database));
    }

    @Override
    public boolean readsViews() {
        return source.readsViews();
    }

    @Override
    public List<BsonDocument> views(String database) {
        query();
        return source.views(database);
    }

    @Override
    public List<BsonDocument> clusterParameters() {
        query();
        return source.clusterParameters();
    }

    @Override
    public ObjectId clusterId() {
        query();
        return source.clusterId();
    }

    @Override
    public void close() {
        source.close();
    }
}
