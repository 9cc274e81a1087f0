package io.scatterguard.protocol.bson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An ascending list of {@link KeyBytes}, packed into one array: what all keys begin with is stored once, and where they are
 * equally long nothing else. Immutable; a look-up allocates nothing.
 */
public final class SortedKeys {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The shared beginning, then the rest of each key, then {@link Long#BYTES} that are not used. */
    private final byte[] bytes;

    private final int shared;
    private final int count;
    /** The length of every key's rest, −1 if they differ. */
    private final int width;
    /** Where the keys' rests end, counted from the first: whichever of the two holds the numbers. */
    private final char @Nullable [] narrowEnds;

    private final int @Nullable [] wideEnds;

    /** @param ends where the keys' rests end, counted from the first */
    private SortedKeys(byte[] bytes, int shared, int[] ends) {
        this.bytes = bytes;
        this.shared = shared;
        this.count = ends.length;
        this.width = width(ends);
        boolean narrow = count == 0 || ends[count - 1] <= Character.MAX_VALUE;
        this.narrowEnds = width < 0 && narrow ? narrow(ends) : null;
        this.wideEnds = width < 0 && !narrow ? ends : null;
    }

    private static int width(int[] ends) {
        int width = ends.length == 0 ? 0 : ends[0];
        for (int i = 1; i < ends.length; i++) {
            if (ends[i] - ends[i - 1] != width) {
                return -1;
            }
        }
        return width;
    }

    private static char[] narrow(int[] ends) {
        char[] narrow = new char[ends.length];
        for (int i = 0; i < narrow.length; i++) {
            narrow[i] = (char) ends[i];
        }
        return narrow;
    }

    public int size() {
        return count;
    }

    /** A copy of the key at {@code index}. */
    public byte[] get(int index) {
        int from = end(index - 1);
        int length = end(index) - from;
        byte[] key = Arrays.copyOf(bytes, shared + length);
        System.arraycopy(bytes, from, key, shared, length);
        return key;
    }

    /** Where in {@link #bytes} the rest of the key at {@code index} ends and that of the next begins. */
    private int end(int index) {
        if (width >= 0) {
            return shared + (index + 1) * width;
        }
        if (index < 0) {
            return shared;
        }
        return shared + (narrowEnds != null ? narrowEnds[index] : wide(index));
    }

    private int wide(int index) {
        return wideEnds == null ? 0 : wideEnds[index];
    }

    /** The index of the highest key that is not above {@code key}, −1 if there is none. */
    public int floor(KeyBytes key) {
        return floor(key.bytes(), key.size());
    }

    /** As {@link #floor(KeyBytes)}, by bytes made by that class. */
    public int floor(byte[] key) {
        return floor(key, key.length);
    }

    private int floor(byte[] key, int size) {
        int byShared = Arrays.compareUnsigned(key, 0, Math.min(size, shared), bytes, 0, shared);
        if (byShared != 0) {
            return byShared < 0 ? -1 : count - 1;
        }
        long head = head(key, shared, size);
        int low = -1;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            int from = end(middle - 1);
            int to = end(middle);
            long theirs = storedHead(from, to);
            int order = theirs != head ? Long.compareUnsigned(theirs, head) : compareRest(from, to, key, size);
            if (order <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Of two rests whose heads are equal. */
    private int compareRest(int from, int to, byte[] key, int size) {
        int equal = Math.min(to - from, size - shared) >= Long.BYTES ? Long.BYTES : 0;
        return Arrays.compareUnsigned(bytes, from + equal, to, key, shared + equal, size);
    }

    /**
     * The first eight bytes as a number, zeros standing for those that are missing. Where two heads differ, the keys are in
     * the same order: a missing byte is below all others, or equal to a zero.
     */
    private static long head(byte[] key, int from, int to) {
        if (to - from >= Long.BYTES) {
            return (long) LONG.get(key, from);
        }
        long head = 0;
        for (int i = from; i < from + Long.BYTES; i++) {
            head = (head << Byte.SIZE) | (i < to ? key[i] & 0xff : 0);
        }
        return head;
    }

    private long storedHead(int from, int to) {
        long head = (long) LONG.get(bytes, from);
        int missing = Long.BYTES - (to - from);
        if (missing <= 0) {
            return head;
        }
        return missing == Long.BYTES ? 0 : head & (-1L << (missing * Byte.SIZE));
    }

    /** Takes keys one after another, which must ascend strictly; not thread-safe. */
    public static final class Builder {
        private static final int INITIAL_BYTES = 256;
        private static final int INITIAL_KEYS = 8;

        /** The keys in full. */
        private byte[] bytes = new byte[INITIAL_BYTES];

        private int[] ends = new int[INITIAL_KEYS];
        private int count;

        public int size() {
            return count;
        }

        /** How many bytes the keys have together. */
        public int keyBytes() {
            return count == 0 ? 0 : ends[count - 1];
        }

        /** @throws IllegalArgumentException if {@code key} is not above the one before it */
        public Builder add(byte[] key) {
            if (count > 0
                    && Arrays.compareUnsigned(bytes, start(count - 1), ends[count - 1], key, 0, key.length) >= 0) {
                throw new IllegalArgumentException("key " + count + ": not above the one before it");
            }
            int from = grow(key.length);
            System.arraycopy(key, 0, bytes, from, key.length);
            return this;
        }

        /** Adds the key at {@code index} of {@code keys}. */
        public Builder add(SortedKeys keys, int index) {
            int from = keys.end(index - 1);
            int rest = keys.end(index) - from;
            int to = grow(keys.shared + rest);
            System.arraycopy(keys.bytes, 0, bytes, to, keys.shared);
            System.arraycopy(keys.bytes, from, bytes, to + keys.shared, rest);
            return this;
        }

        private int grow(int length) {
            int from = keyBytes();
            int to = Math.addExact(from, length);
            if (to > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(to, (int) Math.min(Integer.MAX_VALUE - 8, 2L * bytes.length)));
            }
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
            }
            ends[count++] = to;
            return from;
        }

        private int start(int index) {
            return index == 0 ? 0 : ends[index - 1];
        }

        /** Forgets the first {@code keys}. */
        public Builder removeFirst(int keys) {
            int removed = start(keys);
            System.arraycopy(bytes, removed, bytes, 0, keyBytes() - removed);
            count -= keys;
            for (int i = 0; i < count; i++) {
                ends[i] = ends[i + keys] - removed;
            }
            return this;
        }

        public SortedKeys build() {
            return build(0, count);
        }

        /** The keys from {@code from} to before {@code to}. */
        public SortedKeys build(int from, int to) {
            int shared = from == to ? 0 : sharedBytes(from, to - 1);
            int restBytes = from == to ? 0 : ends[to - 1] - start(from) - (to - from) * shared;
            byte[] packed = new byte[shared + restBytes + Long.BYTES];
            System.arraycopy(bytes, start(from), packed, 0, shared);
            int[] packedEnds = new int[to - from];
            int at = shared;
            for (int i = from; i < to; i++) {
                int rest = ends[i] - start(i) - shared;
                System.arraycopy(bytes, start(i) + shared, packed, at, rest);
                at += rest;
                packedEnds[i - from] = at - shared;
            }
            return new SortedKeys(packed, shared, packedEnds);
        }

        /** Whatever two keys of a sorted list begin with, all between them do. */
        private int sharedBytes(int first, int last) {
            int length = Math.min(ends[first] - start(first), ends[last] - start(last));
            int differs = Arrays.mismatch(
                    bytes, start(first), start(first) + length, bytes, start(last), start(last) + length);
            return differs < 0 ? length : differs;
        }
    }
}
