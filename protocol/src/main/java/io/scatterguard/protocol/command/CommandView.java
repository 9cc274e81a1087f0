package io.scatterguard.protocol.command;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.DocumentSequence;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * A command as a view over its message: the name is the first key of the body. Borrows the message's bytes and dies with
 * it.
 */
public final class CommandView {
    /** The most fields a command's body may have; the server's own commands have fewer than fifty. */
    static final int MAX_FIELDS = 1_000;

    private final String name;
    private final CommandName commandName;
    private final BsonValueView first;
    private final String database;
    private final BsonView body;
    private final List<DocumentSequence> sequences;
    private final boolean replyExpected;

    private CommandView(String database, BsonView body, List<DocumentSequence> sequences, boolean replyExpected) {
        BsonCursor cursor = body.cursor();
        if (!cursor.next()) {
            throw new ProtocolException("command: the body is empty (expected: the command's name as first key)");
        }
        this.name = cursor.name();
        this.commandName = CommandName.of(name);
        this.first = cursor.value();
        requireFewFields(cursor);
        this.database = database;
        this.body = body;
        this.sequences = sequences;
        this.replyExpected = replyExpected;
    }

    /** Every look-up walks the fields, so that their number is bounded before the first one. */
    private static void requireFewFields(BsonCursor cursor) {
        int fields = 1;
        while (cursor.next()) {
            if (++fields > MAX_FIELDS) {
                throw new ProtocolException("command: more than " + MAX_FIELDS + " fields");
            }
        }
    }

    /** The command in an OP_MSG. Borrows it. */
    public static CommandView of(OpMsg message) {
        BsonValueView db = message.body().get("$db");
        String database = db != null && db.isString() ? db.string() : "";
        return new CommandView(database, message.body(), message.sequences(), !message.moreToCome());
    }

    /** The command in an OP_QUERY on {@code db.$cmd}, unwrapped from {@code $query} or {@code query}. Borrows it. */
    public static CommandView of(OpQuery message) {
        String namespace = message.fullCollectionName();
        String database = namespace.substring(0, Math.max(0, namespace.indexOf('.')));
        return new CommandView(database, unwrapped(message.query()), List.of(), true);
    }

    private static BsonView unwrapped(BsonView query) {
        BsonCursor cursor = query.cursor();
        boolean wrapped = cursor.next() && (cursor.nameEquals("$query") || cursor.nameEquals("query"));
        return wrapped && cursor.value().isDocument() ? cursor.value().document() : query;
    }

    /** A command from a document of its own, as it stands in a file or in an {@code explain}. */
    public static CommandView of(String database, BsonView body) {
        return new CommandView(database, body, List.of(), true);
    }

    /** The first key of the body, as it was spelt. */
    public String name() {
        return name;
    }

    public CommandName commandName() {
        return commandName;
    }

    /** {@code $db}, or the database of an OP_QUERY; empty if the message named none. */
    public String database() {
        return database;
    }

    /**
     * The collection the command names by its first value, a string or (as the server accepts as well) a symbol; the
     * database alone where it is neither (as in {@code aggregate: 1}).
     */
    public Namespace namespace() {
        return new Namespace(database, isName(first) ? first.string() : "");
    }

    private static boolean isName(BsonValueView value) {
        return value.isString() || value.type() == BsonType.SYMBOL;
    }

    /** The value of the first key. */
    public BsonValueView firstValue() {
        return first;
    }

    public BsonView body() {
        return body;
    }

    /** The first value of this name in the body, or null. */
    public @Nullable BsonValueView get(String field) {
        return body.get(field);
    }

    /** False for {@code moreToCome} in a request: the server sends no reply. */
    public boolean replyExpected() {
        return replyExpected;
    }

    /**
     * The documents of an array field, from the body or from a document sequence.
     *
     * @param field for instance {@code documents}, {@code updates}, {@code deletes}
     */
    public List<BsonView> statements(String field) {
        List<BsonView> statements = new ArrayList<>();
        for (DocumentSequence sequence : sequences) {
            if (sequence.identifier().equals(field)) {
                sequence.forEach(statements::add);
            }
        }
        BsonValueView array = body.get(field);
        if (array != null && array.isArray()) {
            BsonCursor cursor = array.document().cursor();
            while (cursor.next()) {
                if (cursor.value().isDocument()) {
                    statements.add(cursor.value().document());
                }
            }
        }
        return statements;
    }

    /** The identifiers of the sections of kind 1 in their order; one may stand twice. */
    public List<String> sequenceIdentifiers() {
        return sequences.stream().map(DocumentSequence::identifier).toList();
    }

    /** How many documents the sections of kind 1 called {@code field} hold together. */
    public int sequenceSize(String field) {
        int size = 0;
        for (DocumentSequence sequence : sequences) {
            size += sequence.identifier().equals(field) ? sequence.size() : 0;
        }
        return size;
    }

    /** The sections of kind 1, empty where there are none. */
    public List<DocumentSequence> sequences() {
        return sequences;
    }

    /** The command inside an {@code explain}; empty for any other command or a malformed explain. */
    public Optional<CommandView> explained() {
        if (commandName != CommandName.EXPLAIN || !first.isDocument()) {
            return Optional.empty();
        }
        BsonView inner = first.document();
        return inner.isEmpty() ? Optional.empty() : Optional.of(new CommandView(database, inner, List.of(), true));
    }

    /** Whether the command is part of a multi-document transaction. */
    public boolean inTransaction() {
        // A null is ignored by the server, and autocommit without a transaction's number is an error of its own.
        BsonValueView autocommit = body.get("autocommit");
        return autocommit != null
                && autocommit.type() == BsonType.BOOLEAN
                && !autocommit.bool()
                && body.get("txnNumber") != null;
    }

    /** Name and database only: the body may hold secrets. */
    @Override
    public String toString() {
        return "CommandView[" + name + " on " + database + "]";
    }
}
