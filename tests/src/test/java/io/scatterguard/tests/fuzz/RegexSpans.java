package io.scatterguard.tests.fuzz;

import java.util.List;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;

/** The intervals of a regex (notes of §6.4); for patterns of printable ASCII below {@code ~}. */
final class RegexSpans {
    private RegexSpans() {}

    static List<Span> of(BsonRegularExpression regex) {
        String prefix = prefix(regex.getPattern(), regex.getOptions());
        Span strings = ClassLimits.of(15);
        if (!prefix.isEmpty()) {
            int end = prefix.length() - 1;
            String next = prefix.substring(0, end) + (char) (prefix.charAt(end) + 1);
            strings = new Span(new BsonString(prefix), true, new BsonString(next), false);
        }
        return List.of(strings, Span.point(regex));
    }

    /** What every matching string begins with; empty if that is not known. */
    private static String prefix(String pattern, String options) {
        boolean absolute = pattern.startsWith("\\A");
        boolean anchored = absolute || pattern.startsWith("^");
        String allowed = absolute ? "sxm" : "sx";
        if (!anchored || !options.chars().allMatch(o -> allowed.indexOf(o) >= 0)) {
            return "";
        }
        String rest = pattern.substring(absolute ? 2 : 1);
        if (rest.replaceAll("\\\\.", "").indexOf('|') >= 0) {
            return "";
        }
        return literal(rest, options.contains("x"));
    }

    private static String literal(String rest, boolean extended) {
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < rest.length()) {
            char c = rest.charAt(at++);
            if (c == '*' || c == '?') {
                literal.setLength(Math.max(0, literal.length() - 1));
                break;
            } else if (c == '\\') {
                if (at == rest.length()) {
                    break;
                }
                char escaped = rest.charAt(at++);
                if (escaped == 'Q') {
                    int end = rest.indexOf("\\E", at);
                    literal.append(rest, at, end < 0 ? rest.length() : end);
                    at = end < 0 ? rest.length() : end + 2;
                } else if (Character.isLetterOrDigit(escaped)) {
                    break;
                } else {
                    literal.append(escaped);
                }
            } else if ("^$.[()+{".indexOf(c) >= 0 || (extended && c == '#')) {
                break;
            } else if (!extended || !Character.isWhitespace(c)) {
                literal.append(c);
            }
        }
        return literal.toString();
    }
}
