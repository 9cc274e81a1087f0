package io.scatterguard.proxy.routing;

import org.jspecify.annotations.Nullable;

/**
 * A filter cannot be made into the algebra. With an error, the router would answer with it; without one, it may be valid
 * in a way that is not known here. No stack trace: it is raised by what clients send.
 */
final class FilterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Something that is not known here. */
    static final FilterException NOT_UNDERSTOOD = new FilterException("not understood", null);
    /** Something every release refuses. */
    static final FilterException BAD_VALUE = new FilterException("bad value", PredictedError.BAD_VALUE);

    /** More ranges than the router flattens. */
    static final FilterException TOO_MANY_RANGES =
            new FilterException("too many ranges", PredictedError.TOO_MANY_RANGES);

    private final @Nullable PredictedError error;

    private FilterException(String message, @Nullable PredictedError error) {
        super(message, null, false, false);
        this.error = error;
    }

    @Nullable PredictedError error() {
        return error;
    }
}
