package io.scatterguard.protocol.command;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.StringCache;
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

    private final CommandName.Spelling name;
    private final Namespace namespace;
    private final BsonView body;
    private final List<DocumentSequence> sequences;
    private final boolean replyExpected;
    private final boolean namesDistinct;

    /** A bit for the name of every field of the body; names share bits. Spares most look-ups of what is not there. */
    private final long nameBits;

    /**
     * Walks the fields once, so that their number is bounded before anybody looks one up.
     *
     * @param names keeps the names of the database and the collection
     * @param database null for that which the body names as {@code $db}
     */
    private CommandView(
            @Nullable String database,
            BsonView body,
            List<DocumentSequence> sequences,
            boolean replyExpected,
            StringCache names) {
        BsonCursor cursor = body.cursor();
        if (!cursor.next()) {
            throw new ProtocolException("command: the body is empty (expected: the command's name as first key)");
        }
        this.name = CommandName.spelling(cursor);
        String collection = isName(cursor.type()) ? cursor.string(names) : "";
        String named = null;
        long bits = 0;
        boolean distinct = true;
        int fields = 0;
        do {
            if (++fields > MAX_FIELDS) {
                throw new ProtocolException("command: more than " + MAX_FIELDS + " fields");
            }
            long bit = nameBit(cursor);
            distinct &= (bits & bit) == 0;
            bits |= bit;
            if (named == null && database == null && cursor.nameEquals("$db")) {
                named = cursor.type() == BsonType.STRING ? cursor.string(names) : "";
            }
        } while (cursor.next());
        this.namespace = new Namespace(database != null ? database : named != null ? named : "", collection);
        this.body = body;
        this.sequences = sequences;
        this.replyExpected = replyExpected;
        this.namesDistinct = distinct;
        this.nameBits = bits;
    }

    /** Such that the fields that drivers send together have different ones. */
    private static long nameBit(int length, int first, int last) {
        return 1L << (11 * length + first + last);
    }

    private static long nameBit(BsonCursor cursor) {
        int length = cursor.nameLength();
        return length == 0 ? 1 : nameBit(length, cursor.nameByte(0), cursor.nameByte(length - 1));
    }

    /** The command in an OP_MSG. Borrows it. */
    public static CommandView of(OpMsg message) {
        return of(message, new StringCache());
    }

    /**
     * As {@link #of(OpMsg)}.
     *
     * @param names of the connection; keeps the names of databases and collections
     */
    public static CommandView of(OpMsg message, StringCache names) {
        return new CommandView(null, message.body(), message.sequences(), !message.moreToCome(), names);
    }

    /** The command in an OP_QUERY on {@code db.$cmd}, unwrapped from {@code $query} or {@code query}. Borrows it. */
    public static CommandView of(OpQuery message) {
        String namespace = message.fullCollectionName();
        String database = namespace.substring(0, Math.max(0, namespace.indexOf('.')));
        return of(database, unwrapped(message.query()));
    }

    private static BsonView unwrapped(BsonView query) {
        BsonCursor cursor = query.cursor();
        boolean wrapped = cursor.next() && (cursor.nameEquals("$query") || cursor.nameEquals("query"));
        return wrapped && cursor.value().isDocument() ? cursor.value().document() : query;
    }

    /** A command from a document of its own, as it stands in a file or in an {@code explain}. */
    public static CommandView of(String database, BsonView body) {
        return new CommandView(database, body, List.of(), true, new StringCache());
    }

    /** The first key of the body, as it was spelt. */
    public String name() {
        return name.text();
    }

    public CommandName commandName() {
        return name.command();
    }

    /** {@code $db}, or the database of an OP_QUERY; empty if the message named none. */
    public String database() {
        return namespace.database();
    }

    /**
     * The collection the command names by its first value, a string or (as the server accepts as well) a symbol; the
     * database alone where it is neither (as in {@code aggregate: 1}).
     */
    public Namespace namespace() {
        return namespace;
    }

    private static boolean isName(BsonType type) {
        return type == BsonType.STRING || type == BsonType.SYMBOL;
    }

    /** The value of the first key. */
    public BsonValueView firstValue() {
        BsonCursor cursor = body.cursor();
        cursor.next();
        return cursor.value();
    }

    public BsonView body() {
        return body;
    }

    /** The first value of this name in the body, or null. The name must be plain ASCII. */
    public @Nullable BsonValueView get(String field) {
        return mayHave(field) ? body.get(field) : null;
    }

    /** A cursor at the first field of this name in the body, or null. The name must be plain ASCII. */
    public @Nullable BsonCursor cursorAt(String field) {
        return mayHave(field) ? body.cursorAt(field) : null;
    }

    private boolean mayHave(String field) {
        int length = field.length();
        long bit = length == 0 ? 1 : nameBit(length, field.charAt(0), field.charAt(length - 1));
        return (nameBits & bit) != 0;
    }

    /** Whether no name stands twice in the body. False may be wrong, true is certain. */
    public boolean hasDistinctNames() {
        return namesDistinct;
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
        BsonValueView array = get(field);
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
        List<String> identifiers = sequences.isEmpty() ? List.of() : new ArrayList<>(sequences.size());
        for (int i = 0; i < sequences.size(); i++) {
            identifiers.add(sequences.get(i).identifier());
        }
        return identifiers;
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
        BsonValueView first = firstValue();
        if (commandName() != CommandName.EXPLAIN || !first.isDocument()) {
            return Optional.empty();
        }
        BsonView inner = first.document();
        return inner.isEmpty() ? Optional.empty() : Optional.of(of(database(), inner));
    }

    /** Whether the command is part of a multi-document transaction. */
    public boolean inTransaction() {
        // A null is ignored by the server, and autocommit without a transaction's number is an error of its own.
        BsonValueView autocommit = get("autocommit");
        return autocommit != null
                && autocommit.type() == BsonType.BOOLEAN
                && !autocommit.bool()
                && get("txnNumber") != null;
    }

    /** Name and database only: the body may hold secrets. */
    @Override
    public String toString() {
        return "CommandView[" + name() + " on " + database() + "]";
    }
}
