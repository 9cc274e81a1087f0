package io.scatterguard.proxy.catalog;

import java.util.Arrays;

/** Where the server splits the key space of a key that begins hashed when an empty collection is sharded by it. */
final class HashedSplits {
    private HashedSplits() {}

    /**
     * The hashes between {@code chunks} chunks of equal width, ascending and symmetric around 0. The server takes the width from
     * the highest 64-bit integer, rounded down, twice; an odd number of chunks has one across 0.
     */
    static long[] between(int chunks) {
        long width = Long.MAX_VALUE / chunks * 2;
        long[] points = new long[chunks - 1];
        boolean even = chunks % 2 == 0;
        for (int i = 0; i < points.length / 2; i++) {
            long distance = even ? width * (i + 1) : width / 2 + width * i;
            points[2 * i] = distance;
            points[2 * i + 1] = -distance;
        }
        Arrays.sort(points);
        return points;
    }
}
