package io.scatterguard.proxy.sources;

/** Something that looks like a declaration cannot be read. The message says why. */
final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int offset;

    SourceException(int offset, String message) {
        super(message, null, false, false);
        this.offset = offset;
    }

    /** Where, in the file. */
    int offset() {
        return offset;
    }
}
