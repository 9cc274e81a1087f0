package io.scatterguard.tests.support;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** What a 6.0 mongos answers to the commands of drivers and shells that are not about data. */
final class MongosCommands {
    private static final String HELLO = """
            {msg: "isdbgrid", maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000,
             logicalSessionTimeoutMinutes: 30, minWireVersion: 0, maxWireVersion: 17}""";
    private static final String BUILD_INFO = """
            {version: "6.0.19", gitVersion: "0000000000000000000000000000000000000000", modules: [],
             allocator: "tcmalloc", javascriptEngine: "mozjs", sysInfo: "deprecated", versionArray: [6, 0, 19, 0],
             bits: 64, debug: false, maxBsonObjectSize: 16777216, storageEngines: ["devnull", "wiredTiger"], ok: 1.0}""";
    private static final Map<String, String> FIXED = Map.of(
            "ping", "{ok: 1.0}",
            "buildinfo", BUILD_INFO,
            "endsessions", "{ok: 1.0}",
            "killcursors", "{cursorsKilled: [], cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [], ok: 1.0}",
            "getparameter", "{featureCompatibilityVersion: {version: \"6.0\"}, ok: 1.0}",
            "getlog", "{totalLinesWritten: 0, log: [], ok: 1.0}",
            "atlasversion",
                    "{ok: 0.0, errmsg: \"no such command: 'atlasVersion'\", code: 59, codeName: \"CommandNotFound\"}",
            "connectionstatus", "{authInfo: {authenticatedUsers: [], authenticatedUserRoles: []}, ok: 1.0}",
            "listdatabases", "{databases: [], totalSize: 0, ok: 1.0}");

    private MongosCommands() {}

    /** The standing answer to {@code request}; error 59 for a command it does not know. */
    static Reply answer(WireFrame request, int connectionNumber, BsonDocument extraHelloFields) {
        String name = request.commandName().toLowerCase(Locale.ROOT);
        if (isHello(name)) {
            return hello(request, time -> helloDocument(request, connectionNumber, extraHelloFields, time));
        }
        String fixed = FIXED.get(name);
        return fixed != null
                ? Reply.json(fixed)
                : Reply.error(59, "CommandNotFound", "no such command: '" + request.commandName() + "'");
    }

    static boolean isHello(String commandName) {
        return commandName.equalsIgnoreCase("hello") || commandName.equalsIgnoreCase("isMaster");
    }

    /** Answers at once, or, as a client asks that sends the present topologyVersion, after maxAwaitTimeMS: once or on. */
    private static Reply hello(WireFrame request, Function<Long, BsonDocument> document) {
        BsonDocument command = request.command();
        if (!command.containsKey("topologyVersion") || !command.containsKey("maxAwaitTimeMS")) {
            return out -> out.document(document.apply(System.currentTimeMillis()));
        }
        long awaitMillis = command.getNumber("maxAwaitTimeMS").longValue();
        BsonValue present = document.apply(0L).get("topologyVersion");
        boolean known = command.get("topologyVersion").equals(present);
        return out -> {
            long waitMillis = known ? awaitMillis : 0; // What the client does not know yet, it is told at once.
            do {
                Thread.sleep(waitMillis); // The topology never changes here: the server's own time-out.
                waitMillis = awaitMillis;
                out.document(
                        document.apply(System.currentTimeMillis()),
                        request.exhaustAllowed() ? WireFrame.MORE_TO_COME : 0);
            } while (request.exhaustAllowed());
        };
    }

    private static BsonDocument helloDocument(
            WireFrame request, int connectionNumber, BsonDocument extraFields, long timeMillis) {
        boolean hello = request.commandName().equals("hello");
        BsonDocument reply = new BsonDocument(hello ? "isWritablePrimary" : "ismaster", BsonBoolean.TRUE);
        reply.putAll(BsonDocument.parse(HELLO));
        reply.append("localTime", new BsonDateTime(timeMillis)).append("connectionId", new BsonInt32(connectionNumber));
        if (request.command().containsKey("helloOk")) {
            reply.append("helloOk", BsonBoolean.TRUE);
        }
        reply.putAll(extraFields);
        return reply.append("ok", new BsonDouble(1));
    }

    /** A {@code topologyVersion} value of a process that was started once. */
    static BsonDocument topologyVersion() {
        return BsonDocument.parse("{processId: {$oid: \"65f000000000000000000001\"}, counter: {$numberLong: \"0\"}}");
    }
}
