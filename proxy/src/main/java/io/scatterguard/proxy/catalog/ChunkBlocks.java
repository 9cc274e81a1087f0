package io.scatterguard.proxy.catalog;

import java.util.BitSet;

/**
 * The owners of a collection's chunks, summed up by blocks, so that a range over many chunks is answered without a look at
 * each of them: a filter like {@code {$ne: 5}} spans nearly all, and a batch may hold thousands of it.
 */
final class ChunkBlocks {
    static final int BLOCK_CHUNKS = 512;

    private final int[] owners;
    private final BitSet[] blocks;
    private final BitSet all = new BitSet();

    /** Borrows {@code owners}, the ordinal of the shard that owns each chunk. */
    ChunkBlocks(int[] owners) {
        this.owners = owners;
        this.blocks = new BitSet[(owners.length + BLOCK_CHUNKS - 1) / BLOCK_CHUNKS];
        for (int block = 0; block < blocks.length; block++) {
            BitSet inBlock = new BitSet();
            int first = block * BLOCK_CHUNKS;
            addEach(first, Math.min(first + BLOCK_CHUNKS, owners.length) - 1, inBlock);
            blocks[block] = inBlock;
            all.or(inBlock);
        }
    }

    /** The owners of all chunks; not to be changed. */
    BitSet all() {
        return all;
    }

    /** Adds the owners of the chunks from {@code first} to {@code last}, both included. */
    void addOwners(int first, int last, BitSet shards) {
        if (first == 0 && last == owners.length - 1) {
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
            shards.or(blocks[block]);
        }
        addEach(afterWhole * BLOCK_CHUNKS, last, shards);
    }

    private void addEach(int first, int last, BitSet shards) {
        for (int i = first; i <= last; i++) {
            shards.set(owners[i]);
        }
    }
}
