package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the exemption ids in a command's {@code comment}. They stand there as {@code scatterguard:allow=<id>}, anywhere
 * in a string or in a string directly in a document, or as {@code {scatterguard: "allow=<id>"}}. An id is letters,
 * digits, {@code .}, {@code _} and {@code -}, with a letter or digit at either end, so that a full stop after it ends a
 * sentence and nothing else.
 */
final class CommentExemption {
    /** Longer values are not searched: a comment is a line for people, and decoding it costs. */
    static final int MAX_VALUE_BYTES = 1 << 14;

    private static final String FIELD = "scatterguard";
    private static final String ALLOW = "allow=";
    private static final String MARKER = FIELD + ":" + ALLOW;

    private CommentExemption() {}

    /** The first id in {@code comment}, which is borrowed, that {@code accepted} holds for; null if there is none. */
    static @Nullable String find(BsonValueView comment, Predicate<String> accepted) {
        if (comment.isString()) {
            return findInText(comment, accepted);
        }
        if (!comment.isDocument()) {
            return null;
        }
        BsonCursor cursor = comment.document().cursor();
        while (cursor.next()) {
            BsonValueView value = cursor.value();
            if (!value.isString()) {
                continue;
            }
            String id = cursor.nameEquals(FIELD) ? findInField(value, accepted) : null;
            id = id != null ? id : findInText(value, accepted);
            if (id != null) {
                return id;
            }
        }
        return null;
    }

    private static @Nullable String findInText(BsonValueView value, Predicate<String> accepted) {
        if (value.length() > MAX_VALUE_BYTES) {
            return null;
        }
        String text = value.string();
        for (int at = text.indexOf(MARKER); at >= 0; at = text.indexOf(MARKER, at + MARKER.length())) {
            String id = idAt(text, at + MARKER.length());
            if (!id.isEmpty() && accepted.test(id)) {
                return id;
            }
        }
        return null;
    }

    private static @Nullable String findInField(BsonValueView value, Predicate<String> accepted) {
        String text = value.length() > MAX_VALUE_BYTES ? "" : value.string();
        if (!text.startsWith(ALLOW)) {
            return null;
        }
        String id = idAt(text, ALLOW.length());
        boolean whole = id.length() == text.length() - ALLOW.length();
        return whole && !id.isEmpty() && accepted.test(id) ? id : null;
    }

    /** The id that starts at {@code start}; empty if none does, or it is longer than an id may be. */
    private static String idAt(String text, int start) {
        int end = start;
        while (end < text.length() && (isAlphanumeric(text.charAt(end)) || isInner(text.charAt(end)))) {
            end++;
        }
        while (end > start && isInner(text.charAt(end - 1))) {
            end--;
        }
        boolean valid = end > start && end - start <= Verdict.MAX_EXEMPTION_CHARS && isAlphanumeric(text.charAt(start));
        return valid ? text.substring(start, end) : "";
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static boolean isInner(char c) {
        return c == '.' || c == '_' || c == '-';
    }
}
