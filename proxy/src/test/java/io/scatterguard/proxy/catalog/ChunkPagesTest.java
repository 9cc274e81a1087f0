package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.KeyBytes;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkPagesTest {
    private static final int PAGE = ChunkPages.PAGE_CHUNKS;

    private static byte[] key(int value) {
        return new KeyBytes().appendInt64(value).toByteArray();
    }

    private static ChunkPages pages(int... owners) {
        PageWriter writer = new PageWriter(PAGE);
        for (int i = 0; i < owners.length; i++) {
            writer.add(key(i), owners[i], ChunkHistory.NONE);
        }
        return writer.build();
    }

    private static BitSet added(ChunkPages pages, int first, int last) {
        BitSet shards = new BitSet();
        pages.addOwners(first, last, shards);
        return shards;
    }

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
        for (int shards : new int[] {64, 70, 300}) {
            int[] owners = random.ints(chunks, 0, shards).toArray();
            ChunkPages pages = pages(owners);
            for (int round = 0; round < 300; round++) {
                int first = random.nextInt(chunks);
                int last = first + random.nextInt(chunks - first);
                BitSet expected = oneByOne(owners, first, last);
                assertThat(added(pages, first, last)).as("%d..%d", first, last).isEqualTo(expected);
                if (shards == 64) {
                    assertThat(ShardSet.ofBits(pages.ownerBits(first, last))).isEqualTo(ShardSet.of(expected));
                }
            }
        }
    }

    @Test
    void aRangeBetweenTheEdgesOfPagesReachesNoNeighbour() {
        int[] owners = new int[4 * PAGE];
        int first = PAGE;
        int last = 3 * PAGE - 1;
        owners[first - 1] = 1;
        owners[last + 1] = 2;
        ChunkPages pages = pages(owners);
        assertThat(pages.pageCount()).isEqualTo(4);
        assertThat(added(pages, first, last).stream()).containsExactly(0);
        assertThat(added(pages, first - 1, last + 1).stream()).containsExactly(0, 1, 2);
    }

    @Test
    void anEmptyRangeHasNoOwner() {
        assertThat(added(pages(0, 1, 2), 2, 1).isEmpty()).isTrue();
    }

    @Test
    void keepsWhatIsInTheSetAlready() {
        BitSet shards = new BitSet();
        shards.set(9);
        pages(0, 1, 2).addOwners(0, 2, shards);
        assertThat(shards.stream()).containsExactly(0, 1, 2, 9);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 511, 512, 767, 768, 769, 1023, 1024, 1025, 1536, 5000})
    void pagesAreNeitherTinyNorTooLarge(int chunks) {
        ChunkPages pages = pages(new int[chunks]);
        assertThat(pages.chunkCount()).isEqualTo(chunks);
        for (int page = 0; page < pages.pageCount(); page++) {
            assertThat(pages.page(page).size()).isBetween(Math.min(chunks, PAGE / 2), 2 * PAGE);
            assertThat(pages.pageOf(pages.firstChunk(page))).isEqualTo(page);
            assertThat(pages.pageOf(pages.firstChunk(page + 1) - 1)).isEqualTo(page);
        }
        for (int i = 0; i < chunks; i++) {
            assertThat(pages.chunkOf(key(i))).isEqualTo(i);
            assertThat(pages.min(i)).isEqualTo(key(i));
        }
    }

    /** A page of bounds near the largest that a document can hold must not need gigabytes in one piece. */
    @Test
    void largeBoundsMakeSmallPages() {
        PageWriter writer = new PageWriter(PAGE);
        byte[] large = new byte[PageWriter.MAX_BOUND_BYTES / 3];
        for (int i = 0; i < 20; i++) {
            writer.add(new KeyBytes().appendInt64(i).append(large).toByteArray(), i, ChunkHistory.NONE);
        }
        ChunkPages pages = writer.build();
        assertThat(pages.pageCount()).isBetween(4, 20);
        for (int i = 0; i < 20; i++) {
            assertThat(pages.owner(i)).isEqualTo(i);
            assertThat(pages.chunkOf(key(i))).isEqualTo(Math.max(0, i - 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 127, 128, 255, 256, 70_000})
    void ownersOfAnyOrdinalAreKept(int ordinal) {
        ChunkOwners owners = new ChunkOwners(new int[] {3, ordinal, 3});
        assertThat(owners.toArray()).containsExactly(3, ordinal, 3);
    }

    @Test
    void refusesAnIndexThatNoChunkHas() {
        ChunkPages pages = pages(0, 1);
        assertThatThrownBy(() -> pages.owner(2))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("chunk: 2 (expected: 0..1)");
        assertThatThrownBy(() -> pages.min(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
