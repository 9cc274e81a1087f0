package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import java.util.BitSet;
import java.util.Random;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTableTest {
    private static final int CHUNKS = 2_000;

    private final long seed = Long.getLong("scatterguard.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private static byte[] key(int value) {
        return KeyBytes.of(BsonValueView.of(new BsonInt32(value)));
    }

    /** Chunk i begins at 10·i, the first one at MinKey. */
    private static RoutingTable table(int[] owners) {
        PageWriter pages = new PageWriter(ChunkPages.PAGE_CHUNKS);
        for (int i = 0; i < owners.length; i++) {
            pages.add(i == 0 ? KeyBytes.of(BsonValueView.MIN_KEY) : key(10 * i), owners[i], ChunkHistory.NONE);
        }
        ShardKey shardKey = ShardKey.of(BsonDocument.parse("{a: 1}"));
        CollectionInfo collection = new CollectionInfo(Namespace.parse("test.c"), shardKey, null, false, false, null);
        return new RoutingTable(collection, ChunkVersion.NONE, pages.build());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 65, 300})
    void theOwnersOfARangeAreThoseOfItsChunks(int shards) {
        int[] owners = random.ints(CHUNKS, 0, shards).toArray();
        owners[0] = shards - 1;
        RoutingTable table = table(owners);
        for (int i = 0; i < 3_000; i++) {
            int first = random.nextInt(CHUNKS);
            int last = Math.min(CHUNKS - 1, first + random.nextInt(i % 2 == 0 ? 5 : CHUNKS));
            BitSet expected = new BitSet();
            for (int chunk = first; chunk <= last; chunk++) {
                expected.set(owners[chunk]);
            }
            BitSet added = new BitSet();
            table.addShards(KeyBytes.wrap(key(10 * first + 3)), KeyBytes.wrap(key(10 * last)), added);
            assertThat(table.owners(first, last))
                    .as("seed %d, %d..%d", seed, first, last)
                    .isEqualTo(ShardSet.of(expected));
            assertThat(added).as("seed %d, %d..%d", seed, first, last).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1_000})
    void aKeyIsInTheChunkWithTheHighestMinNotAboveIt(int chunks) {
        RoutingTable table = table(new int[chunks]);
        TreeMap<byte[], Integer> floors = new TreeMap<>(KeyBytes::compare);
        for (int i = 0; i < chunks; i++) {
            floors.put(i == 0 ? KeyBytes.of(BsonValueView.MIN_KEY) : key(10 * i), i);
        }
        for (int value = -5; value < 10 * chunks + 5; value++) {
            int expected = floors.floorEntry(key(value)).getValue();
            assertThat(table.chunkOf(key(value))).isEqualTo(expected);
            assertThat(table.chunkOf(new KeyBytes().append(key(value)))).isEqualTo(expected);
        }
    }
}
