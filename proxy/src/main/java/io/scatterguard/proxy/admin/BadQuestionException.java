package io.scatterguard.proxy.admin;

/** Something about a request is wrong; the message says what, and what was expected. It must not repeat a value. */
public final class BadQuestionException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadQuestionException(String message) {
        super(message, null, false, false);
    }
}
