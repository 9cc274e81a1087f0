package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** One statement of a batch as a command of its own, with bytes of its own. */
final class SingleStatement {
    private SingleStatement() {}

    /** The field of {@code command} that holds its statements; empty for a command that has none. */
    static String field(CommandView command) {
        return switch (command.commandName()) {
            case INSERT -> "documents";
            case UPDATE -> "updates";
            case DELETE -> "deletes";
            case BULK_WRITE -> "ops";
            default -> "";
        };
    }

    /**
     * The same command with one of its statements.
     *
     * @param inner the command that holds the statements: {@code command}, or the one inside this {@code explain}
     */
    static CommandView of(CommandView command, CommandView inner, BsonView statement) {
        BsonDocument single = new BsonDocument();
        String field = field(inner);
        BsonCursor cursor = inner.body().cursor();
        while (cursor.next()) {
            if (!cursor.name().equals(field)) {
                single.append(cursor.name(), cursor.value().toBsonValue());
            }
        }
        for (String identifier : inner.sequenceIdentifiers()) {
            BsonArray documents = new BsonArray();
            inner.statements(identifier).forEach(document -> documents.add(raw(document)));
            single.append(identifier, documents);
        }
        BsonArray one = new BsonArray();
        one.add(raw(statement));
        single.append(field, one);
        BsonDocument body = command == inner ? single : new BsonDocument(command.name(), single);
        return CommandView.of(command.database(), BsonView.encode(body));
    }

    /** With its duplicate fields, if it has any. */
    private static BsonDocument raw(BsonView document) {
        return new RawBsonDocument(document.toByteArray());
    }
}
