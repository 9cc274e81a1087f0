package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The words of a command's {@code comment}: what white space, commas and semicolons separate in a string, and every string
 * of a document as {@code name:value}, so that {@code {test: "a"}} says what {@code "test:a"} does.
 */
public final class CommentWords {
    /** A longer comment is not looked at. */
    public static final int MAX_COMMENT_BYTES = 4_096;

    private static final Pattern SEPARATOR = Pattern.compile("[\\s,;]+");

    private CommentWords() {}

    /** The words of {@code comment}, which is borrowed; none of one that is longer than 4 KiB. */
    public static List<String> of(BsonValueView comment) {
        if (comment.length() > MAX_COMMENT_BYTES) {
            return List.of();
        }
        if (comment.isString()) {
            return SEPARATOR.splitAsStream(comment.string()).toList();
        }
        return comment.isDocument() ? members(comment.document()) : List.of();
    }

    private static List<String> members(BsonView comment) {
        List<String> words = new ArrayList<>();
        BsonCursor cursor = comment.cursor();
        while (cursor.next()) {
            if (cursor.value().isString()) {
                words.add(cursor.name() + ":" + cursor.value().string());
            }
        }
        return words;
    }
}
