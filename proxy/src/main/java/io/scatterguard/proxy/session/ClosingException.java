package io.scatterguard.proxy.session;

/** A request after which the connection ends, although it broke no rule of the protocol. Carries no stack trace. */
final class ClosingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final CloseCause closeCause;

    ClosingException(CloseCause closeCause, String message) {
        super(message, null, false, false);
        this.closeCause = closeCause;
    }

    CloseCause closeCause() {
        return closeCause;
    }
}
