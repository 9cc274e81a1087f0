package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.DocumentSequence;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes whole commands: which argument is a filter, a pipeline, a batch, and which belongs to no shape. */
final class CommandShape {
    /** Arguments that say how a command is carried out or who is asking, not what it asks. */
    private static final Set<String> LEFT_OUT = Set.of(
            "lsid",
            "txnNumber",
            "startTransaction",
            "autocommit",
            "stmtId",
            "stmtIds",
            "txnRetryCounter",
            "apiVersion",
            "apiStrict",
            "apiDeprecationErrors",
            "readConcern",
            "writeConcern",
            "maxTimeMS",
            "maxTimeMSOpOnly",
            "clientOperationKey",
            "cursor",
            "comment",
            "verbosity");

    private final CommandView command;
    private final ShapeText out;
    private final FilterShape filters;
    private final ExpressionShape expressions;
    private final PipelineShape pipelines;
    private final StatementShape statements;

    private CommandShape(CommandView command, ShapeText out) {
        this.command = command;
        this.out = out;
        this.filters = new FilterShape(out);
        this.expressions = new ExpressionShape(out);
        this.pipelines = new PipelineShape(out);
        this.statements = new StatementShape(out);
    }

    /** Appends the shape of {@code command}, which is borrowed, to {@code out}. */
    static void write(CommandView command, ShapeText out) {
        out.append(nameOf(command));
        CommandName name = command.commandName();
        if (name.isSensitive()) {
            return;
        }
        switch (name.kind()) {
            case HANDSHAKE, CURSOR, SESSION -> {}
            default -> {
                out.append(" ");
                new CommandShape(command, out).body();
            }
        }
    }

    /** The command's name as it may be recorded: one that is not known is the client's own text. */
    static String nameOf(CommandView command) {
        CommandName name = command.commandName();
        return name == CommandName.UNKNOWN ? FieldNames.fold(command.name()) : name.text();
    }

    private void body() {
        switch (command.commandName()) {
            case EXPLAIN -> explain();
            case INSERT -> out.append("{documents: [?object…]}");
            case UPDATE -> members("updates", statements::update);
            case DELETE -> members("deletes", statements::delete);
            case BULK_WRITE -> members("ops", statements::bulkOperation);
            default -> members(null, statements::update);
        }
    }

    private void explain() {
        CommandView inner = command.explained().orElse(null);
        if (inner == null || inner.commandName() == CommandName.EXPLAIN) {
            out.append("?object");
            return;
        }
        out.append("{");
        write(inner, out);
        out.append("}");
    }

    /** The batch first, because it may stand in the body or in a section of its own; then the body's arguments. */
    private void members(@Nullable String batch, Consumer<BsonView> statement) {
        ShapeText.Members members = out.beginDocument(false);
        if (batch != null) {
            members.add(batch, command.firstValue(), (name, value) -> batch(batch, statement));
        }
        BsonCursor cursor = command.body().cursor();
        cursor.next();
        while (cursor.next()) {
            if (batch == null || !cursor.nameEquals(batch)) {
                boolean more = members.add(cursor.name(), cursor.value(), this::argument);
                if (!more) {
                    break;
                }
            }
        }
        members.end();
    }

    private boolean batch(String field, Consumer<BsonView> statement) {
        ShapeText.Items items = out.beginList(true);
        for (DocumentSequence sequence : command.sequences()) {
            if (sequence.identifier().equals(field)) {
                addAll(sequence, items, statement);
            }
        }
        BsonValueView array = command.get(field);
        if (array != null && array.isArray()) {
            BsonCursor cursor = array.document().cursor();
            boolean more = true;
            while (more && cursor.next()) {
                BsonValueView value = cursor.value();
                more = !value.isDocument() || items.add(() -> statement.accept(value.document()));
            }
        }
        items.end();
        return true;
    }

    private static void addAll(DocumentSequence sequence, ShapeText.Items items, Consumer<BsonView> statement) {
        for (BsonView view : sequence) {
            if (!items.add(() -> statement.accept(view))) {
                return;
            }
        }
    }

    private boolean argument(String name, BsonValueView value) {
        if (name.startsWith("$") || LEFT_OUT.contains(name)) {
            return false;
        }
        return switch (command.commandName()) {
            case FIND, COUNT, DISTINCT, MAP_REDUCE -> readArgument(name, value);
            case AGGREGATE -> aggregateArgument(name, value);
            case FIND_AND_MODIFY -> statements.findAndModifyArgument(name, value);
            case BULK_WRITE -> name.equals("nsInfo") ? namespaces(value) : out.token(value);
            default -> out.token(value);
        };
    }

    private boolean readArgument(String name, BsonValueView value) {
        return switch (name) {
            case "filter", "query" -> filters.write(value);
            case "projection" -> expressions.projection(value);
            case "sort", "hint" -> expressions.sort(value);
            case "min", "max" -> statements.keyBound(value);
            case "key" -> PipelineShape.writeName(out, value);
            default -> out.token(value);
        };
    }

    private boolean aggregateArgument(String name, BsonValueView value) {
        return switch (name) {
            case "pipeline" -> pipelines.write(value);
            case "hint" -> expressions.sort(value);
            default -> out.token(value);
        };
    }

    private boolean namespaces(BsonValueView value) {
        if (!value.isArray()) {
            return out.token(value);
        }
        out.alternatives(value.document(), entry -> {
            BsonValueView ns = entry.isDocument() ? entry.document().get("ns") : null;
            if (ns == null) {
                out.token(entry);
            } else {
                PipelineShape.writeName(out, ns);
            }
        });
        return true;
    }
}
