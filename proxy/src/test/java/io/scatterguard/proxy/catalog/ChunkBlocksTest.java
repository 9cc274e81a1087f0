package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkBlocksTest {
    private static BitSet oneByOne(int[] owners, int first, int last) {
        BitSet shards = new BitSet();
        for (int i = first; i <= last; i++) {
            shards.set(owners[i]);
        }
        return shards;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 511, 512, 513, 1023, 1024, 1025, 3000})
    void findsTheSameOwnersAsAWalkOverEveryChunk(int chunks) {
        Random random = new Random(chunks);
        int[] owners = random.ints(chunks, 0, 70).toArray();
        for (int round = 0; round < 300; round++) {
            int first = random.nextInt(chunks);
            int last = first + random.nextInt(chunks - first);
            BitSet shards = new BitSet();
            new ChunkBlocks(owners).addOwners(first, last, shards);
            assertThat(shards).as("%d..%d", first, last).isEqualTo(oneByOne(owners, first, last));
        }
    }

    @Test
    void aRangeBetweenTheEdgesOfBlocksReachesNoNeighbour() {
        int[] owners = new int[4 * ChunkBlocks.BLOCK_CHUNKS];
        int first = ChunkBlocks.BLOCK_CHUNKS;
        int last = 3 * ChunkBlocks.BLOCK_CHUNKS - 1;
        owners[first - 1] = 1;
        owners[last + 1] = 2;
        BitSet inside = new BitSet();
        new ChunkBlocks(owners).addOwners(first, last, inside);
        assertThat(inside.stream()).containsExactly(0);
        BitSet wider = new BitSet();
        new ChunkBlocks(owners).addOwners(first - 1, last + 1, wider);
        assertThat(wider.stream()).containsExactly(0, 1, 2);
    }

    @Test
    void anEmptyRangeHasNoOwner() {
        BitSet shards = new BitSet();
        new ChunkBlocks(new int[] {0, 1, 2}).addOwners(2, 1, shards);
        assertThat(shards.isEmpty()).isTrue();
    }

    @Test
    void keepsWhatIsInTheSetAlready() {
        BitSet shards = new BitSet();
        shards.set(9);
        new ChunkBlocks(new int[] {0, 1, 2}).addOwners(0, 2, shards);
        assertThat(shards.stream()).containsExactly(0, 1, 2, 9);
    }
}
