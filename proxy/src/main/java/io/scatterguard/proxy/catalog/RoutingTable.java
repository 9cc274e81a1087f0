package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.TypeClass;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one collection: an immutable tiling of the key space. Chunk i covers {@code [min(i), min(i + 1))}; only the
 * lower ends are stored, as order-preserving key bytes (see {@link KeyBytes}).
 */
public final class RoutingTable {
    /** Added to the highest ordinal, gives one that no shard has: a registry may hold some without chunks. */
    private static final int BEYOND_REGISTRY = 10_000;

    private final CollectionInfo collection;
    private final ChunkVersion version;
    private final byte[][] mins;
    private final ChunkBlocks blocks;
    private final ShardSet owningShards;
    private final ChunkHistories histories;
    /** Null where the chunks are known; else the shards that they are on, in some unknown way. */
    private final int @Nullable [] spread;
    /** The last answer of {@link #at}: all statements of a command ask for the same time. */
    private volatile @Nullable PastPlacement lastPast;
    /** What {@link #typesOf} found; each entry is immutable, so that finding it twice does no harm. */
    private final @Nullable Set<TypeClass>[] types;

    /**
     * @param mins the lower ends of the chunks, strictly ascending, the first all-MinKey; not copied
     * @param owners the ordinal of the shard that owns each chunk
     * @param histories of the same chunks
     */
    RoutingTable(
            CollectionInfo collection, ChunkVersion version, byte[][] mins, int[] owners, ChunkHistories histories) {
        this(collection, version, mins, new ChunkBlocks(owners), histories, null);
        if (mins.length == 0 || mins.length != owners.length) {
            throw new IllegalArgumentException(
                    "chunks: " + mins.length + " bounds, " + owners.length + " owners (expected: as many, at least 1)");
        }
    }

    private RoutingTable(
            CollectionInfo collection,
            ChunkVersion version,
            byte[][] mins,
            ChunkBlocks blocks,
            ChunkHistories histories,
            @Nullable ShardSet spread) {
        this.collection = collection;
        this.version = version;
        this.mins = mins;
        this.blocks = blocks;
        this.owningShards = spread == null ? ShardSet.of(blocks.all()) : spread;
        this.spread = spread == null ? null : spread.toArray();
        this.histories = histories;
        this.types = newTypes(collection.shardKey().size());
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static @Nullable Set<TypeClass>[] newTypes(int size) {
        return new Set[size];
    }

    /** The same chunks under a changed description of the collection; shares the bounds. */
    RoutingTable withCollection(CollectionInfo changed) {
        return new RoutingTable(changed, version, mins, blocks, histories, spread == null ? null : owningShards);
    }

    /**
     * The same collection with chunks on each of {@code shards} of which it is not known where they begin and end. A value of the
     * whole key is then on one of these shards, picked by a hash of the value, and a range over the key is on all of them.
     *
     * @param shards at least one
     */
    RoutingTable withoutBounds(ShardSet shards) {
        return new RoutingTable(collection, version, mins, blocks, ChunkHistories.NONE, shards);
    }

    /** Whether it is known where the chunks begin and end. */
    public boolean boundsKnown() {
        return spread == null;
    }

    /**
     * The placement at a cluster time (seconds in the high 32 bits). Of a time from which on nothing has moved it is this
     * table; otherwise the blocks of chunks in which something has moved since are gone through, once for statements that
     * ask for the same time, and at most {@link ChunkHistories#MAX_MOVED_BLOCKS} of them.
     */
    public PastPlacement at(long time) {
        if (histories.isToday(time)) {
            return new PastPlacement(time, this, -1, true, true);
        }
        PastPlacement past = lastPast;
        if (past == null || past.time() != time) {
            past = past(time);
            lastPast = past;
        }
        return past;
    }

    private PastPlacement past(long time) {
        int[] moved = histories.blocksMovedAfter(time);
        if (moved.length > ChunkHistories.MAX_MOVED_BLOCKS) {
            return new PastPlacement(time, this, -1, false, false);
        }
        int tooShort = Math.max(blocks.all().length(), histories.highestOwner() + 1) + BEYOND_REGISTRY;
        ChunkBlocks then = blocks.with(moved, (block, owners) -> histories.apply(time, block, owners, tooShort));
        RoutingTable table = new RoutingTable(collection, version, mins, then, ChunkHistories.NONE, null);
        boolean anyTooShort = then.all().get(tooShort);
        return new PastPlacement(time, table, anyTooShort ? tooShort : -1, histories.coversOthers(time), true);
    }

    /** The shards that own a chunk, or owned one as far as the histories reach. */
    public ShardSet everOwned() {
        return owningShards.union(ShardSet.of(histories.allOwners()));
    }

    /** Whether nothing has moved since a cluster time (seconds in the high 32 bits). */
    public boolean isUnchangedSince(long time) {
        return histories.isToday(time);
    }

    /** The shards that chunks have left since a cluster time (seconds in the high 32 bits), as far as histories tell. */
    public ShardSet leftSince(long time) {
        BitSet shards = new BitSet();
        histories.addLeftSince(time, shards);
        return ShardSet.of(shards);
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
        return mins.length;
    }

    /** The shards that own at least one chunk. */
    public ShardSet owningShards() {
        return owningShards;
    }

    /** The shard of the chunk with the lowest {@code min}. */
    public int firstChunkShard() {
        return blocks.owner(0);
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

    /** The lower end of the chunk at {@code index} as key bytes; the table's own, not to be changed. */
    public byte[] min(int index) {
        return mins[index];
    }

    /**
     * The types of a key field's values, as far as the chunk bounds tell, without MinKey and MaxKey; empty where they tell
     * nothing: of a hashed field, and of one that no bound cuts. Found once, when somebody asks.
     */
    public Set<TypeClass> typesOf(int field) {
        Set<TypeClass> found = types[field];
        if (found == null) {
            found = BoundTypes.of(this, field);
            types[field] = found;
        }
        return found;
    }

    /** The ordinal of the shard that owns the chunk at {@code index}. */
    public int owner(int index) {
        return blocks.owner(index);
    }

    /** The shard that owns the chunk containing {@code key} (key bytes of the whole key). */
    public int shardOf(byte[] key) {
        return shardOf(KeyBytes.wrap(key));
    }

    /** As {@link #shardOf(byte[])}. */
    public int shardOf(KeyBytes key) {
        return spread == null ? blocks.owner(chunkOf(key)) : spread[key.pick(spread.length)];
    }

    /** The owners of the chunks from {@code first} to {@code last}, both included. */
    public ShardSet owners(int first, int last) {
        if (spread != null) {
            return owningShards;
        }
        if (last - first < ChunkBlocks.BLOCK_CHUNKS && owningShards.areBelow(Long.SIZE)) {
            long bits = 0;
            for (int i = first; i <= last; i++) {
                bits |= 1L << blocks.owner(i);
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
        if (spread != null) {
            owningShards.forEach(shards::set);
            return;
        }
        blocks.addOwners(chunkOf(low), chunkOf(high), shards);
    }
}
