package io.scatterguard.proxy.catalog;

import java.util.Arrays;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/** Compares two routing tables in everything that can be observed of them, fast. */
final class TableComparison {
    private TableComparison() {}

    /**
     * What differs first, null if nothing does.
     *
     * @param seconds cluster times of which the placement is compared
     */
    static @Nullable String difference(RoutingTable a, RoutingTable b, int... seconds) {
        if (!a.version().equals(b.version()) || !a.collection().equals(b.collection())) {
            return "version or collection: " + a.version() + ", " + b.version();
        }
        String present = ofChunks(a, b);
        if (present != null) {
            return present;
        }
        if (!a.everOwned().equals(b.everOwned()) || a.firstChunkShard() != b.firstChunkShard()) {
            return "shards ever: " + a.everOwned() + ", " + b.everOwned();
        }
        for (int second : seconds) {
            String past = atTime(a, b, new BsonTimestamp(second, 1).getValue());
            if (past != null) {
                return past + " at " + second;
            }
        }
        return null;
    }

    private static @Nullable String ofChunks(RoutingTable a, RoutingTable b) {
        int chunks = a.chunkCount();
        if (chunks != b.chunkCount() || !a.owningShards().equals(b.owningShards())) {
            return "chunks: " + chunks + ", " + b.chunkCount() + ", shards: " + a.owningShards() + ", "
                    + b.owningShards();
        }
        for (int i = 0; i < chunks; i++) {
            byte[] min = a.min(i);
            boolean same = Arrays.equals(min, b.min(i))
                    && a.owner(i) == b.owner(i)
                    && a.chunkOf(min) == i
                    && a.shardOf(min) == b.owner(i)
                    && a.owners(i / 2, i).equals(b.owners(i / 2, i));
            if (!same) {
                return "chunk " + i + ": owners " + a.owner(i) + ", " + b.owner(i);
            }
        }
        return null;
    }

    private static @Nullable String atTime(RoutingTable a, RoutingTable b, long time) {
        PastPlacement pastA = a.at(time);
        PastPlacement pastB = b.at(time);
        boolean same = a.isUnchangedSince(time) == b.isUnchangedSince(time)
                && a.leftSince(time).equals(b.leftSince(time))
                && pastA.certain() == pastB.certain()
                && pastA.followed() == pastB.followed()
                && pastA.tooShort() == pastB.tooShort();
        return same ? ofChunks(pastA.table(), pastB.table()) : "past: " + pastA + ", " + pastB;
    }
}
