package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The collation of a statement, as far as routing cares (targeting semantics §7): chunk bounds are always in the simple
 * order, so under any other collation an operand that holds text cannot be looked up.
 *
 * @param simple whether it is the simple collation
 * @param isDefault whether it is the collection's default, inherited or given
 */
record Collation(boolean simple, boolean isDefault) {
    static final Collation SIMPLE = new Collation(true, true);

    private static final Collation OWN_SIMPLE = new Collation(true, false);
    private static final Collation INHERITED = new Collation(false, true);
    private static final Collation OWN = new Collation(false, false);

    /** What the fields of a collation are where they are left out, and not fixed by the locale. */
    private static final Map<String, Object> DEFAULTS = Map.of(
            "caseLevel",
            false,
            "caseFirst",
            "off",
            "strength",
            3.0,
            "numericOrdering",
            false,
            "alternate",
            "non-ignorable",
            "maxVariable",
            "punct",
            "normalization",
            false,
            "backwards",
            false);

    /**
     * The effective collation: the given one unless it is absent or empty, otherwise the collection's.
     *
     * @param given the statement's {@code collation}; borrowed
     */
    static Collation of(@Nullable BsonValueView given, @Nullable BsonDocument collectionDefault) {
        boolean defaultSimple = collectionDefault == null || isSimple(collectionDefault);
        if (given == null || !given.isDocument() || given.document().isEmpty()) {
            return defaultSimple ? SIMPLE : INHERITED;
        }
        BsonView document = given.document();
        BsonValueView locale = document.get("locale");
        if (locale != null && locale.stringEquals("simple")) {
            return defaultSimple ? SIMPLE : OWN_SIMPLE;
        }
        boolean same =
                collectionDefault != null && !defaultSimple && isSame(document.toBsonDocument(), collectionDefault);
        return same ? INHERITED : OWN;
    }

    private static boolean isSimple(BsonDocument collation) {
        return collation.isEmpty()
                || (collation.isString("locale")
                        && collation.getString("locale").getValue().equals("simple"));
    }

    /** The stored collation has every field, a given one perhaps only the locale; the version does not count. */
    private static boolean isSame(BsonDocument given, BsonDocument stored) {
        if (!given.getOrDefault("locale", BsonDocument.parse("{}"))
                .equals(stored.getOrDefault("locale", BsonDocument.parse("{}")))) {
            return false;
        }
        for (Map.Entry<String, Object> field : DEFAULTS.entrySet()) {
            Object one = plain(given.get(field.getKey()), field.getValue());
            Object other = plain(stored.get(field.getKey()), field.getValue());
            if (!one.equals(other)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a given collation may be the stored one, although it does not look like it: what it leaves out may be fixed by
     * its locale, in ways that only the server knows.
     *
     * @param given borrowed
     */
    static boolean mayBeSame(BsonView given, BsonView stored) {
        BsonDocument one = given.toBsonDocument();
        BsonDocument other = stored.toBsonDocument();
        BsonValue locale = one.get("locale");
        if (locale == null || !locale.equals(other.get("locale"))) {
            return false;
        }
        return DEFAULTS.entrySet().stream()
                .allMatch(field -> !one.containsKey(field.getKey())
                        || !other.containsKey(field.getKey())
                        || plain(one.get(field.getKey()), field.getValue())
                                .equals(plain(other.get(field.getKey()), field.getValue())));
    }

    private static Object plain(@Nullable BsonValue value, Object otherwise) {
        if (value instanceof BsonNumber number) {
            return number.doubleValue();
        } else if (value != null && value.isString()) {
            return value.asString().getValue();
        } else if (value != null && value.isBoolean()) {
            return value.asBoolean().getValue();
        }
        return otherwise;
    }

    /** Whether {@code operand} cannot be looked up under this collation. */
    boolean refuses(BsonValueView operand) {
        return !simple && holdsText(operand);
    }

    boolean refusesAny(List<BsonValueView> operands) {
        if (!simple) {
            for (BsonValueView operand : operands) {
                if (holdsText(operand)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a collation could change what {@code value} equals. */
    static boolean holdsText(BsonValueView value) {
        return switch (value.type()) {
            case STRING, SYMBOL, DOCUMENT, ARRAY -> true;
            default -> false;
        };
    }
}
