package io.scatterguard.proxy.admin;

/**
 * Something about a request is wrong; the message says what, and what was expected. It must not repeat a value, other than of the
 * body that was sent.
 */
public final class BadQuestionException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    public BadQuestionException(String message) {
        this(Answer.BAD_REQUEST, message);
    }

    /** {@code status}: of HTTP, for what is not just wrong. */
    BadQuestionException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    Answer answer() {
        return Answer.error(status, String.valueOf(getMessage()));
    }
}
