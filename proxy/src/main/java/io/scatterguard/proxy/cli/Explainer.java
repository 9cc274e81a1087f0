package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.explain.ExplanationJson;
import io.scatterguard.proxy.explain.ExplanationText;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.bson.BSONException;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Explains the commands of a file against a catalog.
 *
 * @param db the database of commands without {@code $db}; null for none
 */
record Explainer(
        CatalogLoad catalog,
        RouterRelease release,
        @Nullable String db) {

    /** For people: the explanations one after the other, numbered if there are several. */
    String text(List<BsonDocument> commands) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < commands.size(); i++) {
            CommandView command = view(commands, i, db);
            Explanation explanation = Explanation.of(command, catalog.snapshot(), release);
            if (commands.size() > 1) {
                text.append(i == 0 ? "" : "\n").append('#').append(i + 1).append(' ');
            }
            text.append(ExplanationText.of(explanation, CommandHints.of(command, explanation.route(), catalog)));
        }
        return text.toString();
    }

    /** For programs: one JSON document a line for each command. */
    String json(List<BsonDocument> commands) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < commands.size(); i++) {
            CommandView command = view(commands, i, db);
            Explanation explanation = Explanation.of(command, catalog.snapshot(), release);
            List<String> hints = CommandHints.of(command, explanation.route(), catalog);
            lines.append(ExplanationJson.of(explanation, hints)).append('\n');
        }
        return lines.toString();
    }

    /** @throws InputException if a command is none, or of no database */
    static void check(List<BsonDocument> commands, @Nullable String db) {
        for (int i = 0; i < commands.size(); i++) {
            view(commands, i, db);
        }
    }

    private static CommandView view(List<BsonDocument> commands, int index, @Nullable String db) {
        return view(commands.get(index), commands.size() == 1 ? "the command" : "command " + (index + 1), db, "--db");
    }

    /**
     * The command that {@code document} is.
     *
     * @param which it is, for messages
     * @param option names the database of commands without {@code $db}, for messages
     * @throws InputException if it is none, or of no database
     */
    static CommandView view(BsonDocument document, String which, @Nullable String db, String option) {
        if (document.isEmpty()) {
            throw new InputException(which + ": empty (expected: {find: \"orders\", $db: \"shop\"}, for instance)");
        }
        try {
            return CommandView.of(database(document, which, db, option), BsonView.encode(document));
        } catch (ProtocolException | BSONException e) {
            throw new InputException(which + ": " + e.getMessage());
        }
    }

    private static String database(BsonDocument command, String which, @Nullable String db, String option) {
        BsonValue named = command.get("$db");
        if (named != null && !named.isString()) {
            throw new InputException(which + ": $db is a " + named.getBsonType() + " (expected: a string)");
        }
        if (named == null && db == null) {
            throw new InputException(which + ": of no database (expected: \"$db\" in the command, or " + option + ")");
        }
        return named == null ? String.valueOf(db) : named.asString().getValue();
    }

    /**
     * The collections that the commands may be about, so that no others have to be read: those of their databases, and
     * those that any of their strings names.
     */
    static Predicate<Namespace> mentioned(List<BsonDocument> commands, @Nullable String db) {
        Set<String> strings = new HashSet<>();
        commands.forEach(command -> collect(command, strings));
        Set<String> databases = new HashSet<>();
        if (db != null) {
            databases.add(db);
        }
        commands.forEach(command -> {
            BsonValue named = command.get("$db");
            if (named != null && named.isString()) {
                databases.add(named.asString().getValue());
            }
        });
        return namespace -> databases.contains(namespace.database())
                || strings.contains(namespace.fullName())
                || strings.contains(namespace.collection())
                || strings.contains(namespace.fullName().replaceFirst("\\.system\\.buckets\\.", "."))
                || strings.contains(namespace.collection().replaceFirst("^system\\.buckets\\.", ""));
    }

    private static void collect(BsonValue value, Set<String> strings) {
        if (value.isString()) {
            strings.add(value.asString().getValue());
        } else if (value instanceof BsonDocument document) {
            document.values().forEach(member -> collect(member, strings));
        } else if (value instanceof BsonArray array) {
            array.forEach(element -> collect(element, strings));
        }
    }
}
