package io.scatterguard.tests.support;

import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/** What one member of a {@link ScriptedReplicaSet} answers to {@code hello}: at once, when something changes, or on and on. */
final class ScriptedMember {
    private static final String LIMITS = """
            {maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000,
             logicalSessionTimeoutMinutes: 30, minWireVersion: 0, maxWireVersion: 17, readOnly: false}""";

    private final ScriptedReplicaSet set;
    private final int index;

    ScriptedMember(ScriptedReplicaSet set, int index) {
        this.set = set;
        this.index = index;
    }

    Reply hello(WireFrame request) {
        BsonDocument command = request.command();
        BsonValue known = command.get("topologyVersion");
        if (known == null || !command.containsKey("maxAwaitTimeMS")) {
            return out -> out.document(document(request));
        }
        long awaitMillis = command.getNumber("maxAwaitTimeMS").longValue();
        return out -> {
            int term = set.about(index).get("topologyVersion").equals(known) ? set.term() : -1;
            do {
                set.awaitChange(term, awaitMillis);
                term = set.term();
                out.document(document(request), request.exhaustAllowed() ? WireFrame.MORE_TO_COME : 0);
            } while (request.exhaustAllowed());
        };
    }

    /** In the order of the server's own fields. */
    private BsonDocument document(WireFrame request) {
        boolean primary = set.isPrimary(index);
        BsonDocument reply = new BsonDocument();
        if (request.command().containsKey("helloOk")) {
            reply.append("helloOk", BsonBoolean.TRUE);
        }
        reply.putAll(set.about(index));
        reply.append(
                request.commandName().equals("hello") ? "isWritablePrimary" : "ismaster", BsonBoolean.valueOf(primary));
        reply.append("secondary", BsonBoolean.valueOf(!primary));
        reply.append("lastWrite", new BsonDocument("lastWriteDate", new BsonDateTime(0)));
        reply.putAll(BsonDocument.parse(LIMITS));
        return reply.append("localTime", new BsonDateTime(System.currentTimeMillis()))
                .append("connectionId", new BsonInt32(7))
                .append("ok", new BsonDouble(1))
                .append("operationTime", new BsonTimestamp(1, 1));
    }
}
