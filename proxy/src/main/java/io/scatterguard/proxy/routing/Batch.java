package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The statements of a write command, as far as they are looked at. */
final class Batch {
    /** The server refuses more in one command (its {@code maxWriteBatchSize}). */
    static final int MAX_STATEMENTS = 100_000;

    private Batch() {}

    /**
     * The route of every statement in turn; {@code beyond} alone for a batch that is larger than the server allows.
     *
     * @param field for instance {@code updates}
     */
    static List<StatementRoute> routes(
            CommandView command,
            String field,
            Function<BsonView, StatementRoute> each,
            Supplier<StatementRoute> beyond) {
        if (isTooLarge(command, field)) {
            return List.of(beyond.get());
        }
        List<BsonView> statements = command.statements(field);
        List<StatementRoute> routes = new ArrayList<>(statements.size());
        for (BsonView statement : statements) {
            routes.add(each.apply(statement));
        }
        return routes;
    }

    static boolean isTooLarge(CommandView command, String field) {
        int count = command.sequenceSize(field);
        BsonValueView array = command.get(field);
        if (array != null && array.isArray()) {
            BsonCursor cursor = array.document().cursor();
            while (count <= MAX_STATEMENTS && cursor.next()) {
                count++;
            }
        }
        return count > MAX_STATEMENTS;
    }
}
