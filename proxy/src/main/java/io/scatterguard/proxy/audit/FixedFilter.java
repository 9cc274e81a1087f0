package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.DocumentSequence;
import io.scatterguard.proxy.routing.Fix;
import org.jspecify.annotations.Nullable;

/**
 * The filter as it would be written once a {@link Fix} is made: the fields of the key first, each with {@code <value>}, then what
 * the command says of other fields, normalised like a shape.
 */
final class FixedFilter {
    private static final String VALUE = "<value>";

    /** A filter and the name that it has in its command. */
    private record Place(String name, @Nullable BsonValueView filter) {}

    private FixedFilter() {}

    /** For instance {@code filter: {region: <value>, userId: ?number}}; empty where no filter is to be changed. */
    static String of(CommandView command, Fix fix) {
        Place place = fix.fields().isEmpty() ? null : place(command.explained().orElse(command), fix.statement());
        if (place == null) {
            return "";
        }
        ShapeText out = new ShapeText();
        new FilterShape(out).write(place.filter(), fix.fields(), VALUE);
        return place.name() + ": " + out;
    }

    private static @Nullable Place place(CommandView command, int statement) {
        return switch (command.commandName()) {
            case FIND -> new Place("filter", command.get("filter"));
            case COUNT, DISTINCT, MAP_REDUCE, FIND_AND_MODIFY -> new Place("query", command.get("query"));
            case AGGREGATE -> new Place("$match", firstMatch(command.get("pipeline")));
            case UPDATE -> ofStatement(statement(command, "updates", statement), "q");
            case DELETE -> ofStatement(statement(command, "deletes", statement), "q");
            case BULK_WRITE -> ofStatement(statement(command, "ops", statement), "filter");
            default -> null;
        };
    }

    /** An insert among the operations of a bulk has no filter. */
    private static @Nullable Place ofStatement(@Nullable BsonView statement, String name) {
        BsonValueView filter = statement == null ? null : statement.get(name);
        return filter == null ? null : new Place(name, filter);
    }

    /** Null where there is none at the front, so that one of its own is to be put there. */
    private static @Nullable BsonValueView firstMatch(@Nullable BsonValueView pipeline) {
        BsonCursor stages =
                pipeline != null && pipeline.isArray() ? pipeline.document().cursor() : null;
        if (stages == null || !stages.next() || !stages.value().isDocument()) {
            return null;
        }
        BsonCursor stage = stages.value().document().cursor();
        return stage.next() && stage.nameEquals("$match") ? stage.value() : null;
    }

    /** Reads no further than to that statement. */
    private static @Nullable BsonView statement(CommandView command, String field, int index) {
        int at = 0;
        for (DocumentSequence sequence : command.sequences()) {
            if (sequence.identifier().equals(field)) {
                for (BsonView one : sequence) {
                    if (at++ == index) {
                        return one;
                    }
                }
            }
        }
        BsonValueView array = command.get(field);
        BsonCursor cursor = array != null && array.isArray() ? array.document().cursor() : null;
        while (cursor != null && cursor.next()) {
            if (cursor.value().isDocument() && at++ == index) {
                return cursor.value().document();
            }
        }
        return null;
    }
}
