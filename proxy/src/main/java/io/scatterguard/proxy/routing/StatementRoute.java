package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.catalog.ShardSet;
import org.jspecify.annotations.Nullable;

/**
 * The route of one statement of a batch, or of a command that is one statement. Primitives and ordinals only.
 *
 * @param placement where it goes, from the present chunks
 * @param shape what the key makes of it; null for an unsharded collection or a predicted error
 * @param certainty whether {@code shards} is exact
 * @param shards the shards contacted
 * @param pointFields bit i: key field i is pinned to one value (or a list of single values)
 * @param rangeFields bit i: key field i is narrowed, but not to single values
 * @param reason why
 * @param error what the router would answer instead; null in general
 */
public record StatementRoute(
        Placement placement,
        @Nullable Shape shape,
        Certainty certainty,
        ShardSet shards,
        long pointFields,
        long rangeFields,
        Reason reason,
        @Nullable PredictedError error) {
    /** Whether key field {@code index} is constrained at all. */
    public boolean constrains(int index) {
        return ((pointFields | rangeFields) & (1L << index)) != 0;
    }
}
