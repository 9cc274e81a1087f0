package io.scatterguard.tests.fuzz.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Ways to cut a stream of bytes into what a socket may deliver. */
public final class Parts {
    private Parts() {}

    /** All at once. */
    public static List<byte[]> whole(byte[] stream) {
        return List.of(stream);
    }

    /** Every byte by itself. */
    public static List<byte[]> bytes(byte[] stream) {
        return cut(stream, new int[] {1});
    }

    /** Parts of these lengths, which are used again and again; each is positive. */
    public static List<byte[]> cut(byte[] stream, int[] lengths) {
        List<byte[]> parts = new ArrayList<>();
        int at = 0;
        for (int i = 0; at < stream.length; i++) {
            int end = Math.min(stream.length, at + lengths[i % lengths.length]);
            parts.add(Arrays.copyOfRange(stream, at, end));
            at = end;
        }
        return parts;
    }

    /** Parts of 1 to {@code longest} bytes; short ones are the more likely. */
    public static List<byte[]> random(byte[] stream, int longest, SplittableRandom random) {
        int[] lengths = random.ints(64, 1, longest + 1)
                .map(length -> random.nextInt(1, length + 1))
                .toArray();
        return cut(stream, lengths);
    }
}
