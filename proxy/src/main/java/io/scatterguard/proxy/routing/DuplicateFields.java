package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fields that decide the route and stand twice in one document. Routers differ in which of them they take, the first or the
 * last, or refuse the command: no prediction may rest on one of them.
 */
public final class DuplicateFields {
    private static final List<String> OF_COMMANDS = List.of(
            "filter", "query", "q", "pipeline", "updates", "deletes", "documents", "ops", "nsInfo", "collation", "let");
    private static final List<String> OF_STATEMENTS =
            List.of("q", "u", "filter", "updateMods", "document", "multi", "upsert", "limit", "collation");

    private static final List<String> BATCHES = List.of("updates", "deletes", "ops");

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

    /**
     * The first such field of {@code command}, which is borrowed: a field of its body, or {@code updates.q} for one of a
     * statement; null if there is none.
     */
    public static @Nullable String named(CommandView command) {
        String ofBody = first(command.body(), OF_COMMANDS);
        if (ofBody != null) {
            return ofBody;
        }
        for (String batch : BATCHES) {
            for (BsonView statement : command.statements(batch)) {
                String ofStatement = first(statement, OF_STATEMENTS);
                if (ofStatement != null) {
                    return batch + "." + ofStatement;
                }
            }
        }
        return null;
    }

    private static @Nullable String first(BsonView document, List<String> names) {
        int seen = 0;
        BsonCursor cursor = document.cursor();
        while (cursor.next()) {
            int index = indexOf(cursor, names);
            if (index >= 0) {
                if ((seen & 1 << index) != 0) {
                    return names.get(index);
                }
                seen |= 1 << index;
            }
        }
        return null;
    }

    private static int indexOf(BsonCursor cursor, List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            if (cursor.nameEquals(names.get(i))) {
                return i;
            }
        }
        return -1;
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
