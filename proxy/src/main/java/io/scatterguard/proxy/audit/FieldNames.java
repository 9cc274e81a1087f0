package io.scatterguard.proxy.audit;

import org.jspecify.annotations.Nullable;

/**
 * Tells names that belong to a schema from names that are data: the keys of maps (numbers, ObjectIds, UUIDs, addresses).
 * The latter are folded to {@link #FOLDED}. When in doubt a name is folded: a shape that says less is better than one
 * that says a secret.
 */
final class FieldNames {
    static final String FOLDED = "?key";

    /** The longest dotted path, and the longest segment of one, that is kept. */
    static final int MAX_PATH_CHARS = 256;

    static final int MAX_SEGMENT_CHARS = 64;

    /** So many digits in a row are an identifier, not a year or a version. */
    private static final int MAX_DIGIT_RUN = 4;

    /** So many hexadecimal digits, hyphens left out, are an identifier, not a word. */
    private static final int MIN_HEX_ID = 16;

    private FieldNames() {}

    /** {@code path} with every map-like segment folded; all of it where a segment cannot be told (an e-mail has dots). */
    static String fold(String path) {
        if (path.isEmpty() || path.length() > MAX_PATH_CHARS || hasUnsafeChar(path)) {
            return FOLDED;
        }
        if (path.indexOf('.') < 0) {
            return isSchemaName(path) || isOperator(path) ? path : FOLDED;
        }
        StringBuilder folded = new StringBuilder(path.length());
        for (String segment : path.split("\\.", -1)) {
            folded.append(folded.isEmpty() ? "" : ".");
            folded.append(isSchemaName(segment) || isPositional(segment) ? segment : FOLDED);
        }
        return folded.toString();
    }

    /**
     * The field path in a string of an aggregation expression, {@code $a.b} or {@code $$name.b}, folded; null if the
     * string is not one and so a literal. A path has no operators in it, so that what follows a second {@code $} (the
     * hash in a password, say) is never kept.
     */
    static @Nullable String foldExpressionPath(String text) {
        if (text.length() < 2 || text.charAt(0) != '$') {
            return null;
        }
        String prefix = text.charAt(1) == '$' ? "$$" : "$";
        String path = text.substring(prefix.length());
        return prefix + (path.indexOf('$') >= 0 ? FOLDED : fold(path));
    }

    /** {@code $} and letters: an operator or a stage. */
    static boolean isOperator(String name) {
        if (name.length() < 2 || name.length() > 40 || name.charAt(0) != '$') {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
            if (!isAsciiLetter(name.charAt(i)) && !(i > 1 && name.charAt(i) >= '0' && name.charAt(i) <= '9')) {
                return false;
            }
        }
        return true;
    }

    /** {@code $}, {@code $[]} or {@code $[name]}, as updates of array members write them. */
    private static boolean isPositional(String segment) {
        if (segment.equals("$") || segment.equals("$[]")) {
            return true;
        }
        return segment.startsWith("$[")
                && segment.endsWith("]")
                && isSchemaName(segment.substring(2, segment.length() - 1));
    }

    /** A letter or underscore, then letters, digits, underscores, hyphens; not too long, no long number, no hash. */
    static boolean isSchemaName(String segment) {
        if (segment.isEmpty() || segment.length() > MAX_SEGMENT_CHARS || !isLetterOrUnderscore(segment.charAt(0))) {
            return false;
        }
        int digitRun = 0;
        int hexDigits = 0;
        boolean onlyHex = true;
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (!isLetterOrUnderscore(c) && !Character.isDigit(c) && c != '-') {
                return false;
            }
            digitRun = Character.isDigit(c) ? digitRun + 1 : 0;
            if (digitRun > MAX_DIGIT_RUN) {
                return false;
            }
            onlyHex &= c == '-' || Character.digit(c, 16) >= 0;
            hexDigits += c == '-' ? 0 : 1;
        }
        return !(onlyHex && hexDigits >= MIN_HEX_ID);
    }

    private static boolean hasUnsafeChar(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (!Character.isLetterOrDigit(c) && "_-.$[]".indexOf(c) < 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLetterOrUnderscore(char c) {
        return Character.isLetter(c) || c == '_';
    }

    private static boolean isAsciiLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
