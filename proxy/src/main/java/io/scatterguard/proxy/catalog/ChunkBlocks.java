package io.scatterguard.proxy.catalog;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The owners of a collection's chunks in blocks, each with a sum, so that a range over many chunks is answered without a
 * look at each of them: a filter like {@code {$ne: 5}} spans nearly all, and a batch may hold thousands of it. Immutable;
 * another placement of the same chunks shares the blocks that are the same.
 */
final class ChunkBlocks {
    private static final int SHIFT = 9;
    static final int BLOCK_CHUNKS = 1 << SHIFT;

    private final int count;
    private final int[][] owners;
    private final BitSet[] sums;
    private final BitSet all = new BitSet();

    /** Changes the owners of one block. */
    @FunctionalInterface
    interface Change {
        /** @param owners of the block's chunks, to be changed */
        void apply(int block, int[] owners);
    }

    /** @param owners the ordinal of the shard that owns each chunk; copied */
    ChunkBlocks(int[] owners) {
        this(owners.length, new int[blockOf(owners.length + BLOCK_CHUNKS - 1)][]);
        for (int block = 0; block < this.owners.length; block++) {
            int first = block << SHIFT;
            set(block, Arrays.copyOfRange(owners, first, Math.min(first + BLOCK_CHUNKS, owners.length)));
        }
        addAll();
    }

    private ChunkBlocks(int count, int[][] owners) {
        this.count = count;
        this.owners = owners;
        this.sums = new BitSet[owners.length];
    }

    /** The same chunks with other owners in some blocks. */
    ChunkBlocks with(int[] changedBlocks, Change change) {
        ChunkBlocks changed = new ChunkBlocks(count, owners.clone());
        System.arraycopy(sums, 0, changed.sums, 0, sums.length);
        for (int block : changedBlocks) {
            int[] then = owners[block].clone();
            change.apply(block, then);
            changed.set(block, then);
        }
        changed.addAll();
        return changed;
    }

    private void set(int block, int[] inBlock) {
        BitSet sum = new BitSet();
        for (int owner : inBlock) {
            sum.set(owner);
        }
        owners[block] = inBlock;
        sums[block] = sum;
    }

    private void addAll() {
        for (BitSet sum : sums) {
            all.or(sum);
        }
    }

    static int blockOf(int chunk) {
        return chunk >> SHIFT;
    }

    int owner(int chunk) {
        return owners[chunk >> SHIFT][chunk & (BLOCK_CHUNKS - 1)];
    }

    /** The owners of all chunks; not to be changed. */
    BitSet all() {
        return all;
    }

    /** Adds the owners of the chunks from {@code first} to {@code last}, both included. */
    void addOwners(int first, int last, BitSet shards) {
        if (first == 0 && last == count - 1) {
            shards.or(all);
            return;
        }
        int firstWhole = (first + BLOCK_CHUNKS - 1) / BLOCK_CHUNKS;
        int afterWhole = (last + 1) / BLOCK_CHUNKS;
        if (firstWhole >= afterWhole) {
            addEach(first, last, shards);
            return;
        }
        addEach(first, firstWhole * BLOCK_CHUNKS - 1, shards);
        for (int block = firstWhole; block < afterWhole; block++) {
            shards.or(sums[block]);
        }
        addEach(afterWhole * BLOCK_CHUNKS, last, shards);
    }

    private void addEach(int first, int last, BitSet shards) {
        for (int i = first; i <= last; i++) {
            shards.set(owner(i));
        }
    }
}
