package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.List;

/**
 * Fields that decide the route and stand twice in one document. Routers differ in which of them they take, the first or the
 * last, or refuse the command: no prediction may rest on one of them.
 */
final class DuplicateFields {
    private static final List<String> OF_COMMANDS = List.of(
            "filter", "query", "q", "pipeline", "updates", "deletes", "documents", "ops", "nsInfo", "collation", "let");
    private static final List<String> OF_STATEMENTS =
            List.of("q", "u", "filter", "updateMods", "document", "multi", "upsert", "limit", "collation");

    private DuplicateFields() {}

    /** Whether a command has one, in its body or as a document sequence. */
    static boolean inCommand(CommandView command) {
        List<String> sequences = command.sequenceIdentifiers();
        if (sequences.isEmpty() && command.hasDistinctNames()) {
            return false;
        }
        int seen = 0;
        for (int i = 0; i < sequences.size(); i++) {
            int index = OF_COMMANDS.indexOf(sequences.get(i));
            int bit = index < 0 ? 0 : 1 << index;
            if ((seen & bit) != 0) {
                return true;
            }
            seen |= bit;
        }
        return in(command.body(), OF_COMMANDS, seen);
    }

    /** Whether an update, a delete or an op of a {@code bulkWrite} has one. */
    static boolean inStatement(BsonView statement) {
        return in(statement, OF_STATEMENTS, 0);
    }

    /** @param alreadySeen bit i: name i stands somewhere else */
    private static boolean in(BsonView document, List<String> names, int alreadySeen) {
        int seen = alreadySeen;
        BsonCursor cursor = document.cursor();
        while (cursor.next()) {
            for (int i = 0; i < names.size(); i++) {
                if (cursor.nameEquals(names.get(i))) {
                    if ((seen & 1 << i) != 0) {
                        return true;
                    }
                    seen |= 1 << i;
                }
            }
        }
        return false;
    }
}
