package io.scatterguard.proxy.cli;

import java.io.IOException;

/** A command could not be started. */
final class ChildNotStartedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    /** @param code what a shell would end with */
    ChildNotStartedException(int code, IOException cause) {
        super(cause.getMessage(), cause);
        this.code = code;
    }

    int code() {
        return code;
    }
}
