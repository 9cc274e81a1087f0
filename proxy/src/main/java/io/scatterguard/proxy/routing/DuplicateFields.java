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
        Seen seen = new Seen(OF_COMMANDS);
        for (String identifier : sequences) {
            int index = OF_COMMANDS.indexOf(identifier);
            if (index >= 0 && seen.again(index)) {
                return true;
            }
        }
        return seen.in(command.body());
    }

    /** Whether an update, a delete or an op of a {@code bulkWrite} has one. */
    static boolean inStatement(BsonView statement) {
        return new Seen(OF_STATEMENTS).in(statement);
    }

    private static final class Seen {
        private final List<String> names;
        private int bits;

        Seen(List<String> names) {
            this.names = names;
        }

        boolean in(BsonView document) {
            BsonCursor cursor = document.cursor();
            while (cursor.next()) {
                for (int i = 0; i < names.size(); i++) {
                    if (cursor.nameEquals(names.get(i)) && again(i)) {
                        return true;
                    }
                }
            }
            return false;
        }

        boolean again(int index) {
            boolean before = (bits & 1 << index) != 0;
            bits |= 1 << index;
            return before;
        }
    }
}
