package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.bson.BsonDocument;

/**
 * Brings a routing table up to date by the chunks that changed since it was read, given one by one in any order (targeting
 * semantics §2.6): each replaces every older chunk that it overlaps. The result is a tiling or there is none. It costs what
 * the changed pages cost, in time and in memory; all others are shared with the base. Not thread-safe.
 */
final class RoutingTableUpdate {
    private static final Comparator<ReadChunk> NEWEST_FIRST =
            Comparator.comparing(ReadChunk::version).reversed();

    private static final String GAPLESS = "all chunks that replace one, or all that one replaces";

    private final RoutingTable base;
    private final ChunkPages pages;
    private final CollectionInfo collection;
    private final ChunkReader reader;
    private final byte[] end;

    /**
     * @param base of the same incarnation
     * @param info what describes the collection now
     * @throws CatalogException if it has another shard key than {@code base}
     */
    RoutingTableUpdate(RoutingTable base, CollectionInfo info, ShardOrdinals ordinals) {
        if (!base.shardKey().equals(info.shardKey())) {
            throw new CatalogException(info.namespace().fullName() + ": shard key: " + info.shardKey() + " (expected: "
                    + base.shardKey() + ", that of the chunks that are known)");
        }
        this.base = base;
        this.pages = base.pages();
        this.collection = info;
        this.reader = new ChunkReader(info, ordinals);
        this.end = reader.wholeKey(BsonValueView.MAX_KEY);
    }

    /**
     * Takes one chunk. One that cannot be understood is reported by {@link #build()}; what follows it still counts for
     * {@link #version()}.
     */
    void add(BsonDocument chunk) {
        reader.add(chunk);
    }

    /** The highest version of the base and of the chunks given so far. */
    ChunkVersion version() {
        return reader.version().compareTo(base.version()) > 0 ? reader.version() : base.version();
    }

    /**
     * The base itself if every chunk given is in it and nothing else has changed.
     *
     * @throws CatalogException if a chunk could not be understood, is not in the base though it is no newer, or if the
     *     result does not tile the key space exactly
     */
    RoutingTable build() {
        List<ReadChunk> chunks = reader.chunks();
        for (ReadChunk chunk : chunks) {
            require(!chunk.isInverted(), chunk, "max is not above its own min", "min below max");
        }
        chunks.sort(RoutingTableAssembler.BY_MIN);
        List<ChunkEdit> edits = edits(chunks);
        if (edits.isEmpty() && version().equals(base.version())) {
            return base.collection().equals(collection) ? base : base.withCollection(collection);
        }
        ChunkPages changed = edits.isEmpty() ? pages : ChunkEdit.apply(pages, edits);
        RoutingTableAssembler.requireSplittable(collection, changed.chunkCount());
        return new RoutingTable(collection, version(), changed);
    }

    /** Goes through groups of chunks that overlap the same chunks of the base. */
    private List<ChunkEdit> edits(List<ReadChunk> chunks) {
        List<ChunkEdit> edits = new ArrayList<>();
        int from = 0;
        while (from < chunks.size()) {
            int first = pages.chunkOf(chunks.get(from).min());
            int after = afterLast(chunks.get(from));
            int to = from + 1;
            while (to < chunks.size() && pages.chunkOf(chunks.get(to).min()) < after) {
                after = Math.max(after, afterLast(chunks.get(to)));
                to++;
            }
            List<ReadChunk> newest = newest(chunks.subList(from, to));
            if (isChange(first, after, newest)) {
                edits.add(new ChunkEdit(first, after, newest));
            }
            from = to;
        }
        return edits;
    }

    /** The index of the first chunk of the base that begins at or after the end of {@code chunk}. */
    private int afterLast(ReadChunk chunk) {
        if (KeyBytes.compare(chunk.max(), end) >= 0) {
            return pages.chunkCount();
        }
        int index = pages.chunkOf(chunk.max());
        return Arrays.equals(pages.min(index), chunk.max()) ? index : index + 1;
    }

    /** Those that no newer one overlaps, ascending. What is left out has replaced chunks of the base all the same. */
    private List<ReadChunk> newest(List<ReadChunk> overlapping) {
        overlapping.forEach(this::requireNewOrKnown);
        List<ReadChunk> byVersion = new ArrayList<>(overlapping);
        byVersion.sort(NEWEST_FIRST);
        TreeMap<byte[], ReadChunk> newest = new TreeMap<>(KeyBytes::compare);
        for (ReadChunk chunk : byVersion) {
            var below = newest.lowerEntry(chunk.max()); // the highest that may reach into it
            if (below == null || !below.getValue().overlaps(chunk)) {
                newest.put(chunk.min(), chunk);
            } else {
                ReadChunk other = below.getValue();
                boolean same = isSame(chunk, other.min(), other.max(), other.owner());
                require(
                        same || !other.version().equals(chunk.version()),
                        chunk,
                        "overlaps another one of the same version",
                        "each version once");
            }
        }
        return List.copyOf(newest.values());
    }

    /** A delta begins with the newest chunk of the base. Of what is older nobody knows whether it is still there. */
    private void requireNewOrKnown(ReadChunk chunk) {
        int order = chunk.version().compareTo(base.version());
        require(order >= 0, chunk, "older than the routing table of version " + base.version(), "at least as new");
        if (order == 0) {
            int index = pages.chunkOf(chunk.min());
            require(
                    isSame(chunk, pages.min(index), max(index), pages.owner(index)),
                    chunk,
                    "not in the routing table of that version",
                    "a newer version");
        }
    }

    private static boolean isSame(ReadChunk chunk, byte[] min, byte[] max, int owner) {
        return chunk.owner() == owner && Arrays.equals(chunk.min(), min) && Arrays.equals(chunk.max(), max);
    }

    private byte[] max(int index) {
        return index + 1 < pages.chunkCount() ? pages.min(index + 1) : end;
    }

    /**
     * Whether {@code chunks} differ from those of the base.
     *
     * @throws CatalogException if they do not cover the same keys
     */
    private boolean isChange(int first, int after, List<ReadChunk> chunks) {
        byte[] expected = pages.min(first);
        boolean changed = chunks.size() != after - first;
        for (int i = 0; i < chunks.size(); i++) {
            ReadChunk chunk = chunks.get(i);
            require(Arrays.equals(chunk.min(), expected), chunk, "a gap before it", GAPLESS);
            expected = chunk.max();
            changed = changed
                    || chunk.owner() != pages.owner(first + i)
                    || !Arrays.equals(chunk.max(), max(first + i))
                    || !chunk.history().isSameAs(pages.history(first + i));
        }
        ReadChunk last = chunks.get(chunks.size() - 1);
        require(Arrays.equals(expected, max(after - 1)), last, "a gap after it", GAPLESS);
        return changed;
    }

    private void require(boolean holds, ReadChunk chunk, String found, String expected) {
        if (!holds) {
            throw new CatalogException(collection.namespace().fullName() + ": changed chunk of version "
                    + chunk.version() + ": " + found + " (expected: " + expected + ")");
        }
    }
}
