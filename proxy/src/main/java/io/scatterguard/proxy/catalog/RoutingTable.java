package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
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

    /**
     * How many chunks the pages may have together that are gone through for one time: a table of as many is, whatever moved.
     */
    static final int MAX_MOVED_CHUNKS = 64 * ChunkPages.PAGE_CHUNKS;

    private final CollectionInfo collection;
    private final ChunkVersion version;
    private final ChunkPages pages;
    private final ShardSet owningShards;
    /** Null where the chunks are known; else the shards that they are on, in some unknown way. */
    private final int @Nullable [] spread;
    /** The last answer of {@link #at}: all statements of a command ask for the same time. */
    private volatile @Nullable PastPlacement lastPast;
    /** What {@link #typesOf} found; each entry is immutable, so that finding it twice does no harm. */
    private final @Nullable Set<TypeClass>[] types;

    /** @param pages the chunks, of which the first begins at all-MinKey and the last ends at all-MaxKey */
    RoutingTable(CollectionInfo collection, ChunkVersion version, ChunkPages pages) {
        this(collection, version, pages, null);
    }

    private RoutingTable(CollectionInfo collection, ChunkVersion version, ChunkPages pages, @Nullable ShardSet spread) {
        this.collection = collection;
        this.version = version;
        this.pages = pages;
        this.owningShards = spread == null ? ShardSet.of(pages.owners()) : spread;
        this.spread = spread == null ? null : spread.toArray();
        this.types = newTypes(collection.shardKey().size());
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static @Nullable Set<TypeClass>[] newTypes(int size) {
        return new Set[size];
    }

    /**
     * A table of which nothing but the key is known: one chunk for the whole key space, on a shard that stands for any, under
     * the version {@link ChunkVersion#NONE}, which no table that was read has.
     */
    static RoutingTable ofKey(CollectionInfo info, ShardOrdinals ordinals) {
        KeyBytes min = new KeyBytes();
        info.shardKey().fields().forEach(field -> min.append(BsonValueView.MIN_KEY));
        int owner = ordinals.size() == 0 ? ordinals.ordinal("") : 0;
        PageWriter pages = new PageWriter(ChunkPages.PAGE_CHUNKS);
        pages.add(min.toByteArray(), owner, ChunkHistory.NONE);
        return new RoutingTable(info, ChunkVersion.NONE, pages.build());
    }

    /** Whether it is known where the chunks are; otherwise only the key is known, and no shard it names means anything. */
    public boolean isPlaced() {
        return collection.declared() || !version.equals(ChunkVersion.NONE);
    }

    /** The same chunks under a changed description of the collection; shares the bounds. */
    RoutingTable withCollection(CollectionInfo changed) {
        return new RoutingTable(changed, version, pages, spread == null ? null : owningShards);
    }

    /**
     * The same collection with chunks on each of {@code shards} of which it is not known where they begin and end. A value of the
     * whole key is then on one of these shards, picked by a hash of the value, and a range over the key is on all of them.
     *
     * @param shards at least one
     */
    RoutingTable withoutBounds(ShardSet shards) {
        return new RoutingTable(collection, version, pages, shards);
    }

    /** Whether it is known where the chunks begin and end. */
    public boolean boundsKnown() {
        return spread == null;
    }

    /**
     * The placement at a cluster time (seconds in the high 32 bits). Of a time from which on nothing has moved it is this
     * table; otherwise the pages of chunks in which something has moved since are gone through, once for statements that
     * ask for the same time, and of at most {@link #MAX_MOVED_CHUNKS} chunks.
     */
    public PastPlacement at(long time) {
        if (isUnchangedSince(time)) {
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
        if (pages.chunksOfPagesMovedAfter(time) > MAX_MOVED_CHUNKS) {
            return new PastPlacement(time, this, -1, false, false);
        }
        int tooShort = Math.max(pages.owners().length(), pages.earlierOwners().length()) + BEYOND_REGISTRY;
        ChunkPages then = pages.at(time, tooShort);
        boolean certain = Long.compareUnsigned(time, pages.newestOfOthers()) >= 0;
        boolean anyTooShort = then.owners().get(tooShort);
        return new PastPlacement(
                time, new RoutingTable(collection, version, then), anyTooShort ? tooShort : -1, certain, true);
    }

    /** The shards that own a chunk, or owned one as far as the histories reach. */
    public ShardSet everOwned() {
        return owningShards.union(ShardSet.of(pages.earlierOwners()));
    }

    /** Whether nothing has moved since a cluster time (seconds in the high 32 bits). */
    public boolean isUnchangedSince(long time) {
        return Long.compareUnsigned(time, pages.newest()) >= 0;
    }

    /** The shards that chunks have left since a cluster time (seconds in the high 32 bits), as far as histories tell. */
    public ShardSet leftSince(long time) {
        BitSet shards = new BitSet();
        pages.addLeftSince(time, shards);
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
        return pages.chunkCount();
    }

    /** The shards that own at least one chunk. */
    public ShardSet owningShards() {
        return owningShards;
    }

    /** The shard of the chunk with the lowest {@code min}. */
    public int firstChunkShard() {
        return pages.owner(0);
    }

    /** As {@link #chunkOf(KeyBytes)}, by bytes made by that class. */
    public int chunkOf(byte[] key) {
        return pages.chunkOf(key);
    }

    /** The index of the chunk that contains {@code key}; the last chunk for a key at or beyond all-MaxKey. */
    public int chunkOf(KeyBytes key) {
        return pages.chunkOf(key);
    }

    /** A copy of the lower end of the chunk at {@code index} as key bytes. */
    public byte[] min(int index) {
        return pages.min(index);
    }

    /** The chunks in pages, for tables that share them. */
    ChunkPages pages() {
        return pages;
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
        return pages.owner(index);
    }

    /** The shard that owns the chunk containing {@code key} (key bytes of the whole key). */
    public int shardOf(byte[] key) {
        return spread == null ? pages.ownerOf(key) : shardOf(KeyBytes.wrap(key));
    }

    /** As {@link #shardOf(byte[])}. */
    public int shardOf(KeyBytes key) {
        return spread == null ? pages.ownerOf(key) : spread[key.pick(spread.length)];
    }

    /** The owners of the chunks from {@code first} to {@code last}, both included. */
    public ShardSet owners(int first, int last) {
        if (spread != null) {
            return owningShards;
        }
        if (last - first < ChunkPages.PAGE_CHUNKS && owningShards.areBelow(Long.SIZE)) {
            return ShardSet.ofBits(pages.ownerBits(first, last));
        }
        BitSet shards = new BitSet();
        pages.addOwners(first, last, shards);
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
        pages.addOwners(pages.chunkOf(low), pages.chunkOf(high), shards);
    }
}
