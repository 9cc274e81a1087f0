package io.scatterguard.proxy.logs;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.Namespace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What logs and profiles have in common of an operation.
 *
 * @param members {@code ns}, {@code command} …
 * @param at when it ended; null or of another type if that is not recorded
 * @param address of the client; null if that is not recorded
 */
record RecordedOperation(
        BsonDocument members,
        @Nullable BsonValue at,
        @Nullable String address) {
    /** Commands whose statements drivers send beside the body, where servers do not record them. */
    private static final Map<String, String> STATEMENTS_OF = Map.of(
            "insert", "documents",
            "update", "updates",
            "delete", "deletes",
            "bulkWrite", "ops");

    /** A {@code mongod} logs each of their statements, and the whole by the name of its pseudo-collection for commands. */
    private static final Set<String> LOGGED_BY_STATEMENT = Set.of("update", "delete");

    private static final String COMMANDS = ".$cmd";

    /** In the place of a command that is too long for the profiler. */
    private static final String TRUNCATED = "$truncated";

    private static final LogEntry TOO_LONG =
            new LogEntry.Incomplete("the command is truncated, because it is longer than the profiler keeps");

    /** A command that was recorded as it came, but for what is not recorded. */
    LogEntry command() {
        BsonValue command = members.get("command");
        if (command == null || !command.isDocument() || command.asDocument().isEmpty()) {
            return new LogEntry.Incomplete("no command (expected: a document, as servers write it since 4.4)");
        }
        BsonDocument own = command.asDocument();
        String name = own.getFirstKey();
        if (name.equals(TRUNCATED)) {
            return TOO_LONG;
        }
        if (name.equals("getMore")) {
            return furtherBatch();
        }
        String statements = STATEMENTS_OF.get(name);
        if (statements != null && !own.isArray(statements)) {
            return new LogEntry.Incomplete("the statements of \"" + name + "\" are not recorded");
        }
        if (LOGGED_BY_STATEMENT.contains(name)
                && members.getString("ns").getValue().endsWith(COMMANDS)) {
            return new LogEntry.Incomplete("\"" + name + "\" as a whole, whose statements have entries of their own");
        }
        return ran(own, false);
    }

    private LogEntry furtherBatch() {
        BsonValue origin = members.get("originatingCommand");
        if (origin == null || !origin.isDocument() || origin.asDocument().isEmpty()) {
            return new LogEntry.Incomplete("\"getMore\" without the command it belongs to");
        }
        if (origin.asDocument().getFirstKey().equals(TRUNCATED)) {
            return TOO_LONG;
        }
        return ran(origin.asDocument(), true);
    }

    /** A statement of a write, which a server records by itself: {@code {q, u, multi, upsert}} or {@code {q, limit}}. */
    LogEntry statement(String type) {
        Namespace namespace = Namespace.parse(members.getString("ns").getValue());
        BsonValue recorded = members.get("command");
        if (recorded == null || !recorded.isDocument() || !recorded.asDocument().containsKey("q")) {
            return new LogEntry.Incomplete("the statement of \"" + type + "\" is not recorded");
        }
        boolean update = type.equals("update");
        BsonDocument statement = recorded.asDocument();
        if (!update && !statement.containsKey("limit")) {
            statement = statement.clone().append("limit", new BsonInt32(0));
        }
        BsonDocument command = new BsonDocument(update ? "update" : "delete", new BsonString(namespace.collection()))
                .append(update ? "updates" : "deletes", new BsonArray(List.of(statement)))
                .append("$db", new BsonString(namespace.database()));
        return ran(command, false);
    }

    private LogEntry ran(BsonDocument command, boolean continued) {
        Namespace namespace = Namespace.parse(members.getString("ns").getValue());
        String database = ServerLog.text(command, "$db");
        return new LogEntry.Ran(new LoggedCommand(
                database == null ? namespace.database() : database, command, client(), time(), micros(), continued));
    }

    private ClientInfo client() {
        String user = ServerLog.text(members, "user");
        ClientInfo client = new ClientInfo(
                address == null ? "unknown" : address, ServerLog.text(members, "appName"), null, null, null);
        if (user == null || user.isEmpty()) {
            return client;
        }
        int at = user.lastIndexOf('@');
        return at < 0 ? client.withUser(user, null) : client.withUser(user.substring(0, at), user.substring(at + 1));
    }

    private @Nullable Instant time() {
        return at != null && at.isDateTime()
                ? Instant.ofEpochMilli(at.asDateTime().getValue())
                : null;
    }

    private long micros() {
        BsonValue millis =
                members.containsKey("durationMillis") ? members.get("durationMillis") : members.get("millis");
        return millis != null && millis.isNumber()
                ? Math.max(0, millis.asNumber().longValue()) * 1_000
                : 0;
    }
}
