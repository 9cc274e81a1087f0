package io.scatterguard.proxy.catalog;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** An immutable set of shard ordinals (see {@link ShardRegistry}). */
public final class ShardSet {
    private static final ShardSet NONE = new ShardSet(new long[0]);

    /** The sets of one shard, as most routes have. */
    private static final ShardSet[] SINGLE =
            IntStream.range(0, 256).mapToObj(ShardSet::single).toArray(ShardSet[]::new);

    private final long[] words;

    private ShardSet(long[] words) {
        this.words = words;
    }

    public static ShardSet none() {
        return NONE;
    }

    /** The set of one shard; −1 gives the empty set. */
    public static ShardSet of(int ordinal) {
        if (ordinal < 0) {
            return NONE;
        }
        return ordinal < SINGLE.length ? SINGLE[ordinal] : single(ordinal);
    }

    private static ShardSet single(int ordinal) {
        long[] words = new long[(ordinal >> 6) + 1];
        words[ordinal >> 6] = 1L << ordinal;
        return new ShardSet(words);
    }

    /** The set of the ordinals i, of those below 64, whose bit i is set. */
    static ShardSet ofBits(long bits) {
        if (Long.bitCount(bits) < 2) {
            return bits == 0 ? NONE : of(Long.numberOfTrailingZeros(bits));
        }
        return new ShardSet(new long[] {bits});
    }

    /** Whether every ordinal is below {@code limit}, a multiple of 64. */
    boolean areBelow(int limit) {
        return words.length <= limit / Long.SIZE;
    }

    /** A copy of {@code ordinals}. */
    public static ShardSet of(BitSet ordinals) {
        return ordinals.isEmpty() ? NONE : new ShardSet(ordinals.toLongArray());
    }

    public boolean contains(int ordinal) {
        int word = ordinal >> 6;
        return ordinal >= 0 && word < words.length && (words[word] & (1L << ordinal)) != 0;
    }

    public boolean containsAll(ShardSet other) {
        for (int i = 0; i < other.words.length; i++) {
            long mine = i < words.length ? words[i] : 0;
            if ((other.words[i] & ~mine) != 0) {
                return false;
            }
        }
        return true;
    }

    /** How many shards there are. */
    public int size() {
        int size = 0;
        for (long word : words) {
            size += Long.bitCount(word);
        }
        return size;
    }

    public boolean isEmpty() {
        return words.length == 0;
    }

    public ShardSet union(ShardSet other) {
        if (containsAll(other)) {
            return this;
        }
        if (other.containsAll(this)) {
            return other;
        }
        long[] union = Arrays.copyOf(words, Math.max(words.length, other.words.length));
        for (int i = 0; i < other.words.length; i++) {
            union[i] |= other.words[i];
        }
        return new ShardSet(union);
    }

    /** The shards of this set that are not in {@code other}. */
    public ShardSet minus(ShardSet other) {
        if (isEmpty() || other.isEmpty()) {
            return this;
        }
        BitSet difference = BitSet.valueOf(words);
        difference.andNot(BitSet.valueOf(other.words));
        return of(difference);
    }

    /** The ordinals, ascending. */
    int[] toArray() {
        int[] ordinals = new int[size()];
        int[] count = {0};
        forEach(ordinal -> ordinals[count[0]++] = ordinal);
        return ordinals;
    }

    /** Calls {@code action} with every ordinal, ascending. */
    public void forEach(IntConsumer action) {
        for (int i = 0; i < words.length; i++) {
            for (long word = words[i]; word != 0; word &= word - 1) {
                action.accept((i << 6) + Long.numberOfTrailingZeros(word));
            }
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ShardSet other && Arrays.equals(words, other.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return BitSet.valueOf(words).toString();
    }
}
