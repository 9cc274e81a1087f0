package io.scatterguard.proxy.audit;

import java.io.IOException;

/** A sink failed behind the first lines of a batch, which it has. */
final class PartlyWrittenException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int lines;

    /** {@code lines} of the batch are written. */
    PartlyWrittenException(int lines, Throwable cause) {
        super(cause.toString(), cause);
        this.lines = lines;
    }

    int lines() {
        return lines;
    }
}
