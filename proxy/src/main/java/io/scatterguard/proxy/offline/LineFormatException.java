package io.scatterguard.proxy.offline;

/** A line that is in none of the formats; the message names the member, its value and what is expected. */
public final class LineFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LineFormatException(String message) {
        super(message, null, false, false);
    }
}
