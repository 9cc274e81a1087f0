package io.scatterguard.proxy.routing;

import org.jspecify.annotations.Nullable;

/**
 * A filter cannot be made into the algebra. With an error, the router would answer with it; without one, it may be valid
 * in a way that is not known here. No stack trace: it is raised by what clients send.
 */
final class FilterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable PredictedError error;

    private FilterException(String message, @Nullable PredictedError error) {
        super(message, null, false, false);
        this.error = error;
    }

    /** Something that is not known here. */
    static FilterException notUnderstood() {
        return new FilterException("filter: not understood", null);
    }

    /** Something every release refuses. */
    static FilterException badValue() {
        return new FilterException("filter: invalid", PredictedError.BAD_VALUE);
    }

    /** More ranges than the router flattens. */
    static FilterException tooManyRanges() {
        return new FilterException("filter: too many ranges", PredictedError.TOO_MANY_RANGES);
    }

    /** A comparison that the router fails on when it translates it to buckets. */
    static FilterException metaExpressionInOr() {
        return new FilterException("filter: $expr on the meta field in $or", PredictedError.META_EXPRESSION_IN_OR);
    }

    @Nullable PredictedError error() {
        return error;
    }
}
