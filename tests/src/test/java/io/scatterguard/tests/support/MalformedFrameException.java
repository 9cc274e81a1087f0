package io.scatterguard.tests.support;

/** Thrown when bytes that should be a wire message are none. */
public final class MalformedFrameException extends RuntimeException {
    MalformedFrameException(String message) {
        super(message);
    }
}
