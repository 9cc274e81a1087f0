package io.scatterguard.proxy.catalog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Where the chunks of a collection were at earlier times (targeting semantics §6.10). Kept only of chunks whose
 * {@code history} has two entries or more, at 8 bytes a chunk and 12 bytes an entry; of all others together, the newest
 * time from which on they are where they are. Times are cluster times, seconds in the high 32 bits, compared unsigned.
 */
final class ChunkHistories {
    /** Nothing is known of earlier times: every chunk was always where it is. */
    static final ChunkHistories NONE = new ChunkHistories(List.of(), 0, 0);

    /** The most blocks of chunks that are gone through for one time: a table of 32,768 chunks is, whatever moved. */
    static final int MAX_MOVED_BLOCKS = 64;

    private final long newest;
    private final long newestOfOthers;
    /** The newest move in each block of chunks, up to the last block in which a history is kept. */
    private final long[] newestInBlock;
    /** Where the chunks of each of these blocks begin in {@link #chunks}. */
    private final int[] blockStarts;

    private final BitSet allOwners = new BitSet();
    private final int[] chunks;
    private final int[] starts;
    private final long[] validAfter;
    private final int[] owners;

    /**
     * The history of one chunk, newest first.
     *
     * @param validAfter from when on a shard owned it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    record Entries(long[] validAfter, int[] owners) {}

    private record OfChunk(int chunk, Entries entries) {}

    private ChunkHistories(List<OfChunk> kept, long newest, long newestOfOthers) {
        this.newest = newest;
        this.newestOfOthers = newestOfOthers;
        this.chunks = new int[kept.size()];
        this.starts = new int[kept.size() + 1];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = kept.get(i).chunk();
            starts[i + 1] = starts[i] + kept.get(i).entries().owners().length;
        }
        this.validAfter = new long[starts[chunks.length]];
        this.owners = new int[starts[chunks.length]];
        for (int i = 0; i < chunks.length; i++) {
            Entries entries = kept.get(i).entries();
            System.arraycopy(entries.validAfter(), 0, validAfter, starts[i], entries.validAfter().length);
            System.arraycopy(entries.owners(), 0, owners, starts[i], entries.owners().length);
        }
        for (int owner : owners) {
            allOwners.set(owner);
        }
        int blocks = chunks.length == 0 ? 0 : ChunkBlocks.blockOf(chunks[chunks.length - 1]) + 1;
        this.newestInBlock = new long[blocks];
        this.blockStarts = new int[blocks + 1];
        indexBlocks();
    }

    private void indexBlocks() {
        for (int i = 0; i < chunks.length; i++) {
            int block = ChunkBlocks.blockOf(chunks[i]);
            newestInBlock[block] = later(newestInBlock[block], validAfter[starts[i]]);
            blockStarts[block + 1] = i + 1;
        }
        for (int block = 1; block < blockStarts.length; block++) {
            blockStarts[block] = Math.max(blockStarts[block], blockStarts[block - 1]);
        }
    }

    /** Takes the histories of chunks while these are read, and keeps no more of them than is needed. Not thread-safe. */
    static final class Collector {
        private long newest;
        private long newestOfOthers;

        /**
         * Reads the {@code history} of a chunk. One that cannot be understood reaches back to no time at all: today's
         * placement does not depend on it.
         *
         * @return null if there is nothing to keep of it
         */
        @Nullable Entries add(BsonDocument chunk, ShardOrdinals ordinals) {
            BsonValue history = chunk.get("history");
            if (history == null
                    || history.isNull()
                    || (history.isArray() && history.asArray().isEmpty())) {
                return null;
            }
            Entries entries = read(history, ordinals);
            long latest = entries == null ? -1 : entries.validAfter()[0];
            newest = later(newest, latest);
            if (entries != null && entries.owners().length > 1) {
                return entries;
            }
            newestOfOthers = later(newestOfOthers, latest);
            return null;
        }

        private static @Nullable Entries read(BsonValue history, ShardOrdinals ordinals) {
            try {
                List<BsonValue> documents = history.asArray();
                long[] validAfter = new long[documents.size()];
                int[] owners = new int[validAfter.length];
                for (int i = 0; i < validAfter.length; i++) {
                    BsonDocument document = documents.get(i).asDocument();
                    validAfter[i] = document.getTimestamp("validAfter").getValue();
                    owners[i] = ordinals.ordinal(document.getString("shard").getValue());
                }
                return new Entries(validAfter, owners);
            } catch (BSONException e) {
                return null;
            }
        }

        /** @param entries what {@link #add} gave of every chunk, in the order of the table */
        ChunkHistories build(List<@Nullable Entries> entries) {
            List<OfChunk> kept = new ArrayList<>(0);
            for (int i = 0; i < entries.size(); i++) {
                Entries of = entries.get(i);
                if (of != null) {
                    kept.add(new OfChunk(i, of));
                }
            }
            return newest == 0 ? NONE : new ChunkHistories(kept, newest, newestOfOthers);
        }
    }

    private static long later(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? a : b;
    }

    /** Whether at {@code time} every chunk was where it is. */
    boolean isToday(long time) {
        return Long.compareUnsigned(time, newest) >= 0;
    }

    /** Whether at {@code time} every chunk that is not kept here was where it is. */
    boolean coversOthers(long time) {
        return Long.compareUnsigned(time, newestOfOthers) >= 0;
    }

    /** The blocks of chunks, ascending, in which a chunk has moved after {@code time}. */
    int[] blocksMovedAfter(long time) {
        int[] moved = new int[newestInBlock.length];
        int count = 0;
        for (int block = 0; block < moved.length; block++) {
            if (Long.compareUnsigned(newestInBlock[block], time) > 0) {
                moved[count++] = block;
            }
        }
        return Arrays.copyOf(moved, count);
    }

    /**
     * Sets the owners of {@code time} in one block.
     *
     * @param then the present owners of its chunks
     * @param tooShort the owner of a chunk whose history does not reach back so far
     */
    void apply(long time, int block, int[] then, int tooShort) {
        int firstChunk = block * ChunkBlocks.BLOCK_CHUNKS;
        for (int i = blockStarts[block]; i < blockStarts[block + 1]; i++) {
            int entry = starts[i];
            while (entry < starts[i + 1] && Long.compareUnsigned(validAfter[entry], time) > 0) {
                entry++;
            }
            then[chunks[i] - firstChunk] = entry < starts[i + 1] ? owners[entry] : tooShort;
        }
    }

    /** The ordinals that occur; not to be changed. */
    BitSet allOwners() {
        return allOwners;
    }

    /** Adds the shards that chunks have left since {@code time}. */
    void addLeftSince(long time, BitSet shards) {
        for (int i = 0; i < chunks.length; i++) {
            int entry = starts[i];
            while (entry + 1 < starts[i + 1] && Long.compareUnsigned(validAfter[entry], time) > 0) {
                entry++;
                shards.set(owners[entry]);
            }
        }
    }

    /** The highest ordinal that occurs, −1 if none does. */
    int highestOwner() {
        return allOwners.length() - 1;
    }
}
