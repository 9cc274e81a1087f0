package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.catalog.ShardSet;
import org.jspecify.annotations.Nullable;

/**
 * What the key makes of one filter or one stored document: T of the targeting semantics.
 *
 * @param shards the shards it reaches, before any broadcast rule
 * @param exact whether {@code shards} is exact and not only a superset
 * @param fullKey whether it is the single shard of a full key by equality
 * @param error what the router answers instead; null in general
 */
record Target(
        ShardSet shards,
        @Nullable Shape shape,
        boolean exact,
        boolean fullKey,
        long pointFields,
        long rangeFields,
        Reason reason,
        @Nullable PredictedError error) {

    /** A full key: one shard. */
    static Target ofKey(int shard, int fields) {
        long all = fields >= Long.SIZE ? -1L : (1L << fields) - 1;
        return new Target(ShardSet.of(shard), Shape.SINGLE_SHARD, true, true, all, 0, Reason.FULL_KEY, null);
    }

    static Target ofError(PredictedError error) {
        return new Target(ShardSet.none(), null, true, false, 0, 0, Reason.PREDICTED_ERROR, error);
    }

    /** A superset, because something is not understood. */
    static Target upperBound(ShardSet superset) {
        return new Target(superset, Shape.SCATTER_GATHER, false, false, 0, 0, Reason.NOT_UNDERSTOOD, null);
    }

    /** A superset, because a field that decides stands twice. */
    static Target ambiguous(ShardSet superset) {
        return new Target(superset, Shape.SCATTER_GATHER, false, false, 0, 0, Reason.AMBIGUOUS, null);
    }

    /** The same, sent to other shards for another reason. */
    Target sentTo(ShardSet others, Reason because) {
        return new Target(others, shape, exact, false, pointFields, rangeFields, because, null);
    }

    /** The same with another shape. */
    Target shapedAs(Shape other) {
        return new Target(shards, other, exact, fullKey, pointFields, rangeFields, reason, error);
    }

    /** The same, but perhaps it comes out otherwise: a superset. */
    Target perhaps() {
        return new Target(shards, shape, false, false, pointFields, rangeFields, reason, error);
    }

    /** The same, but perhaps on {@code others} as well. */
    Target perhapsAlso(ShardSet others) {
        return new Target(shards.union(others), shape, false, fullKey, pointFields, rangeFields, reason, error);
    }

    /**
     * What the router answers because the target has several shards. Where it might have one if the chunks lay otherwise, the
     * shape stays: it is what the key makes of the filter, wherever the chunks are. A scatter-gather is on every shard that owns
     * chunks in any case, and fails altogether.
     */
    Target refusedOnSeveral(PredictedError because) {
        Shape kept = shape == Shape.SCATTER_GATHER ? null : shape;
        return new Target(
                ShardSet.none(), kept, exact, false, pointFields, rangeFields, Reason.PREDICTED_ERROR, because);
    }

    boolean isError() {
        return error != null;
    }

    /** Whether it is certain to reach one shard only. */
    boolean isOneShard() {
        return exact && shards.size() == 1;
    }
}
