package io.scatterguard.proxy.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.proxy.catalog.ExtendedJson;
import io.scatterguard.proxy.logs.LogEntry;
import io.scatterguard.proxy.logs.LoggedCommand;
import io.scatterguard.proxy.logs.ProfileDocument;
import io.scatterguard.proxy.logs.ServerLog;
import io.scatterguard.proxy.records.AuditRecord;
import io.scatterguard.proxy.records.RecordJson;
import org.bson.BsonDocument;

/** What a line of an input is, or a document: of a server's log, the profiler, our audit log, or a file of commands. */
public sealed interface InputLine {
    /** A command that is to be judged. */
    record Ran(LoggedCommand command) implements InputLine {}

    /** An audit record: it was judged when it came. */
    record Recorded(JsonNode record) implements InputLine {}

    /** Something that says nothing of commands. */
    record Nothing() implements InputLine {}

    /** A command of which too little is there. */
    record LeftOut(String why) implements InputLine {}

    /** Nothing of what is known; {@code why} holds no values. */
    record Unreadable(String why) implements InputLine {}

    /** What {@code line} is. */
    static InputLine of(String line) {
        if (line.isBlank()) {
            return new Nothing();
        }
        if (ServerLog.isMeant(line)) {
            return of(ServerLog.entry(line));
        }
        return AuditRecord.isMeant(line) ? record(line) : document(line);
    }

    private static InputLine record(String line) {
        try {
            JsonNode record = RecordJson.parse(line);
            return AuditRecord.of(record).kind() == AuditRecord.Kind.OTHER
                    ? new Unreadable("no audit record, although it begins as one")
                    : new Recorded(record);
        } catch (JsonProcessingException e) {
            return new Unreadable("not a whole line of JSON (cut off?)");
        }
    }

    private static InputLine document(String line) {
        BsonDocument document;
        try {
            document = ExtendedJson.document(line);
        } catch (IllegalArgumentException e) {
            return new Unreadable("neither a log line, an audit record, a document of system.profile nor a command");
        }
        return of(document);
    }

    /** What {@code document} is, of the profiler or a file of commands. */
    static InputLine of(BsonDocument document) {
        if (ProfileDocument.isMeant(document)) {
            return of(ProfileDocument.entry(document));
        }
        boolean wrapped = document.isDocument("command") && document.isString("ns");
        BsonDocument command = wrapped ? document.getDocument("command") : document;
        String database = wrapped ? databaseOf(document) : "";
        if (command.isString("$db")) {
            database = command.getString("$db").getValue();
        }
        if (database.isEmpty() || command.isEmpty()) {
            return new Unreadable(
                    "a command without \"$db\" (expected: {find: \"orders\", filter: {…}, $db: \"shop\"})");
        }
        return new Ran(new LoggedCommand(database, command, ClientInfo.of("unknown"), null, 0, false));
    }

    private static String databaseOf(BsonDocument line) {
        String namespace = line.getString("ns").getValue();
        int dot = namespace.indexOf('.');
        return dot < 0 ? namespace : namespace.substring(0, dot);
    }

    private static InputLine of(LogEntry entry) {
        if (entry instanceof LogEntry.Ran ran) {
            return new Ran(ran.command());
        } else if (entry instanceof LogEntry.Incomplete incomplete) {
            return new LeftOut(incomplete.why());
        }
        return entry instanceof LogEntry.Foreign foreign ? new Unreadable(foreign.why()) : new Nothing();
    }
}
