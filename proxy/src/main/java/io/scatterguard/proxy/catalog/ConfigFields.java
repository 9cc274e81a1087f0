package io.scatterguard.proxy.catalog;

import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Typed reading of the fields of a metadata document; a field of a wrong type is a {@link CatalogException}. */
final class ConfigFields {
    private ConfigFields() {}

    static String string(BsonDocument document, String field, String subject) {
        BsonValue value = document.get(field);
        if (value == null || !value.isString()) {
            throw wrongType(subject, field, value, "a string");
        }
        return value.asString().getValue();
    }

    static BsonDocument document(BsonDocument document, String field, String subject) {
        BsonValue value = document.get(field);
        if (value == null || !value.isDocument()) {
            throw wrongType(subject, field, value, "a document");
        }
        return value.asDocument();
    }

    static BsonTimestamp timestamp(BsonDocument document, String field, String subject) {
        BsonValue value = document.get(field);
        if (value == null || !value.isTimestamp()) {
            throw wrongType(subject, field, value, "a Timestamp");
        }
        return value.asTimestamp();
    }

    /** The nested document, null if there is none or an empty one. */
    static @Nullable BsonDocument optionalDocument(BsonDocument document, String field, String subject) {
        if (isAbsent(document, field)) {
            return null;
        }
        BsonDocument value = document(document, field, subject);
        return value.isEmpty() ? null : value;
    }

    /** Whether the field is a true flag: {@code true} or a number other than 0. */
    static boolean flag(BsonDocument document, String field) {
        BsonValue value = document.get(field);
        if (value == null) {
            return false;
        }
        return value.isBoolean()
                ? value.asBoolean().getValue()
                : value.isNumber() && value.asNumber().doubleValue() != 0;
    }

    static boolean isAbsent(BsonDocument document, String field) {
        BsonValue value = document.get(field);
        return value == null || value.isNull();
    }

    static CatalogException wrongType(String subject, String field, @Nullable BsonValue value, String expected) {
        String found = value == null ? "missing" : value.getBsonType().name();
        return new CatalogException(subject + ": field " + field + ": " + found + " (expected: " + expected + ")");
    }
}
