package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonDocument;

/**
 * Makes one routing table out of the chunk documents of a collection, given one by one in any order, and checks that
 * they tile the key space (targeting semantics §2.2, §2.6). Documents are not kept. Not thread-safe.
 */
final class RoutingTableAssembler {
    static final Comparator<ReadChunk> BY_MIN = Comparator.comparing(ReadChunk::min, KeyBytes::compare);

    private final CollectionInfo collection;
    private final ChunkReader reader;
    private final int pageChunks;

    RoutingTableAssembler(CollectionInfo collection, ShardOrdinals ordinals) {
        this(collection, ordinals, ChunkPages.PAGE_CHUNKS);
    }

    /** @param pageChunks about how many chunks a page of the table shall have */
    RoutingTableAssembler(CollectionInfo collection, ShardOrdinals ordinals, int pageChunks) {
        this.collection = collection;
        this.reader = new ChunkReader(collection, ordinals);
        this.pageChunks = pageChunks;
    }

    /**
     * Takes one chunk. One that cannot be understood is reported by {@link #build()}; what follows it still counts for
     * {@link #version()}.
     */
    void add(BsonDocument chunk) {
        reader.add(chunk);
    }

    /** The highest version of the chunks given so far, {@link ChunkVersion#NONE} before the first. */
    ChunkVersion version() {
        return reader.version();
    }

    /** @throws CatalogException if a chunk could not be understood, or they do not tile the key space exactly */
    RoutingTable build() {
        List<ReadChunk> chunks = reader.chunks();
        if (chunks.isEmpty()) {
            throw new CatalogException(name() + ": 0 chunks (expected: at least 1 for a tracked collection)");
        }
        requireSplittable(collection, chunks.size());
        chunks.sort(BY_MIN); // a single pass over what is in order
        checkTiling(chunks);
        PageWriter pages = new PageWriter(pageChunks);
        chunks.forEach(chunk -> pages.add(chunk.min(), chunk.owner(), chunk.history()));
        return new RoutingTable(collection, version(), pages.build());
    }

    /** @throws CatalogException if a collection that is unsplittable has several chunks */
    static void requireSplittable(CollectionInfo collection, int chunks) {
        if (collection.unsplittable() && chunks > 1) {
            throw new CatalogException(collection.namespace().fullName() + ": " + chunks
                    + " chunks (expected: exactly 1, as the collection is unsplittable)");
        }
    }

    private void checkTiling(List<ReadChunk> chunks) {
        if (!Arrays.equals(chunks.get(0).min(), reader.wholeKey(BsonValueView.MIN_KEY))) {
            throw violation(chunks, 0, "min is not the beginning of the key space", "MinKey in every field");
        }
        int last = chunks.size() - 1;
        for (int i = 0; i <= last; i++) {
            ReadChunk chunk = chunks.get(i);
            if (chunk.isInverted()) {
                throw violation(chunks, i, "max is not above its own min", "min below max");
            }
            int order = i == last
                    ? 0
                    : KeyBytes.compare(chunk.max(), chunks.get(i + 1).min());
            if (order != 0) {
                String found = (order < 0 ? "a gap before " : "an overlap with ") + label(chunks, i + 1);
                throw violation(chunks, i, found, "max equal to the min of the next");
            }
        }
        if (!Arrays.equals(chunks.get(last).max(), reader.wholeKey(BsonValueView.MAX_KEY))) {
            throw violation(chunks, last, "max is not the end of the key space", "MaxKey in every field");
        }
    }

    private CatalogException violation(List<ReadChunk> chunks, int index, String found, String expected) {
        return new CatalogException(name() + ": " + label(chunks, index) + " of " + chunks.size() + ": " + found
                + " (expected: " + expected + ")");
    }

    private static String label(List<ReadChunk> chunks, int index) {
        return "chunk " + (index + 1) + " (version " + chunks.get(index).version() + ")";
    }

    private String name() {
        return collection.namespace().fullName();
    }
}
