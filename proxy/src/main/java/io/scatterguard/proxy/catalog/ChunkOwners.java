package io.scatterguard.proxy.catalog;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The owners of consecutive chunks: a byte each where the ordinals allow, with a sum of them all. Immutable. */
final class ChunkOwners {
    static final ChunkOwners NONE = new ChunkOwners(new int[0]);

    private static final int BYTE_MASK = 0xff;

    private final int count;
    private final byte @Nullable [] narrow;
    private final int @Nullable [] wide;
    private final BitSet sum = new BitSet();

    /** @param ordinals not negative; copied */
    ChunkOwners(int[] ordinals) {
        this(ordinals, 0, ordinals.length);
    }

    /** The owners from {@code from} to before {@code to}. */
    ChunkOwners(int[] ordinals, int from, int to) {
        count = to - from;
        for (int i = from; i < to; i++) {
            sum.set(ordinals[i]);
        }
        if (sum.length() <= BYTE_MASK + 1) {
            narrow = new byte[count];
            wide = null;
            for (int i = 0; i < count; i++) {
                narrow[i] = (byte) ordinals[from + i];
            }
        } else {
            narrow = null;
            wide = Arrays.copyOfRange(ordinals, from, to);
        }
    }

    int count() {
        return count;
    }

    int owner(int index) {
        if (narrow != null) {
            return narrow[index] & BYTE_MASK;
        }
        return wide == null ? 0 : wide[index];
    }

    /** All of them; not to be changed. */
    BitSet sum() {
        return sum;
    }

    /** Adds the owners from {@code first} to {@code last}, both included. */
    void addTo(BitSet shards, int first, int last) {
        if (first == 0 && last == count - 1) {
            shards.or(sum);
            return;
        }
        for (int i = first; i <= last; i++) {
            shards.set(owner(i));
        }
    }

    /** As {@link #addTo}, as bits, where all ordinals are below 64. */
    long bits(int first, int last) {
        long bits = 0;
        for (int i = first; i <= last; i++) {
            bits |= 1L << owner(i);
        }
        return bits;
    }

    int[] toArray() {
        int[] ordinals = new int[count];
        for (int i = 0; i < count; i++) {
            ordinals[i] = owner(i);
        }
        return ordinals;
    }
}
