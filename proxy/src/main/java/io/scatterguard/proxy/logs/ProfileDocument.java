package io.scatterguard.proxy.logs;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;

/** Documents of {@code system.profile}, of servers 4.4 and later. */
public final class ProfileDocument {
    private static final Set<String> STATEMENTS = Set.of("update", "remove");

    private ProfileDocument() {}

    /** Whether {@code document} looks like one. */
    public static boolean isMeant(BsonDocument document) {
        return document.isString("op")
                && document.isString("ns")
                && (document.containsKey("millis") || document.containsKey("ts"));
    }

    /** What {@code document} is. */
    public static LogEntry entry(BsonDocument document) {
        if (!isMeant(document)) {
            return new LogEntry.Foreign("not a document of system.profile (expected: op, ns, millis, ts)");
        }
        try {
            String op = document.getString("op").getValue();
            RecordedOperation operation =
                    new RecordedOperation(document, document.get("ts"), ServerLog.text(document, "client"));
            return STATEMENTS.contains(op) ? operation.statement(op) : operation.command();
        } catch (BsonInvalidOperationException e) {
            return new LogEntry.Foreign("a member of another type than servers write");
        }
    }
}
