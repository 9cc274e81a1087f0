package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.Namespace;

/**
 * A pattern in which {@code *} stands for any characters (none and dots included) and {@code ?} for exactly one.
 * Case-sensitive. Matching allocates nothing, not even the full name of a namespace.
 */
final class Glob {
    private final String pattern;
    private final boolean literal;

    Glob(String pattern) {
        this.pattern = pattern;
        this.literal = pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0;
    }

    boolean matches(String text) {
        return literal ? pattern.equals(text) : matches(text, "");
    }

    /** Whether the full name matches: {@code db.coll}, or {@code db} where there is no collection. */
    boolean matches(Namespace namespace) {
        String head = namespace.database();
        String tail = namespace.collection();
        return literal ? equalsJoined(head, tail) : matches(head, tail);
    }

    private boolean equalsJoined(String head, String tail) {
        return pattern.length() == joinedLength(head, tail)
                && pattern.startsWith(head)
                && (tail.isEmpty()
                        || (pattern.charAt(head.length()) == '.' && pattern.startsWith(tail, head.length() + 1)));
    }

    /** Goes forward; on a mismatch, lets the last star swallow one character more. No recursion, no blow-up. */
    private boolean matches(String head, String tail) {
        int length = joinedLength(head, tail);
        int at = 0;
        int p = 0;
        int star = -1;
        int resume = 0;
        while (at < length) {
            char c = p < pattern.length() ? pattern.charAt(p) : 0;
            if (p < pattern.length() && c == '*') {
                star = p++;
                resume = at;
            } else if (p < pattern.length() && (c == '?' || c == joinedChar(head, tail, at))) {
                p++;
                at++;
            } else if (star >= 0) {
                p = star + 1;
                at = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    private static int joinedLength(String head, String tail) {
        return tail.isEmpty() ? head.length() : head.length() + 1 + tail.length();
    }

    private static char joinedChar(String head, String tail, int index) {
        if (index < head.length()) {
            return head.charAt(index);
        }
        return index == head.length() ? '.' : tail.charAt(index - head.length() - 1);
    }

    @Override
    public String toString() {
        return pattern;
    }
}
