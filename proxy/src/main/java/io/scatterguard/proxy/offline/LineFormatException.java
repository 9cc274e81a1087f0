package io.scatterguard.proxy.offline;

import org.jspecify.annotations.Nullable;

/** A line that is in none of the formats; the message names the member, its value and what is expected. */
public final class LineFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String id;

    /** @param message of a line of which not even the id is known */
    public LineFormatException(String message) {
        this(message, null);
    }

    private LineFormatException(String message, @Nullable String id) {
        super(message, null, false, false);
        this.id = id;
    }

    /** The same of the line of this id. */
    LineFormatException of(@Nullable String line) {
        return new LineFormatException(String.valueOf(getMessage()), line);
    }

    /** What stands in the place of an outcome, as one line of JSON without a line feed. */
    public String toJson() {
        return OutcomeJson.unreadable(id, String.valueOf(getMessage()));
    }
}
