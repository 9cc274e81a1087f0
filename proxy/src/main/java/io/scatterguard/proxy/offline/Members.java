package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;

/** The members of a line, by name and type; whatever is missing or of another type is named in the exception. */
record Members(BsonDocument line) {
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

    /** The value as it stands in a line, in relaxed Extended JSON. */
    static String json(BsonValue value) {
        String document = new BsonDocument("v", value).toJson(RELAXED);
        return document.substring(document.indexOf(':') + 1, document.length() - 1)
                .strip();
    }

    boolean has(String name) {
        BsonValue value = line.get(name);
        return value != null && !value.isNull();
    }

    String string(String name) {
        return of(name, BsonType.STRING).asString().getValue();
    }

    String string(String name, String otherwise) {
        return has(name) ? string(name) : otherwise;
    }

    /** The member {@code ns}: a collection of a database. */
    Namespace namespace() {
        Namespace namespace = Namespace.parse(string("ns"));
        if (namespace.database().isEmpty() || namespace.collection().isEmpty()) {
            throw new LineFormatException("member \"ns\": " + json(of("ns", BsonType.STRING))
                    + " (expected: database and collection, like \"shop.orders\")");
        }
        return namespace;
    }

    /**
     * The database in which {@code command} is run: that of {@code ns}, or {@code admin} where the command says so, as those
     * do that name their collections in full.
     */
    String database(BsonDocument command) {
        String database = namespace().database();
        String named = new Members(command).string("$db", database);
        if (!named.equals(database) && !named.equals("admin")) {
            throw new LineFormatException("member \"ns\": " + json(of("ns", BsonType.STRING))
                    + ", but \"$db\" of the command: \"" + named + "\" (expected: the same database, or \"admin\")");
        }
        return named;
    }

    BsonDocument document(String name) {
        return of(name, BsonType.DOCUMENT).asDocument();
    }

    @Nullable BsonDocument documentOrNull(String name) {
        return has(name) ? document(name) : null;
    }

    boolean flag(String name) {
        return has(name) && of(name, BsonType.BOOLEAN).asBoolean().getValue();
    }

    int number(String name) {
        BsonValue value = line.get(name);
        if (value == null || !value.isNumber()) {
            throw unexpected(name, "number");
        }
        return value.asNumber().intValue();
    }

    List<String> strings(String name) {
        List<String> strings = new ArrayList<>();
        for (BsonValue value : of(name, BsonType.ARRAY).asArray()) {
            if (!value.isString()) {
                throw new LineFormatException(name + ": " + json(value) + " (expected: an array of strings)");
            }
            strings.add(value.asString().getValue());
        }
        return strings;
    }

    List<BsonDocument> documents(String name) {
        List<BsonDocument> documents = new ArrayList<>();
        for (BsonValue value : of(name, BsonType.ARRAY).asArray()) {
            if (!value.isDocument()) {
                throw new LineFormatException(name + ": " + json(value) + " (expected: an array of documents)");
            }
            documents.add(value.asDocument());
        }
        return documents;
    }

    List<BsonDocument> documentsOrNone(String name) {
        return has(name) ? documents(name) : List.of();
    }

    private BsonValue of(String name, BsonType type) {
        BsonValue value = line.get(name);
        if (value == null || value.getBsonType() != type) {
            throw unexpected(name, type.name().toLowerCase(Locale.ROOT));
        }
        return value;
    }

    private LineFormatException unexpected(String name, String expected) {
        BsonValue value = line.get(name);
        return new LineFormatException("member \"" + name + "\": " + (value == null ? "missing" : json(value))
                + " (expected: " + expected + ")");
    }
}
