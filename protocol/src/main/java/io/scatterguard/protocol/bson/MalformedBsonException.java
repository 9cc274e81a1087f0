package io.scatterguard.protocol.bson;

/** Bytes that are not BSON. Raised by hostile or truncated input, so it carries no stack trace. */
public final class MalformedBsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MalformedBsonException(String message) {
        super(message, null, false, false);
    }
}
