package io.scatterguard.tests.bench;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSource;
import io.scatterguard.proxy.catalog.ChunkVersion;
import io.scatterguard.proxy.catalog.Incarnation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/**
 * Metadata of any size that counts what is asked of it: {@code shop.c0} has as many chunks as wanted, all further collections
 * two, each by {@code {_id: 1}} with ObjectIds on 12 shards. Chunks are made when they are read, so that what is kept of them
 * is the reader's.
 */
final class GeneratedCatalog implements CatalogSource {
    static final Namespace LARGE = new Namespace("shop", "c0");

    private static final int SHARDS = 12;
    private static final int SMALL_CHUNKS = 2;

    private final AtomicInteger queries = new AtomicInteger();
    private final List<BsonDocument> collections;
    private final int largeChunks;
    /** Chunks of the large collection that were moved, in this order; the nth has version 2|n. */
    private final List<Integer> moved = new ArrayList<>();

    GeneratedCatalog(int collections, int largeChunks) {
        this.largeChunks = largeChunks;
        this.collections = IntStream.range(0, collections)
                .mapToObj(GeneratedCatalog::collection)
                .toList();
    }

    static Namespace namespace(int index) {
        return new Namespace("shop", "c" + index);
    }

    private static BsonDocument collection(int index) {
        return new BsonDocument("_id", new BsonString(namespace(index).fullName()))
                .append("lastmodEpoch", new BsonObjectId(new ObjectId(1, index)))
                .append("timestamp", new BsonTimestamp(1, 1))
                .append("uuid", uuid(index))
                .append("key", BsonDocument.parse("{_id: 1}"));
    }

    private static BsonBinary uuid(int index) {
        byte[] uuid = new byte[16];
        for (int i = 0; i < Integer.BYTES; i++) {
            uuid[i] = (byte) (index >>> (Byte.SIZE * i));
        }
        return new BsonBinary((byte) 4, uuid);
    }

    /** How many queries came since the last call. */
    int takeQueries() {
        return queries.getAndSet(0);
    }

    /** Moves {@code count} chunks of the large collection to their neighbours' shards, all over its keys. */
    void move(int count) {
        int apart = largeChunks / count;
        IntStream.range(0, count).forEach(i -> moved.add(i * apart));
    }

    private int chunks(Incarnation incarnation) {
        return incarnation.namespace().equals(LARGE) ? largeChunks : SMALL_CHUNKS;
    }

    /** The lower end of a chunk: ObjectIds at the same distance of time, of 64 processes with counters of their own. */
    static ObjectId bound(int chunk, int chunks) {
        long second = (1L << Integer.SIZE) / chunks * chunk;
        int mixed = chunk * 0x9e37_79b9;
        int process = (mixed >>> 26) * 0x85eb_ca6b;
        return new ObjectId(ByteBuffer.allocate(12)
                .putInt((int) second)
                .putInt(process)
                .putInt(process << 24 | (mixed & 0xff_ffff))
                .flip());
    }

    private BsonDocument chunk(BsonBinary uuid, int index, int chunks, int times, BsonTimestamp version) {
        BsonString shard = new BsonString(shard((index * 7 + times) % SHARDS));
        BsonDocument history = new BsonDocument("validAfter", new BsonTimestamp(100, 1)).append("shard", shard);
        return new BsonDocument("uuid", uuid)
                .append("min", new BsonDocument("_id", index == 0 ? new BsonMinKey() : id(index, chunks)))
                .append("max", new BsonDocument("_id", index + 1 == chunks ? new BsonMaxKey() : id(index + 1, chunks)))
                .append("shard", shard)
                .append("lastmod", version)
                .append("history", new BsonArray(List.of(history)));
    }

    private static BsonObjectId id(int chunk, int chunks) {
        return new BsonObjectId(bound(chunk, chunks));
    }

    private static String shard(int index) {
        return "shard" + index;
    }

    @Override
    public List<BsonDocument> shards() {
        queries.incrementAndGet();
        return IntStream.range(0, SHARDS)
                .mapToObj(i -> new BsonDocument("_id", new BsonString(shard(i))))
                .toList();
    }

    @Override
    public List<BsonDocument> databases() {
        queries.incrementAndGet();
        return List.of(new BsonDocument("_id", new BsonString("shop")).append("primary", new BsonString(shard(0))));
    }

    @Override
    public List<BsonDocument> collections() {
        queries.incrementAndGet();
        return collections;
    }

    @Override
    public BsonDocument collection(Namespace namespace) {
        queries.incrementAndGet();
        return collections.get(Integer.parseInt(namespace.collection().substring(1)));
    }

    @Override
    public BsonDocument database(String name) {
        return databases().get(0);
    }

    @Override
    public List<BsonDocument> collections(String database) {
        return collections();
    }

    @Override
    public void chunksSince(Incarnation incarnation, ChunkVersion version, Consumer<BsonDocument> chunks) {
        queries.incrementAndGet();
        int count = chunks(incarnation);
        boolean large = incarnation.namespace().equals(LARGE);
        if (version.major() < 2) {
            for (int i = version.minor(); i < count; i++) {
                chunks.accept(chunk(incarnation.uuid(), i, count, 0, new BsonTimestamp(1, i)));
            }
        }
        int from = version.major() < 2 ? 0 : version.minor() - 1;
        for (int i = from; large && i < moved.size(); i++) {
            int index = moved.get(i);
            int times = (int)
                    moved.subList(0, i + 1).stream().filter(m -> m == index).count();
            chunks.accept(chunk(incarnation.uuid(), index, count, times, new BsonTimestamp(2, i + 1)));
        }
    }

    @Override
    public void chunks(Incarnation incarnation, Consumer<BsonDocument> chunks) {
        queries.incrementAndGet();
        int count = chunks(incarnation);
        BsonTimestamp[] versions = new BsonTimestamp[count];
        int[] times = new int[count];
        if (incarnation.namespace().equals(LARGE)) {
            for (int i = 0; i < moved.size(); i++) {
                versions[moved.get(i)] = new BsonTimestamp(2, i + 1);
                times[moved.get(i)]++;
            }
        }
        for (int i = 0; i < count; i++) {
            BsonTimestamp version = versions[i] == null ? new BsonTimestamp(1, i) : versions[i];
            chunks.accept(chunk(incarnation.uuid(), i, count, times[i], version));
        }
    }

    @Override
    public ChunkVersion highestVersion(Incarnation incarnation) {
        queries.incrementAndGet();
        return highest(incarnation);
    }

    private ChunkVersion highest(Incarnation incarnation) {
        return moved.isEmpty() || !incarnation.namespace().equals(LARGE)
                ? new ChunkVersion(1, chunks(incarnation) - 1)
                : new ChunkVersion(2, moved.size());
    }

    @Override
    public boolean readsViews() {
        return false;
    }

    @Override
    public List<BsonDocument> views(String database) {
        queries.incrementAndGet();
        return List.of();
    }

    @Override
    public List<BsonDocument> clusterParameters() {
        queries.incrementAndGet();
        return List.of();
    }

    @Override
    public ObjectId clusterId() {
        queries.incrementAndGet();
        return new ObjectId(1, 1);
    }

    @Override
    public void close() {}
}
