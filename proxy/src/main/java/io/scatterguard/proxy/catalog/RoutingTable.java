package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.KeyBytes;
import java.util.BitSet;

/**
 * The chunks of one collection: an immutable tiling of the key space. Chunk i covers {@code [min(i), min(i + 1))}; only the
 * lower ends are stored, as order-preserving key bytes (see {@link KeyBytes}).
 */
public final class RoutingTable {
    private final CollectionInfo collection;
    private final ChunkVersion version;
    private final byte[][] mins;
    private final int[] owners;
    private final ChunkBlocks blocks;
    private final ShardSet owningShards;

    /**
     * @param mins the lower ends of the chunks, strictly ascending, the first all-MinKey; not copied
     * @param owners the ordinal of the shard that owns each chunk; not copied
     */
    RoutingTable(CollectionInfo collection, ChunkVersion version, byte[][] mins, int[] owners) {
        if (mins.length == 0 || mins.length != owners.length) {
            throw new IllegalArgumentException(
                    "chunks: " + mins.length + " bounds, " + owners.length + " owners (expected: as many, at least 1)");
        }
        this.collection = collection;
        this.version = version;
        this.mins = mins;
        this.owners = owners;
        this.blocks = new ChunkBlocks(owners);
        this.owningShards = ShardSet.of(blocks.all());
    }

    /** The same chunks under a changed description of the collection; shares the bounds. */
    RoutingTable withCollection(CollectionInfo changed) {
        return new RoutingTable(changed, version, mins, owners);
    }

    public CollectionInfo collection() {
        return collection;
    }

    public ShardKey shardKey() {
        return collection.shardKey();
    }

    /** The highest {@code lastmod} of the chunks. */
    public ChunkVersion version() {
        return version;
    }

    public int chunkCount() {
        return owners.length;
    }

    /** The shards that own at least one chunk. */
    public ShardSet owningShards() {
        return owningShards;
    }

    /** The shard of the chunk with the lowest {@code min}. */
    public int firstChunkShard() {
        return owners[0];
    }

    /** As {@link #chunkOf(KeyBytes)}, by bytes made by that class. */
    public int chunkOf(byte[] key) {
        return chunkOf(KeyBytes.wrap(key));
    }

    /** The index of the chunk that contains {@code key}; the last chunk for a key at or beyond all-MaxKey. */
    public int chunkOf(KeyBytes key) {
        int low = 0;
        int high = mins.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (key.compareTo(mins[middle]) >= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The ordinal of the shard that owns the chunk at {@code index}. */
    public int owner(int index) {
        return owners[index];
    }

    /** The shard that owns the chunk containing {@code key} (key bytes of the whole key). */
    public int shardOf(byte[] key) {
        return owners[chunkOf(key)];
    }

    /** As {@link #shardOf(byte[])}. */
    public int shardOf(KeyBytes key) {
        return owners[chunkOf(key)];
    }

    /** The owners of the chunks from {@code first} to {@code last}, both included. */
    public ShardSet owners(int first, int last) {
        if (last - first < ChunkBlocks.BLOCK_CHUNKS && owningShards.areBelow(Long.SIZE)) {
            long bits = 0;
            for (int i = first; i <= last; i++) {
                bits |= 1L << owners[i];
            }
            return ShardSet.ofBits(bits);
        }
        BitSet shards = new BitSet();
        blocks.addOwners(first, last, shards);
        return ShardSet.of(shards);
    }

    /**
     * Adds the owners of every chunk from the one containing {@code low} to the one containing {@code high}, both
     * included (targeting semantics §6.7).
     */
    public void addShards(KeyBytes low, KeyBytes high, BitSet shards) {
        blocks.addOwners(chunkOf(low), chunkOf(high), shards);
    }
}
