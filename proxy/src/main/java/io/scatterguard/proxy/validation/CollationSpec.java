package io.scatterguard.proxy.validation;

import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A collation, with every option that differs from its default; the server shows all of them where a rule names few. What a
 * locale itself sets otherwise is not known here, so that two that are found to differ may be the same after all.
 */
final class CollationSpec {
    private static final String LOCALE = "locale";
    private static final String SIMPLE = "simple";

    /** https://www.mongodb.com/docs/manual/reference/collation/; the version is the server's own matter. */
    private static final Map<String, BsonValue> DEFAULTS = Map.of(
            "caseLevel",
            BsonBoolean.FALSE,
            "caseFirst",
            new BsonString("off"),
            "strength",
            new BsonInt32(3),
            "numericOrdering",
            BsonBoolean.FALSE,
            "alternate",
            new BsonString("non-ignorable"),
            "maxVariable",
            new BsonString("punct"),
            "normalization",
            BsonBoolean.FALSE,
            "backwards",
            BsonBoolean.FALSE);

    private final Map<String, String> options = new TreeMap<>();

    /** @param collation null for simple */
    CollationSpec(@Nullable BsonDocument collation) {
        options.put(LOCALE, SIMPLE);
        if (collation != null) {
            collation.forEach((name, value) -> {
                if (!name.equals("version") && !text(value).equals(text(DEFAULTS.get(name)))) {
                    options.put(name, text(value));
                }
            });
        }
    }

    boolean isSimple() {
        return SIMPLE.equals(options.get(LOCALE));
    }

    private static String text(@Nullable BsonValue value) {
        if (value == null) {
            return "";
        }
        if (value.isNumber()) {
            return Integer.toString(value.asNumber().intValue());
        }
        return value.isString()
                ? value.asString().getValue()
                : value.isBoolean() ? "" + value.asBoolean().getValue() : "?";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CollationSpec spec && (isSimple() ? spec.isSimple() : options.equals(spec.options));
    }

    @Override
    public int hashCode() {
        return isSimple() ? 0 : options.hashCode();
    }

    /** {@code {locale=en, strength=2}}. */
    @Override
    public String toString() {
        return isSimple() ? SIMPLE : options.toString();
    }
}
