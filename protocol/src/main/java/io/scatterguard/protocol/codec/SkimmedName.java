package io.scatterguard.protocol.codec;

/** The name of an element as it is read byte by byte; only its beginning is kept. */
final class SkimmedName {
    /** Longer than any name that is looked for. */
    private static final int KEPT_BYTES = 24;

    private final byte[] kept = new byte[KEPT_BYTES];
    private int length;

    void clear() {
        length = 0;
    }

    void add(byte b) {
        if (length < KEPT_BYTES) {
            kept[length] = b;
        }
        // Saturates where it no longer equals any name, so that a name of any length cannot wrap around.
        length = Math.min(length + 1, KEPT_BYTES + 1);
    }

    boolean is(String ascii) {
        if (length != ascii.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (kept[i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
