package io.scatterguard.proxy.catalog;

import static io.scatterguard.proxy.catalog.ChunkHistory.isAfter;
import static io.scatterguard.proxy.catalog.ChunkHistory.later;

import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.SortedKeys;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The chunks of one collection in pages under a small index, ascending. Immutable; a table that differs from another in some
 * pages shares all others and copies the index only. A range over many chunks is answered by the sums of its pages: a filter
 * like {@code {$ne: 5}} spans nearly all, and a batch may hold thousands of it. Look-ups allocate nothing.
 */
final class ChunkPages {
    /** How many chunks a page has about, at most twice as many. */
    static final int PAGE_CHUNKS = 512;

    private final ChunkPage[] pages;
    private final SortedKeys firsts;
    /** The index of each page's first chunk; then how many chunks there are. */
    private final int[] starts;

    private final int pageChunks;
    private final BitSet owners = new BitSet();
    private final BitSet earlierOwners = new BitSet();
    private final long newestOfOthers;
    private final long newest;

    /** @param pageChunks about how many chunks a page has, also of tables made out of this one */
    ChunkPages(List<ChunkPage> pages, int pageChunks) {
        this(pages.toArray(ChunkPage[]::new), firsts(pages), starts(pages), pageChunks);
    }

    private ChunkPages(ChunkPage[] pages, SortedKeys firsts, int[] starts, int pageChunks) {
        this.pages = pages;
        this.firsts = firsts;
        this.starts = starts;
        this.pageChunks = pageChunks;
        long others = 0;
        long kept = 0;
        for (ChunkPage page : pages) {
            owners.or(page.owners().sum());
            earlierOwners.or(page.histories().owners());
            others = later(others, page.histories().newestOfOthers());
            kept = later(kept, page.histories().newestOfKept());
        }
        this.newestOfOthers = others;
        this.newest = later(others, kept);
    }

    private static SortedKeys firsts(List<ChunkPage> pages) {
        SortedKeys.Builder firsts = new SortedKeys.Builder();
        pages.forEach(page -> firsts.add(page.mins(), 0));
        return firsts.build();
    }

    private static int[] starts(List<ChunkPage> pages) {
        if (pages.isEmpty()) {
            throw new IllegalArgumentException("chunks: 0 (expected: at least 1)");
        }
        int[] starts = new int[pages.size() + 1];
        for (int i = 0; i < pages.size(); i++) {
            starts[i + 1] = Math.addExact(starts[i], pages.get(i).size());
        }
        return starts;
    }

    int chunkCount() {
        return starts[pages.length];
    }

    int pageCount() {
        return pages.length;
    }

    int pageChunks() {
        return pageChunks;
    }

    ChunkPage page(int page) {
        return pages[page];
    }

    /** The index of the first chunk of a page; of the page after the last, how many chunks there are. */
    int firstChunk(int page) {
        return starts[page];
    }

    int pageOf(int chunk) {
        if (chunk < 0 || chunk >= chunkCount()) {
            throw new IndexOutOfBoundsException("chunk: " + chunk + " (expected: 0.." + (chunkCount() - 1) + ")");
        }
        int found = Arrays.binarySearch(starts, 0, pages.length, chunk);
        return found >= 0 ? found : -found - 2;
    }

    /** The index of the chunk that contains {@code key}, the first one for a key below all. */
    int chunkOf(KeyBytes key) {
        int page = Math.max(0, firsts.floor(key));
        return starts[page] + Math.max(0, pages[page].mins().floor(key));
    }

    /** As {@link #chunkOf(KeyBytes)}. */
    int chunkOf(byte[] key) {
        int page = Math.max(0, firsts.floor(key));
        return starts[page] + Math.max(0, pages[page].mins().floor(key));
    }

    /** The owner of the chunk that contains {@code key}. */
    int ownerOf(KeyBytes key) {
        ChunkPage page = pages[Math.max(0, firsts.floor(key))];
        return page.owners().owner(Math.max(0, page.mins().floor(key)));
    }

    /** As {@link #ownerOf(KeyBytes)}. */
    int ownerOf(byte[] key) {
        ChunkPage page = pages[Math.max(0, firsts.floor(key))];
        return page.owners().owner(Math.max(0, page.mins().floor(key)));
    }

    int owner(int chunk) {
        int page = pageOf(chunk);
        return pages[page].owners().owner(chunk - starts[page]);
    }

    /** A copy of the lower end. */
    byte[] min(int chunk) {
        int page = pageOf(chunk);
        return pages[page].mins().get(chunk - starts[page]);
    }

    ChunkHistory history(int chunk) {
        int page = pageOf(chunk);
        return pages[page].histories().get(chunk - starts[page]);
    }

    /** The owners of all chunks; not to be changed. */
    BitSet owners() {
        return owners;
    }

    /** Adds the owners of the chunks from {@code first} to {@code last}, both included; none if they are the wrong way round. */
    void addOwners(int first, int last, BitSet shards) {
        if (first == 0 && last == chunkCount() - 1) {
            shards.or(owners);
            return;
        }
        if (first > last) {
            return;
        }
        int end = pageOf(last);
        for (int page = pageOf(first); page <= end; page++) {
            int from = Math.max(first, starts[page]) - starts[page];
            pages[page].owners().addTo(shards, from, Math.min(last, starts[page + 1] - 1) - starts[page]);
        }
    }

    /** As {@link #addOwners}, as bits, where all ordinals are below 64. */
    long ownerBits(int first, int last) {
        long bits = 0;
        int end = pageOf(last);
        for (int page = pageOf(first); page <= end; page++) {
            int from = Math.max(first, starts[page]) - starts[page];
            bits |= pages[page].owners().bits(from, Math.min(last, starts[page + 1] - 1) - starts[page]);
        }
        return bits;
    }

    /** The newest time from which on a chunk is where it is; 0 if all always were. */
    long newest() {
        return newest;
    }

    /** The same of the chunks that no more is known of. */
    long newestOfOthers() {
        return newestOfOthers;
    }

    /** The shards in histories that are kept; not to be changed. */
    BitSet earlierOwners() {
        return earlierOwners;
    }

    /** How many chunks the pages have in which a chunk with a history has moved after {@code time}. */
    int chunksOfPagesMovedAfter(long time) {
        int chunks = 0;
        for (ChunkPage page : pages) {
            chunks += isAfter(page.histories().newestOfKept(), time) ? page.size() : 0;
        }
        return chunks;
    }

    /**
     * The same chunks with the owners of {@code time}, without histories.
     *
     * @param tooShort the owner of a chunk whose history does not reach back so far
     */
    ChunkPages at(long time, int tooShort) {
        ChunkPage[] then = pages.clone();
        for (int i = 0; i < then.length; i++) {
            if (isAfter(then[i].histories().newestOfKept(), time)) {
                then[i] = then[i].at(time, tooShort);
            }
        }
        return new ChunkPages(then, firsts, starts, pageChunks);
    }

    /** Adds the shards that chunks have left since {@code time}. */
    void addLeftSince(long time, BitSet shards) {
        for (ChunkPage page : pages) {
            if (isAfter(page.histories().newestOfKept(), time)) {
                page.histories().addLeftSince(time, shards);
            }
        }
    }
}
