package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.SortedKeys;

/**
 * Consecutive chunks of a routing table. Immutable, and shared by all tables in which these chunks are the same.
 *
 * @param mins their lower ends
 * @param owners of each
 * @param histories of each
 */
record ChunkPage(SortedKeys mins, ChunkOwners owners, PageHistories histories) {
    ChunkPage {
        if (mins.size() == 0 || mins.size() != owners.count()) {
            throw new IllegalArgumentException("chunks: " + mins.size() + " bounds, " + owners.count()
                    + " owners (expected: as many, at least 1)");
        }
    }

    int size() {
        return owners.count();
    }

    /** These chunks with the owners of {@code time}, without histories. */
    ChunkPage at(long time, int tooShort) {
        int[] then = owners.toArray();
        histories.apply(time, then, tooShort);
        return new ChunkPage(mins, new ChunkOwners(then), PageHistories.NONE);
    }
}
