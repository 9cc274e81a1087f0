package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.policy.CommentWords;
import io.scatterguard.proxy.policy.Verdict;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a command's {@code comment} that are recorded: an exemption id, a {@code traceparent}, {@code test:} and
 * {@code route:} tags. A part that is not wholly of safe characters is left out as a whole; so is everything else.
 */
final class CommentParts {
    /** More characters cannot be kept: a longer comment is not looked at. */
    static final int MAX_COMMENT_BYTES = CommentWords.MAX_COMMENT_BYTES;

    /** How many parts are kept. */
    static final int MAX_PARTS = 8;

    private static final Pattern EXEMPTION =
            Pattern.compile("scatterguard:allow=[A-Za-z0-9._-]{1," + Verdict.MAX_EXEMPTION_CHARS + "}");
    private static final Pattern TEST = Pattern.compile("[A-Za-z0-9._:/#$-]{1,128}");
    private static final Pattern ROUTE = Pattern.compile("[A-Za-z0-9._:/#{}-]{1,128}");

    private CommentParts() {}

    /** The recognised parts of a comment, separated by spaces; null if there are none. Borrows the value. */
    static @Nullable String of(BsonValueView comment) {
        String parts = CommentWords.of(comment).stream()
                .map(CommentParts::part)
                .filter(part -> !part.isEmpty())
                .limit(MAX_PARTS)
                .collect(Collectors.joining(" "));
        return parts.isEmpty() ? null : parts;
    }

    /** One word of a comment as it is kept; empty if it is not. */
    private static String part(String word) {
        if (EXEMPTION.matcher(word).matches()) {
            return word;
        }
        TraceParent parent = TraceParent.ofWord(word);
        if (parent != null) {
            return "traceparent=" + parent;
        }
        if (word.startsWith("test:")) {
            return TEST.matcher(word.substring(5)).matches() ? word : "";
        }
        if (word.startsWith("route:")) {
            String path = word.substring(6);
            return ROUTE.matcher(path).matches() ? "route:" + foldedPath(path) : "";
        }
        return "";
    }

    /** A path as the client requested it holds identifiers; a template ({@code :id}, <code>{id}</code>) does not. */
    private static String foldedPath(String path) {
        StringJoiner folded = new StringJoiner("/");
        for (String segment : path.split("/", -1)) {
            String name = segment.startsWith(":") ? segment.substring(1) : segment.replaceAll("[{}]", "");
            boolean keep = segment.isEmpty() || FieldNames.isSchemaName(name.replaceAll("[.:#]", ""));
            folded.add(keep ? segment : FieldNames.FOLDED);
        }
        return folded.toString();
    }
}
