package io.scatterguard.proxy.catalog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one incarnation of a collection.
 *
 * @param incarnation the incarnation that was read
 * @param table the newest good table, null if there never was one
 * @param seen the version the collection surely had while its chunks were read, good or not: what the next refresh asks
 *     for changes since. Below the table's own version if the collection changed under the reading
 * @param broken why {@code table} is older than {@code seen}; null if it is not
 */
record CachedTable(
        Incarnation incarnation,
        @Nullable RoutingTable table,
        ChunkVersion seen,
        @Nullable BrokenChunks broken) {
    /** A table of which only the key is known. */
    static CachedTable ofKey(Incarnation incarnation, CollectionInfo info, ShardOrdinals ordinals) {
        return new CachedTable(incarnation, RoutingTable.ofKey(info, ordinals), ChunkVersion.NONE, null);
    }

    /** Why the table is older than what was seen; null if it is not. */
    @Nullable CatalogProblem problem() {
        return broken == null ? null : broken.problem();
    }

    /** How often the chunks were found broken at this version. */
    int brokenReadings() {
        return broken == null ? 0 : broken.readings();
    }

    /** Whether the chunks are to be read again though no newer ones have come. */
    boolean isAgainDue(Instant now) {
        return broken != null && !broken.againAt().isAfter(now);
    }

    /** This, of which no more than the state at {@code version} is sure. */
    CachedTable sureAt(ChunkVersion version) {
        return seen.compareTo(version) <= 0 ? this : new CachedTable(incarnation, table, version, broken);
    }

    /** This with the table of {@code before}, if that is of the same incarnation and there is none here. */
    CachedTable orTableOf(@Nullable CachedTable before) {
        if (table != null || before == null || !before.incarnation.equals(incarnation)) {
            return this;
        }
        return new CachedTable(incarnation, before.table, seen, broken);
    }

    /** How much it counts towards the bound of the cache: its chunks. */
    int weight() {
        return table == null ? 1 : table.chunkCount();
    }

    /** This, described by {@code info}; what depends on chunks is not touched. */
    CachedTable describedBy(CollectionInfo info) {
        return table == null || table.collection().equals(info)
                ? this
                : new CachedTable(incarnation, table.withCollection(info), seen, broken);
    }

    /** Whether {@code info} can be put on top of the chunks: the key is the one they were read for. */
    boolean fits(CollectionInfo info) {
        return table == null || table.shardKey().equals(info.shardKey());
    }
}
