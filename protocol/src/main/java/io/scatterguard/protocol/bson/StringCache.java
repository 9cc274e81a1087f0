package io.scatterguard.protocol.bson;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The last strings that were read from one place, for instance the names of collections on one connection: what comes again
 * and again is made into a string once. Bounded in number and in length. Not thread-safe.
 */
public final class StringCache {
    /** How many strings are kept; one gives way to another of the same slot. A power of two. */
    private static final int SLOTS = 32;

    /** Longer ones are not kept. */
    private static final int MAX_BYTES = 64;

    /** Longer ones are cut: a name has at most 255 bytes, so that what is cut names nothing either way. */
    static final int MAX_READ_BYTES = 1024;

    private final @Nullable String[] strings = new String[SLOTS];

    /** The string of {@code length} bytes of UTF-8 at {@code offset}; the first {@value MAX_READ_BYTES} of a longer one. */
    String get(ByteBuf bytes, int offset, int length) {
        if (length == 0 || length > MAX_BYTES) {
            return bytes.toString(offset, Math.min(length, MAX_READ_BYTES), StandardCharsets.UTF_8);
        }
        int slot = (11 * length + bytes.getByte(offset) + bytes.getByte(offset + length - 1)) & (SLOTS - 1);
        String kept = strings[slot];
        if (kept == null || !isEqual(kept, bytes, offset, length)) {
            kept = bytes.toString(offset, length, StandardCharsets.UTF_8);
            strings[slot] = kept;
        }
        return kept;
    }

    /** Never true of a text beyond ASCII, whose bytes are negative. */
    private static boolean isEqual(String text, ByteBuf bytes, int offset, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes.getByte(offset + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
