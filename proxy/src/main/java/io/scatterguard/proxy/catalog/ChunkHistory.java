package io.scatterguard.proxy.catalog;

import java.util.Arrays;
import java.util.List;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Where one chunk was at earlier times, newest first (targeting semantics §6.10). Times are cluster times, seconds in the high
 * 32 bits, compared unsigned.
 *
 * @param newest from when on it is where it is; 0 if it always was
 * @param validAfter from when on each owner had it; empty unless there are two entries or more
 * @param owners as many ordinals
 */
@SuppressWarnings("ArrayRecordComponent") // compared by isSameAs
record ChunkHistory(long newest, long[] validAfter, int[] owners) {
    private static final long[] NO_TIMES = {};
    private static final int[] NO_OWNERS = {};

    /** The chunk was always where it is. */
    static final ChunkHistory NONE = new ChunkHistory(0, NO_TIMES, NO_OWNERS);

    /** A history that cannot be understood reaches back to no time at all: today's placement does not depend on it. */
    private static final ChunkHistory UNREADABLE = new ChunkHistory(-1, NO_TIMES, NO_OWNERS);

    /** A chunk that is where it is from {@code newest} on; 0 for always. */
    static ChunkHistory since(long newest) {
        return newest == 0 ? NONE : new ChunkHistory(newest, NO_TIMES, NO_OWNERS);
    }

    /** The history in a document of {@code config.chunks}. */
    static ChunkHistory of(BsonDocument chunk, ShardOrdinals ordinals) {
        BsonValue history = chunk.get("history");
        if (history == null || history.isNull()) {
            return NONE;
        }
        try {
            return of(history.asArray(), ordinals);
        } catch (BSONException e) {
            return UNREADABLE;
        }
    }

    private static ChunkHistory of(List<BsonValue> entries, ShardOrdinals ordinals) {
        long[] validAfter = new long[entries.size()];
        int[] owners = new int[validAfter.length];
        for (int i = 0; i < validAfter.length; i++) {
            BsonDocument entry = entries.get(i).asDocument();
            validAfter[i] = entry.getTimestamp("validAfter").getValue();
            owners[i] = ordinals.ordinal(entry.getString("shard").getValue());
        }
        return switch (owners.length) {
            case 0 -> NONE;
            case 1 -> since(validAfter[0]);
            default -> new ChunkHistory(validAfter[0], validAfter, owners);
        };
    }

    /** Whether more than the newest entry is known. */
    boolean isKept() {
        return owners.length > 0;
    }

    boolean isSameAs(ChunkHistory other) {
        return newest == other.newest
                && Arrays.equals(validAfter, other.validAfter)
                && Arrays.equals(owners, other.owners);
    }

    static long later(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? a : b;
    }

    static boolean isAfter(long a, long b) {
        return Long.compareUnsigned(a, b) > 0;
    }
}
