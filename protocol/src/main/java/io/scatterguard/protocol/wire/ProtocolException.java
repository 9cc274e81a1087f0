package io.scatterguard.protocol.wire;

/** Bytes that break the wire protocol. Raised by hostile or broken peers, so it carries no stack trace. */
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message, null, false, false);
    }
}
