package io.scatterguard.proxy.routing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The literal prefix that every string matching a regex begins with, as the router finds it (targeting semantics §6.4): byte
 * by byte, and only for patterns anchored by {@code ^} or {@code \A}.
 */
final class RegexPrefix {
    private static final byte[] NONE = {};

    private final byte[] pattern;
    private final boolean extended;
    private final ByteArrayOutputStream prefix = new ByteArrayOutputStream();
    private int at;

    private RegexPrefix(byte[] pattern, int start, boolean extended) {
        this.pattern = pattern;
        this.at = start;
        this.extended = extended;
    }

    /** The prefix in UTF-8 bytes, possibly cut inside a character; empty if there is none. */
    static byte[] of(String pattern, String options) {
        byte[] bytes = pattern.getBytes(StandardCharsets.UTF_8);
        boolean absolute = pattern.startsWith("\\A");
        if (!absolute && !pattern.startsWith("^")) {
            return NONE;
        }
        int start = absolute ? 2 : 1;
        if (hasAlternation(bytes, start) || !areHarmless(options, absolute)) {
            return NONE;
        }
        return new RegexPrefix(bytes, start, options.indexOf('x') >= 0).read();
    }

    private static boolean areHarmless(String options, boolean absolute) {
        for (int i = 0; i < options.length(); i++) {
            char option = options.charAt(i);
            if (option != 's' && option != 'x' && !(option == 'm' && absolute)) {
                return false;
            }
        }
        return true;
    }

    /** A {@code |} that is not escaped. An escaped backslash before it does not escape it. */
    private static boolean hasAlternation(byte[] pattern, int start) {
        for (int i = start; i < pattern.length; i++) {
            if (pattern[i] == '|') {
                boolean escaped = i > start && pattern[i - 1] == '\\' && !(i > start + 1 && pattern[i - 2] == '\\');
                if (!escaped) {
                    return true;
                }
            }
        }
        return false;
    }

    private byte[] read() {
        while (at < pattern.length) {
            byte c = pattern[at++];
            if (c == '*' || c == '?') {
                byte[] all = prefix.toByteArray();
                return all.length == 0 ? NONE : Arrays.copyOf(all, all.length - 1);
            } else if (c == '\\') {
                if (!readEscape()) {
                    break;
                }
            } else if ("^$.[()+{".indexOf(c) >= 0 || (extended && c == '#')) {
                break;
            } else if (!(extended && isSpace(c))) {
                prefix.write(c);
            }
        }
        return prefix.toByteArray();
    }

    /** What follows a backslash; false if the literal part ends here. */
    private boolean readEscape() {
        if (at == pattern.length) {
            return false;
        }
        byte c = pattern[at++];
        if (c == 'Q') {
            readQuoted();
            return true;
        }
        if (isAlphanumeric(c)) {
            return false;
        }
        prefix.write(c);
        return true;
    }

    private void readQuoted() {
        while (at < pattern.length) {
            byte c = pattern[at++];
            if (c == '\\' && at < pattern.length && pattern[at] == 'E') {
                at++;
                return;
            }
            prefix.write(c);
        }
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    private static boolean isAlphanumeric(byte c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
