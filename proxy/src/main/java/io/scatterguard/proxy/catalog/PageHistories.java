package io.scatterguard.proxy.catalog;

import static io.scatterguard.proxy.catalog.ChunkHistory.isAfter;
import static io.scatterguard.proxy.catalog.ChunkHistory.later;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The histories of a page's chunks. Those of two entries or more are kept, at 4 bytes a chunk and about 9 bytes an entry; of
 * all others the time from which on they are where they are, once where it is the same for all. Immutable.
 */
final class PageHistories {
    /** Every chunk was always where it is. */
    static final PageHistories NONE = new PageHistories(new ChunkHistory[0], 0, 0);

    /** Of each chunk that is not kept, 0 of one that is; null if it is {@link #newestOfOthers} of each. */
    private final long @Nullable [] since;

    private final long newestOfOthers;
    private final long newestOfKept;
    /** The chunks that are kept, ascending, as indices in the page. */
    private final char[] kept;
    /** Where the entries of each end. */
    private final int[] ends;

    private final long[] validAfter;
    private final ChunkOwners owners;

    /** The histories from {@code from} to before {@code to}. */
    PageHistories(ChunkHistory[] histories, int from, int to) {
        int entries = 0;
        int keptCount = 0;
        long latestOfOthers = 0;
        long latestOfKept = 0;
        boolean same = true;
        for (int i = from; i < to; i++) {
            ChunkHistory history = histories[i];
            same &= !history.isKept() && history.newest() == histories[from].newest();
            if (history.isKept()) {
                keptCount++;
                entries += history.owners().length;
                latestOfKept = later(latestOfKept, history.newest());
            } else {
                latestOfOthers = later(latestOfOthers, history.newest());
            }
        }
        this.newestOfOthers = latestOfOthers;
        this.newestOfKept = latestOfKept;
        this.since = same || latestOfOthers == 0 ? null : new long[to - from];
        this.kept = new char[keptCount];
        this.ends = new int[keptCount];
        this.validAfter = new long[entries];
        int[] ordinals = new int[entries];
        fill(histories, from, to, ordinals);
        this.owners = entries == 0 ? ChunkOwners.NONE : new ChunkOwners(ordinals);
    }

    private void fill(ChunkHistory[] histories, int from, int to, int[] ordinals) {
        int next = 0;
        int end = 0;
        for (int i = from; i < to; i++) {
            ChunkHistory history = histories[i];
            if (history.isKept()) {
                int length = history.owners().length;
                System.arraycopy(history.validAfter(), 0, validAfter, end, length);
                System.arraycopy(history.owners(), 0, ordinals, end, length);
                end += length;
                kept[next] = (char) (i - from);
                ends[next++] = end;
            } else if (since != null) {
                since[i - from] = history.newest();
            }
        }
    }

    /** The history of the chunk at {@code index} of the page. */
    ChunkHistory get(int index) {
        int at = Arrays.binarySearch(kept, (char) index);
        if (at >= 0) {
            int from = start(at);
            int[] ordinals = new int[ends[at] - from];
            for (int i = 0; i < ordinals.length; i++) {
                ordinals[i] = owners.owner(from + i);
            }
            return new ChunkHistory(validAfter[from], Arrays.copyOfRange(validAfter, from, ends[at]), ordinals);
        }
        long newest = since == null ? newestOfOthers : since[index];
        return ChunkHistory.since(newest);
    }

    private int start(int at) {
        return at == 0 ? 0 : ends[at - 1];
    }

    /** The newest time among the chunks that are not kept. */
    long newestOfOthers() {
        return newestOfOthers;
    }

    /** The newest time among those that are. */
    long newestOfKept() {
        return newestOfKept;
    }

    /** The shards in the histories that are kept; not to be changed. */
    BitSet owners() {
        return owners.sum();
    }

    /**
     * Sets the owners of {@code time}.
     *
     * @param then the present owners of the page's chunks
     * @param tooShort the owner of a chunk whose history does not reach back so far
     */
    void apply(long time, int[] then, int tooShort) {
        for (int i = 0; i < kept.length; i++) {
            int entry = start(i);
            while (entry < ends[i] && isAfter(validAfter[entry], time)) {
                entry++;
            }
            then[kept[i]] = entry < ends[i] ? owners.owner(entry) : tooShort;
        }
    }

    /** Adds the shards that chunks have left since {@code time}. */
    void addLeftSince(long time, BitSet shards) {
        for (int i = 0; i < kept.length; i++) {
            int entry = start(i);
            while (entry + 1 < ends[i] && isAfter(validAfter[entry], time)) {
                entry++;
                shards.set(owners.owner(entry));
            }
        }
    }
}
