package io.scatterguard.tests.support;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The part of the query language that readers of the {@code config} database use, on top-level fields. */
final class CatalogFilter {
    private CatalogFilter() {}

    static boolean matches(BsonDocument filter, BsonDocument document) {
        return filter.entrySet().stream().allMatch(term -> switch (term.getKey()) {
            case "$and" -> term.getValue().asArray().stream().allMatch(each -> matches(each.asDocument(), document));
            case "$or" -> term.getValue().asArray().stream().anyMatch(each -> matches(each.asDocument(), document));
            default -> fieldMatches(term.getKey(), term.getValue(), document);
        });
    }

    private static boolean fieldMatches(String field, BsonValue condition, BsonDocument document) {
        if (field.startsWith("$") || field.contains(".")) {
            throw new IllegalArgumentException("filter on " + field + " (expected: a top-level field, $and or $or)");
        }
        BsonValue actual = document.get(field);
        boolean operators = condition.isDocument()
                && !condition.asDocument().isEmpty()
                && condition.asDocument().getFirstKey().startsWith("$");
        if (!operators) {
            return equal(actual, condition);
        }
        return condition.asDocument().entrySet().stream()
                .allMatch(operator -> operatorMatches(operator.getKey(), actual, operator.getValue()));
    }

    private static boolean operatorMatches(String operator, @Nullable BsonValue actual, BsonValue operand) {
        return switch (operator) {
            case "$eq" -> equal(actual, operand);
            case "$ne" -> !equal(actual, operand);
            case "$in" -> in(actual, operand.asArray());
            case "$nin" -> !in(actual, operand.asArray());
            case "$exists" -> (actual != null) == truthy(operand);
            case "$gt" -> sameType(actual, operand) && compare(actual, operand) > 0;
            case "$gte" -> sameType(actual, operand) && compare(actual, operand) >= 0;
            case "$lt" -> sameType(actual, operand) && compare(actual, operand) < 0;
            case "$lte" -> sameType(actual, operand) && compare(actual, operand) <= 0;
            default ->
                throw new IllegalArgumentException("filter operator: " + operator + " (expected: $eq, $ne, $in,"
                        + " $nin, $exists, $gt, $gte, $lt or $lte)");
        };
    }

    private static boolean truthy(BsonValue value) {
        return value.isBoolean()
                ? value.asBoolean().getValue()
                : value.asNumber().intValue() != 0;
    }

    private static boolean in(@Nullable BsonValue actual, BsonArray operands) {
        return operands.stream().anyMatch(operand -> equal(actual, operand));
    }

    private static boolean equal(@Nullable BsonValue actual, BsonValue expected) {
        if (actual == null) {
            return expected.isNull();
        }
        boolean numbers = actual.isNumber() && expected.isNumber();
        return numbers ? compare(actual, expected) == 0 : actual.equals(expected);
    }

    private static boolean sameType(@Nullable BsonValue one, BsonValue other) {
        return one != null && (one.getBsonType() == other.getBsonType() || (one.isNumber() && other.isNumber()));
    }

    /** The order of two values of one type; a missing one is less than any. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static int compare(@Nullable BsonValue one, @Nullable BsonValue other) {
        if (one == null || other == null) {
            return Boolean.compare(one != null, other != null);
        }
        if (one.isNumber() && other.isNumber()) {
            return Double.compare(one.asNumber().doubleValue(), other.asNumber().doubleValue());
        }
        if (one.isDocument() && other.isDocument()) {
            return compareDocuments(one.asDocument(), other.asDocument());
        }
        if (one.getBsonType() == BsonType.MIN_KEY || other.getBsonType() == BsonType.MAX_KEY) {
            return one.equals(other) ? 0 : -1;
        }
        if (one.getBsonType() == BsonType.MAX_KEY || other.getBsonType() == BsonType.MIN_KEY) {
            return one.equals(other) ? 0 : 1;
        }
        if (one.getBsonType() != other.getBsonType() || !(one instanceof Comparable comparable)) {
            throw new IllegalArgumentException("comparison of " + one.getBsonType() + " with " + other.getBsonType()
                    + " (expected: one ordered type)");
        }
        return comparable.compareTo(other);
    }

    private static int compareDocuments(BsonDocument one, BsonDocument other) {
        for (String field : one.keySet()) {
            int order = compare(one.get(field), other.get(field));
            if (order != 0) {
                return order;
            }
        }
        return one.size() - other.size();
    }
}
