package io.scatterguard.tests.fuzz;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * The filters and documents that {@link Matcher} is proven on. It is wrong, or says nothing, about
 *
 * <ul>
 *   <li>undefined, symbol, code, DBPointer, regex values and binary data of most subtypes: it lacks them;
 *   <li>NaN, doubles and decimals beyond 2^20, and doubles that are not exact in decimal: it takes neighbours for equal;
 *   <li>{@code $gt}, {@code $gte}, {@code $lt}, {@code $lte} and {@code $expr} with null: it compares nothing with null; the
 *       former with MinKey and MaxKey, which the specification treats apart;
 *   <li>{@code $all} where there is no array, {@code $type} of regexes and code;
 *   <li>a regex where the document has no text: it matches any value in its printed form;
 *   <li>an equality without {@code $eq} with an object that is empty or holds null or an empty one: it matches too much.
 * </ul>
 */
final class MatcherDomain {
    private static final List<String> LEFT_OUT = List.of("$all", "$regex", "$options", "$alwaysFalse");
    /** Regexes and code. */
    private static final List<Integer> UNKNOWN_CLASSES = List.of(50, 60, 65);

    private static final double EXACT = 0x1p20;
    private static final List<String> COMPARISONS = List.of("$eq", "$gt", "$gte", "$lt", "$lte", "$ne");

    private MatcherDomain() {}

    /** Whether the matcher may judge the filter of a case. */
    static boolean covers(FuzzCase c) {
        return members(c.filter(), !c.isSimple());
    }

    /** @param folded whether upper and lower case are made one: a regex would tell them apart */
    private static boolean covers(String name, BsonValue value, boolean folded) {
        if (LEFT_OUT.contains(name)) {
            return false;
        } else if (name.equals("$type")) {
            return TypeNames.classes(value).stream().noneMatch(UNKNOWN_CLASSES::contains);
        } else if (name.equals("$expr")) {
            return !holdsNothing(value) && isProven(value);
        } else if (value.isRegularExpression()) {
            return !folded && !name.equals("$eq");
        } else if (COMPARISONS.contains(name)) {
            boolean ordered = name.startsWith("$g") || name.startsWith("$l");
            return isProven(value) && !(ordered && isExtreme(value));
        } else if (value.isArray() && (name.equals("$in") || name.equals("$nin"))) {
            return value.asArray().stream().allMatch(v -> v.isRegularExpression() ? !folded : isProven(v));
        } else if (name.startsWith("$") || NodeReader.isOperators(value)) {
            return members(value, folded);
        }
        return isProven(value) && !(value.isDocument() && holdsNothing(value));
    }

    private static boolean members(BsonValue value, boolean folded) {
        if (value.isArray()) {
            return value.asArray().stream().allMatch(v -> covers("$", v, folded));
        }
        return !value.isDocument()
                || value.asDocument().entrySet().stream().allMatch(e -> covers(e.getKey(), e.getValue(), folded));
    }

    private static boolean isExtreme(BsonValue value) {
        return value.isNull() || value.getBsonType() == BsonType.MIN_KEY || value.getBsonType() == BsonType.MAX_KEY;
    }

    /** Whether a null or an empty object is in it. */
    private static boolean holdsNothing(BsonValue value) {
        if (value.isDocument()) {
            return value.asDocument().isEmpty()
                    || value.asDocument().values().stream().anyMatch(MatcherDomain::holdsNothing);
        }
        return value.isNull() || (value.isArray() && value.asArray().stream().anyMatch(MatcherDomain::holdsNothing));
    }

    /** Whether a value is of a type that the matcher knows. */
    static boolean isProven(BsonValue value) {
        return switch (value.getBsonType()) {
            case NULL, INT32, INT64, STRING, BOOLEAN, DATE_TIME, TIMESTAMP, OBJECT_ID, MIN_KEY, MAX_KEY -> true;
            case DOUBLE -> isExact(value.asDouble().getValue());
            case DECIMAL128 ->
                value.asDecimal128().getValue().isFinite()
                        && isExact(value.asDecimal128().doubleValue());
            case BINARY -> value.asBinary().getType() == 0;
            case DOCUMENT -> value.asDocument().values().stream().allMatch(MatcherDomain::isProven);
            case ARRAY -> value.asArray().stream().allMatch(MatcherDomain::isProven);
            default -> false;
        };
    }

    /** Halves are the same in binary and in decimal. */
    private static boolean isExact(double value) {
        return Double.isInfinite(value) || (value * 2 == Math.rint(value * 2) && Math.abs(value) < EXACT);
    }

    /** Whether the regexes of a filter of this domain have nothing but text or nothing to look at in a document. */
    static boolean covers(FuzzCase c, BsonDocument document) {
        if (!isProven(document)) {
            return false;
        }
        return !holdsRegex(c.filter())
                || c.layout().key().stream().allMatch(field -> isTextOrNothing(document, field.path()));
    }

    private static boolean holdsRegex(BsonValue value) {
        if (value.isDocument()) {
            return value.asDocument().values().stream().anyMatch(MatcherDomain::holdsRegex);
        }
        return value.isRegularExpression()
                || (value.isArray() && value.asArray().stream().anyMatch(MatcherDomain::holdsRegex));
    }

    private static boolean isTextOrNothing(BsonDocument document, String path) {
        BsonValue at = document;
        for (String name : path.split("\\.")) {
            at = at != null && at.isDocument() ? at.asDocument().get(name) : null;
        }
        return at == null || at.isString() || at.getBsonType() == BsonType.NULL;
    }
}
