package io.scatterguard.proxy.audit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code traceparent} of W3C Trace Context: {@code 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01}.
 *
 * @param version 2 hexadecimal digits, as are the flags
 * @param traceId 32 hexadecimal digits
 * @param spanId of the span that the command is part of, 16 hexadecimal digits
 * @see <a href="https://www.w3.org/TR/trace-context/#traceparent-header">the format</a>
 */
public record TraceParent(String version, String traceId, String spanId, String flags) {
    private static final String NAME = "traceparent";
    private static final Pattern TEXT = Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");
    private static final Pattern ZEROS = Pattern.compile("0+");
    private static final String NO_VERSION = "ff";
    private static final int SAMPLED = 1;

    /**
     * What a word of a comment holds: {@code traceparent=…}, also with single quotes around the value, or {@code
     * traceparent:…}.
     *
     * @return null if it is none, or wrongly formed
     */
    static @Nullable TraceParent ofWord(String word) {
        if (!word.startsWith(NAME)) {
            return null;
        }
        Matcher text = TEXT.matcher(unquoted(word.substring(Math.min(word.length(), NAME.length() + 1))));
        return text.matches() ? new TraceParent(text.group(1), text.group(2), text.group(3), text.group(4)) : null;
    }

    /** The first one among the words of a comment that names a span; null if none does. */
    static @Nullable TraceParent ofWords(List<String> words) {
        for (String word : words) {
            TraceParent parent = ofWord(word);
            if (parent != null && parent.namesSpan()) {
                return parent;
            }
        }
        return null;
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.startsWith("'") && value.endsWith("'")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /** Whether it is more than well formed: no identifier is zero, and there is such a version. */
    private boolean namesSpan() {
        return !version.equals(NO_VERSION)
                && !ZEROS.matcher(traceId).matches()
                && !ZEROS.matcher(spanId).matches();
    }

    /** Whether whoever began the trace records it. */
    public boolean sampled() {
        return (Integer.parseInt(flags, 16) & SAMPLED) != 0;
    }

    @Override
    public String toString() {
        return version + "-" + traceId + "-" + spanId + "-" + flags;
    }
}
