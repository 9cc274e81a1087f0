package io.scatterguard.proxy.logs;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the structured log of a {@code mongod} or a {@code mongos}, 4.4 and later: one document in relaxed Extended JSON each.
 * Commands are in those with the {@code msg} "Slow query".
 *
 * <p>Source: the manual's "Log Messages", and what servers of these releases write.
 */
public final class ServerLog {
    private static final String SLOW_QUERY = "Slow query";
    private static final Set<String> STATEMENTS = Set.of("update", "remove");

    private ServerLog() {}

    /** Whether {@code line} begins as the lines of such a log do. */
    public static boolean isMeant(String line) {
        return line.startsWith("{\"t\":{\"$date\":");
    }

    /** What {@code line} is. */
    public static LogEntry entry(String line) {
        if (!isMeant(line)) {
            return new LogEntry.Foreign("not a line of a structured log (expected: {\"t\":{\"$date\":…)");
        }
        if (!line.contains("\"" + SLOW_QUERY + "\"")) {
            return line.endsWith("}") ? new LogEntry.Other() : cutOff();
        }
        BsonDocument document = parsed(line);
        if (document == null) {
            return cutOff();
        }
        try {
            boolean slow = SLOW_QUERY.equals(text(document, "msg")) && document.isDocument("attr");
            return slow ? slowQuery(document) : new LogEntry.Other();
        } catch (BsonInvalidOperationException e) {
            return new LogEntry.Foreign("a member of another type than servers write");
        }
    }

    private static LogEntry cutOff() {
        return new LogEntry.Foreign("not a whole line of JSON (cut off?)");
    }

    private static @Nullable BsonDocument parsed(String line) {
        try {
            return BsonDocument.parse(ShortenedLine.of(line));
        } catch (JsonParseException | BsonInvalidOperationException | IllegalArgumentException e) {
            return null;
        }
    }

    private static LogEntry slowQuery(BsonDocument line) {
        BsonDocument attributes = line.getDocument("attr");
        if (isTruncated(line)) {
            return new LogEntry.Incomplete("the command is truncated in the log (maxLogSizeKB is too small for it)");
        }
        String type = text(attributes, "type");
        RecordedOperation operation = new RecordedOperation(attributes, line.get("t"), text(attributes, "remote"));
        return type != null && STATEMENTS.contains(type) ? operation.statement(type) : operation.command();
    }

    /** Attributes that were too long have an entry of their own in a document beside them. */
    private static boolean isTruncated(BsonDocument line) {
        return line.isDocument("truncated")
                && (line.getDocument("truncated").containsKey("command")
                        || line.getDocument("truncated").containsKey("originatingCommand"));
    }

    static @Nullable String text(BsonDocument document, String name) {
        BsonValue value = document.get(name);
        return value instanceof BsonString text ? text.getValue() : null;
    }
}
