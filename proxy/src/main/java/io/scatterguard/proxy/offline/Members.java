package io.scatterguard.proxy.offline;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The members of a line, by name and type; whatever is missing or of another type is named in the exception. */
record Members(BsonDocument line) {

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
                throw new LineFormatException(name + ": " + value + " (expected: an array of strings)");
            }
            strings.add(value.asString().getValue());
        }
        return strings;
    }

    List<BsonDocument> documents(String name) {
        List<BsonDocument> documents = new ArrayList<>();
        for (BsonValue value : of(name, BsonType.ARRAY).asArray()) {
            if (!value.isDocument()) {
                throw new LineFormatException(name + ": " + value + " (expected: an array of documents)");
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
        return new LineFormatException(
                "member \"" + name + "\": " + (value == null ? "missing" : value) + " (expected: " + expected + ")");
    }
}
