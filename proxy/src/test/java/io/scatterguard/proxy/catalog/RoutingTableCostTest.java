package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a large table by ObjectId costs: heap a chunk, and bytes allocated when 100 chunks all over it have changed. {@code
 * -Dscatterguard.chunks=1000000} measures a million.
 */
class RoutingTableCostTest {
    private static final int CHUNKS = Integer.getInteger("scatterguard.chunks", 200_000);
    private static final int CHANGED = 100;
    private static final int MAX_BYTES_A_CHUNK = 96;
    private static final CollectionInfo ORDERS = new CollectionInfo(
            Namespace.parse("shop.orders"), ShardKey.of(BsonDocument.parse("{_id: 1}")), null, false, false, null);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ShardOrdinals ordinals = new ShardOrdinals(ShardRegistry.empty());

    private long allocated() {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static long heapInUse() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** Ids of two years, with random rests as different clients make them. */
    private static BsonDocument bound(int index) {
        BsonValue value = index == 0
                ? new BsonMinKey()
                : index == CHUNKS
                        ? new BsonMaxKey()
                        : new BsonObjectId(new ObjectId(
                                1_640_000_000 + (int) (60_000_000L * index / CHUNKS), (index * 0x9e3779b9) >>> 8));
        return new BsonDocument("_id", value);
    }

    private static BsonDocument chunk(int index, int historyEntries, int major) {
        BsonArray history = new BsonArray();
        for (int i = 0; i < historyEntries; i++) {
            history.add(new BsonDocument("validAfter", new BsonTimestamp(1_640_000_000 + index - 7 * i, index))
                    .append("shard", shard(index + i)));
        }
        return new BsonDocument("min", bound(index))
                .append("max", bound(index + 1))
                .append("shard", shard(index + major))
                .append("lastmod", new BsonTimestamp(major, index))
                .append("history", history);
    }

    private static BsonString shard(int index) {
        return new BsonString("shard" + index % 12);
    }

    private RoutingTable load(int historyEntries) {
        RoutingTableAssembler assembler = new RoutingTableAssembler(ORDERS, ordinals);
        for (int i = 0; i < CHUNKS; i++) {
            assembler.add(chunk(i, historyEntries, 1));
        }
        return assembler.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aTableIsSmallAndSoIsAnUpdateOfIt(int historyEntries) {
        long before = heapInUse();
        RoutingTable table = load(historyEntries);
        double bytesAChunk = (double) (heapInUse() - before) / CHUNKS;
        List<BsonDocument> changed = IntStream.range(0, CHANGED)
                .mapToObj(i -> chunk((int) ((long) i * CHUNKS / CHANGED) + 17, historyEntries, 2))
                .toList();

        long start = allocated();
        RoutingTableUpdate update = new RoutingTableUpdate(table, ORDERS, ordinals);
        changed.forEach(update::add);
        RoutingTable updated = update.build();
        long bytes = allocated() - start;

        int copied = copiedPages(table.pages(), updated.pages());
        System.out.printf(
                "%,d chunks by ObjectId, %d entries of history: %.1f bytes of heap a chunk; an update of %d chunks copies %d"
                        + " of %d pages and allocates %,d bytes%n",
                CHUNKS,
                historyEntries,
                bytesAChunk,
                CHANGED,
                copied,
                table.pages().pageCount(),
                bytes);
        assertThat(bytesAChunk).isBetween(8.0, (double) MAX_BYTES_A_CHUNK);
        assertThat(copied).isEqualTo(CHANGED);
        // Of a page: a copy to edit, the page itself, and as much again for what stands around it.
        int pageBytes = ChunkPages.PAGE_CHUNKS * (MAX_BYTES_A_CHUNK + 64 * historyEntries);
        assertThat(bytes)
                .isLessThan((long) CHANGED * pageBytes + 64L * table.pages().pageCount());
        changed.forEach(chunk -> assertThat(updated.shardOf(key(chunk.getDocument("min"))))
                .isEqualTo(ordinals.ordinal(chunk.getString("shard").getValue())));
    }

    private static byte[] key(BsonDocument bound) {
        return KeyBytes.of(BsonValueView.of(bound.get("_id")));
    }

    private static int copiedPages(ChunkPages before, ChunkPages after) {
        assertThat(after.pageCount()).isEqualTo(before.pageCount());
        return (int) IntStream.range(0, before.pageCount())
                .filter(page -> before.page(page).owners() != after.page(page).owners())
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aLookUpAllocatesNothing(int historyEntries) {
        RoutingTable table = load(historyEntries);
        Random random = new Random(5);
        KeyBytes[] keys = IntStream.range(0, 1_000)
                .mapToObj(i -> KeyBytes.wrap(key(bound(random.nextInt(CHUNKS)))))
                .toArray(KeyBytes[]::new);
        byte[] bytes = keys[0].toByteArray();
        lookUp(table, keys, bytes);
        long start = allocated();
        long sum = lookUp(table, keys, bytes);
        long allocated = allocated() - start;
        assertThat(sum).isPositive();
        assertThat(allocated).isLessThan(keys.length);
    }

    private static long lookUp(RoutingTable table, KeyBytes[] keys, byte[] bytes) {
        long sum = 0;
        for (KeyBytes key : keys) {
            int chunk = table.chunkOf(key);
            sum += table.shardOf(key) + table.owner(chunk) + table.chunkOf(bytes) + table.shardOf(bytes);
        }
        return sum;
    }
}
