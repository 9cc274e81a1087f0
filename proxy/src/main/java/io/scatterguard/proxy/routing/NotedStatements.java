package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Opaque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the statements of a command for {@link Notes}: the worst one of a batch and its first {@link #MAX_STATEMENTS},
 * until {@link #MAX_BYTES} of filters were looked at. A filter that is invalid or not understood is left out.
 */
final class NotedStatements {
    static final int MAX_STATEMENTS = 100;
    static final int MAX_BYTES = 256 * 1024;

    /** Over these no {@code $match} moves, though they change no document. */
    private static final Set<String> LIMITS = Set.of("$limit", "$skip", "$sample");

    private final CommandView command;
    private final Route route;
    private final ShardedCollection collection;
    private final Consumer<NotedStatement> out;
    private int bytesLeft = MAX_BYTES;

    /** @param out takes the statements, worst first */
    NotedStatements(CommandView command, Route route, ShardedCollection collection, Consumer<NotedStatement> out) {
        this.command = command;
        this.route = route;
        this.collection = collection;
        this.out = out;
    }

    void read() {
        switch (command.commandName()) {
            case FIND -> find(command.get("filter"));
            case COUNT, DISTINCT, MAP_REDUCE -> find(command.get("query"));
            case AGGREGATE -> aggregate(command.get("pipeline"));
            case UPDATE -> batch("updates", this::update);
            case DELETE -> batch("deletes", (index, statement) -> write(index, statement.get("q"), null));
            case FIND_AND_MODIFY -> findAndModify();
            case BULK_WRITE -> bulkWrite();
            default -> {}
        }
    }

    @FunctionalInterface
    private interface Reader {
        void read(int index, BsonView statement);
    }

    private void find(@Nullable BsonValueView filter) {
        Filter parsed = parse(filter);
        if (parsed != null) {
            out.accept(NotedStatement.read(parsed));
        }
    }

    private void write(int index, @Nullable BsonValueView filter, @Nullable BsonView replacement) {
        Filter parsed = parse(filter);
        if (parsed != null) {
            out.accept(new NotedStatement(index, parsed, null, true, replacement));
        }
    }

    private void update(int index, BsonView statement) {
        update(index, UpdateStatement.of(statement));
    }

    /** One that mixes operators and fields is an error already. */
    private void update(int index, UpdateStatement update) {
        if (!update.isMixed()) {
            write(index, update.filter(), update.replacement());
        }
    }

    private void findAndModify() {
        update(0, new UpdateStatement(command.get("query"), command.get("update"), false, false));
    }

    private void bulkWrite() {
        if (Batch.isTooLarge(command, "nsInfo")) {
            return;
        }
        List<BsonView> namespaces = command.statements("nsInfo");
        batch("ops", (index, op) -> bulkOp(index, op, namespaces));
    }

    /** Only ops on the collection that the route is about: its key is the one that is known. */
    private void bulkOp(int index, BsonView op, List<BsonView> namespaces) {
        BsonCursor cursor = op.cursor();
        if (!cursor.next() || !cursor.value().isNumber()) {
            return;
        }
        long place = cursor.value().numberAsLong();
        if (place < 0 || place >= namespaces.size()) {
            return;
        }
        BsonValueView ns = namespaces.get((int) place).get("ns");
        if (ns == null
                || !ns.isString()
                || !ns.string().equals(route.namespace().fullName())) {
            return;
        }
        if (cursor.nameEquals("delete")) {
            write(index, op.get("filter"), null);
        } else if (cursor.nameEquals("update")) {
            update(index, new UpdateStatement(op.get("filter"), op.get("updateMods"), false, false));
        }
    }

    private void batch(String field, Reader reader) {
        if (Batch.isTooLarge(command, field)) {
            return;
        }
        List<BsonView> statements = command.statements(field);
        int worst = route.worstIndex();
        if (worst < statements.size()) {
            reader.read(worst, statements.get(worst));
        }
        for (int i = 0; i < Math.min(statements.size(), MAX_STATEMENTS); i++) {
            if (i != worst) {
                reader.read(i, statements.get(i));
            }
        }
    }

    private void aggregate(@Nullable BsonValueView pipeline) {
        if (pipeline == null || !fits(pipeline)) {
            return;
        }
        List<PipelineStage> stages = PipelineStage.list(pipeline);
        Filter front = front(stages);
        if (front == null) {
            return;
        }
        List<PipelineStage> unlimited = new ArrayList<>(stages);
        boolean limited = unlimited.removeIf(stage -> LIMITS.contains(stage.name()));
        out.accept(new NotedStatement(0, front, limited ? front(unlimited) : null, false, null));
    }

    /** The filter at the front of a pipeline; null if it cannot be read. */
    private @Nullable Filter front(List<PipelineStage> pipeline) {
        try {
            InitialQuery query = new InitialQuery(collection);
            Filter certain = query.of(pipeline);
            Filter whole = query.isUncertain() ? new And(List.of(certain, Opaque.UNREADABLE)) : certain;
            return FilterNormalizer.normalForm(whole, collection.release(), collection.budget());
        } catch (FilterException e) {
            return null;
        }
    }

    /** Null for a filter that is too large for what is left, invalid or not understood. */
    private @Nullable Filter parse(@Nullable BsonValueView filter) {
        try {
            if (filter == null || !filter.isDocument()) {
                return Filters.TRUE;
            }
            return fits(filter)
                    ? FilterNormalizer.normalForm(
                            collection.parseRaw(filter.document()), collection.release(), collection.budget())
                    : null;
        } catch (FilterException e) {
            return null;
        }
    }

    private boolean fits(BsonValueView value) {
        if (value.length() > bytesLeft) {
            return false;
        }
        bytesLeft -= value.length();
        return true;
    }
}
