package io.scatterguard.proxy.tls;

import org.jspecify.annotations.Nullable;

/** A file that TLS cannot be set up from. The message names the file, what is wrong and what would be right. */
public final class TlsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String key;

    TlsException(String key, String message) {
        this(key, message, null);
    }

    TlsException(String key, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.key = key;
    }

    /** The key below {@code tls} whose value is at fault, for instance {@code certificate}. */
    public String key() {
        return key;
    }
}
