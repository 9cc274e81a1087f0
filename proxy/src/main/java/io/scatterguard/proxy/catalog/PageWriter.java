package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.SortedKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts chunks, given in ascending order, into pages of about the wanted size: at most twice as many chunks, and no page that
 * it makes has less than a quarter unless it is the only one or its bounds are large. Not thread-safe.
 */
final class PageWriter {
    /** A page whose bounds have more bytes is not filled up. */
    static final int MAX_BOUND_BYTES = 1 << 20;

    /** Most tables are small. */
    private static final int FIRST_CHUNKS = 8;

    private final int pageChunks;
    private final List<ChunkPage> pages = new ArrayList<>();
    /** What is not in a page yet. */
    private final SortedKeys.Builder mins = new SortedKeys.Builder();

    private int[] owners = new int[FIRST_CHUNKS];
    private ChunkHistory[] histories = new ChunkHistory[FIRST_CHUNKS];

    /** @param pageChunks about how many chunks a page shall have, 2 or more */
    PageWriter(int pageChunks) {
        if (pageChunks < 2 || pageChunks > Character.MAX_VALUE / 2) {
            throw new IllegalArgumentException(
                    "pageChunks: " + pageChunks + " (expected: 2.." + Character.MAX_VALUE / 2 + ")");
        }
        this.pageChunks = pageChunks;
    }

    /** @throws IllegalArgumentException if {@code min} is not above the one before it */
    void add(byte[] min, int owner, ChunkHistory history) {
        mins.add(min);
        added(owner, history);
    }

    /** Adds chunks of {@code page}, from index {@code from} to before {@code to}. */
    void add(ChunkPage page, int from, int to) {
        for (int i = from; i < to; i++) {
            mins.add(page.mins(), i);
            added(page.owners().owner(i), page.histories().get(i));
        }
    }

    private void added(int owner, ChunkHistory history) {
        int last = mins.size() - 1;
        if (last == owners.length) {
            owners = Arrays.copyOf(owners, 2 * last);
            histories = Arrays.copyOf(histories, 2 * last);
        }
        owners[last] = owner;
        histories[last] = history;
        if (mins.size() == 2 * pageChunks) {
            write(pageChunks);
        } else if (mins.keyBytes() > MAX_BOUND_BYTES) {
            write(mins.size());
        }
    }

    /** Adds a page as it is, unless too little is before it to stand alone. */
    void share(ChunkPage page) {
        if (isTooLittle()) {
            add(page, 0, page.size());
        } else {
            writeRest();
            pages.add(page);
        }
    }

    private boolean isTooLittle() {
        return mins.size() > 0 && mins.size() < (pageChunks + 3) / 4;
    }

    /** @throws IllegalArgumentException if nothing was added */
    ChunkPages build() {
        if (isTooLittle() && !pages.isEmpty()) {
            ChunkPage last = pages.remove(pages.size() - 1);
            int count = mins.size();
            SortedKeys tail = mins.build();
            int[] tailOwners = Arrays.copyOf(owners, count);
            ChunkHistory[] tailHistories = Arrays.copyOf(histories, count);
            mins.removeFirst(count);
            add(last, 0, last.size());
            for (int i = 0; i < count; i++) {
                mins.add(tail, i);
                added(tailOwners[i], tailHistories[i]);
            }
        }
        writeRest();
        return new ChunkPages(pages, pageChunks);
    }

    private void writeRest() {
        if (mins.size() > pageChunks + pageChunks / 2) {
            write(mins.size() / 2);
        }
        if (mins.size() > 0) {
            write(mins.size());
        }
    }

    /** Makes a page out of the first {@code count} of what is not in one. */
    private void write(int count) {
        pages.add(new ChunkPage(
                mins.build(0, count),
                new ChunkOwners(owners, 0, count),
                isAnyKnown(count) ? new PageHistories(histories, 0, count) : PageHistories.NONE));
        int rest = mins.size() - count;
        mins.removeFirst(count);
        System.arraycopy(owners, count, owners, 0, rest);
        System.arraycopy(histories, count, histories, 0, rest);
    }

    private boolean isAnyKnown(int count) {
        for (int i = 0; i < count; i++) {
            if (histories[i].newest() != 0 || histories[i].isKept()) {
                return true;
            }
        }
        return false;
    }
}
