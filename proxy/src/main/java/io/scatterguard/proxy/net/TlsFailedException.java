package io.scatterguard.proxy.net;

import java.io.IOException;

/** A peer that did not begin TLS as it should have. Without a stack trace: it is the peer's doing. */
final class TlsFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsFailedException(String message) {
        super(message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
