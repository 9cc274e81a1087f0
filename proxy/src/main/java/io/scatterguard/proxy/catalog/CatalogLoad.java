package io.scatterguard.proxy.catalog;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the metadata gave: a snapshot, and what had to be left out of it.
 *
 * @param problems empty when everything was consistent
 * @param clusterId the {@code clusterId} of {@code config.version}; null where there is none
 */
public record CatalogLoad(
        CatalogSnapshot snapshot,
        List<CatalogProblem> problems,
        @Nullable ObjectId clusterId) {
    public CatalogLoad {
        problems = List.copyOf(problems);
    }

    /** What a look at no cluster gives: nothing is sharded. */
    public static CatalogLoad ofNothing(Instant now) {
        return new CatalogLoad(
                new CatalogSnapshot(now, true, ShardRegistry.empty(), Map.of(), Map.of()), List.of(), null);
    }
}
