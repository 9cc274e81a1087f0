package io.scatterguard.proxy.logs;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out of a line of a structured log what nobody looks at, by brackets and quotes alone: most of a slow query's line is
 * about locks, storage and plans, and to parse that would cost more than to judge the command.
 */
final class ShortenedLine {
    private static final Set<String> OF_LINE = Set.of("t", "msg", "attr", "truncated");
    private static final Set<String> OF_ATTRIBUTES = Set.of(
            "type", "ns", "appName", "command", "originatingCommand", "durationMillis", "millis", "remote", "user");

    private final String line;
    private final StringBuilder out;
    private int at;

    private ShortenedLine(String line) {
        this.line = line;
        this.out = new StringBuilder(line.length());
    }

    /** {@code line} with the members that are looked at; {@code line} itself if its brackets do not close at its end. */
    static String of(String line) {
        ShortenedLine shortened = new ShortenedLine(line);
        boolean whole = shortened.document(OF_LINE)
                && shortened.at == line.stripTrailing().length();
        return whole ? shortened.out.toString() : line;
    }

    /** Copies the members of a document that {@code kept} names; false if it is none. */
    private boolean document(Set<String> kept) {
        if (!take('{')) {
            return false;
        }
        out.append('{');
        boolean any = false;
        blanks();
        if (take('}')) {
            out.append('}');
            return true;
        }
        do {
            blanks();
            int start = at;
            String name = name();
            if (name == null) {
                return false;
            }
            boolean copied = kept.contains(name);
            if (copied) {
                out.append(any ? "," : "").append(line, start, at);
                any = true;
            }
            if (!value(name, copied)) {
                return false;
            }
            blanks();
        } while (take(','));
        out.append('}');
        return take('}');
    }

    /** A name and its colon, behind which the value begins; null if there is none. */
    private @Nullable String name() {
        int start = at;
        if (!string()) {
            return null;
        }
        String name = line.substring(start + 1, at - 1);
        blanks();
        return take(':') ? name : null;
    }

    private boolean value(String name, boolean copied) {
        blanks();
        if (copied && name.equals("attr") && at < line.length() && line.charAt(at) == '{') {
            return document(OF_ATTRIBUTES);
        }
        int start = at;
        if (!skip()) {
            return false;
        }
        if (copied) {
            out.append(line, start, at);
        }
        return true;
    }

    /** Over one value of any kind. */
    private boolean skip() {
        int depth = 0;
        do {
            if (at >= line.length()) {
                return false;
            }
            char c = line.charAt(at);
            if (c == '"') {
                if (!string()) {
                    return false;
                }
            } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':')) {
                return false; // where a value should be
            } else {
                depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
                at++;
                if (depth == 0 && c != '}' && c != ']') {
                    word();
                }
            }
        } while (depth > 0);
        return true;
    }

    /** The rest of a number, or of a word. */
    private void word() {
        while (at < line.length() && ",}] ".indexOf(line.charAt(at)) < 0) {
            at++;
        }
    }

    private boolean string() {
        if (!take('"')) {
            return false;
        }
        for (; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '"') {
                at++;
                return true;
            }
        }
        return false;
    }

    private void blanks() {
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
    }

    private boolean take(char c) {
        boolean there = at < line.length() && line.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }
}
