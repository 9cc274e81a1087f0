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
 * @param subject what the statement is about; null if that is what the command is about
 */
public record StatementRoute(
        Placement placement,
        @Nullable Shape shape,
        Certainty certainty,
        ShardSet shards,
        long pointFields,
        long rangeFields,
        Reason reason,
        @Nullable PredictedError error,
        @Nullable StatementSubject subject) {
    /** The route of a statement that is about what its command is about. */
    public StatementRoute(
            Placement placement,
            @Nullable Shape shape,
            Certainty certainty,
            ShardSet shards,
            long pointFields,
            long rangeFields,
            Reason reason,
            @Nullable PredictedError error) {
        this(placement, shape, certainty, shards, pointFields, rangeFields, reason, error, null);
    }

    /** The same route of a statement that is about {@code other}. */
    public StatementRoute about(StatementSubject other) {
        return new StatementRoute(placement, shape, certainty, shards, pointFields, rangeFields, reason, error, other);
    }

    /** Whether key field {@code index} is constrained at all. */
    public boolean constrains(int index) {
        return ((pointFields | rangeFields) & (1L << index)) != 0;
    }
}
