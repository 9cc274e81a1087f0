package io.scatterguard.proxy.config;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What is demanded of a declared collation; whether the server knows its locale is left to the server. */
final class CollationDemands {
    static final String EXPECTED = "a collation, like {locale: en, strength: 2}";

    private static final List<String> FIELDS = List.of(
            "locale",
            "caseLevel",
            "caseFirst",
            "strength",
            "numericOrdering",
            "alternate",
            "maxVariable",
            "normalization",
            "backwards",
            "version");

    private CollationDemands() {}

    /** Adds what is wrong with {@code collation}; null is none. */
    static void check(@Nullable BsonDocument collation, Requirements requirements) {
        if (collation == null) {
            return;
        }
        BsonValue locale = collation.get("locale");
        requirements.that(
                locale != null
                        && locale.isString()
                        && !locale.asString().getValue().isBlank(),
                "collation",
                "no locale (expected: " + EXPECTED + ")");
        for (String field : collation.keySet()) {
            requirements.that(
                    FIELDS.contains(field),
                    "collation",
                    "unknown field " + Quoting.quoted(field) + " (expected: " + String.join(", ", FIELDS) + ")");
        }
    }
}
