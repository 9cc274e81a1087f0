package io.scatterguard.proxy.catalog;

import org.jspecify.annotations.Nullable;

/**
 * What is known of one incarnation of a collection.
 *
 * @param incarnation the incarnation that was read
 * @param table the newest good table, null if there never was one
 * @param seen the highest chunk version that was read, good or not: what the next refresh asks for changes since
 * @param problem why {@code table} is not of the version {@code seen}; null if it is
 */
record CachedTable(
        Incarnation incarnation,
        @Nullable RoutingTable table,
        ChunkVersion seen,
        @Nullable CatalogProblem problem) {
    static CachedTable good(Incarnation incarnation, RoutingTable table) {
        return new CachedTable(incarnation, table, table.version(), null);
    }

    /** How much it counts towards the bound of the cache: its chunks. */
    int weight() {
        return table == null ? 1 : table.chunkCount();
    }

    /** This, described by {@code info}; what depends on chunks is not touched. */
    CachedTable describedBy(CollectionInfo info) {
        return table == null || table.collection().equals(info)
                ? this
                : new CachedTable(incarnation, table.withCollection(info), seen, problem);
    }

    /** Whether {@code info} can be put on top of the chunks: the key is the one they were read for. */
    boolean fits(CollectionInfo info) {
        return table == null || table.shardKey().equals(info.shardKey());
    }
}
