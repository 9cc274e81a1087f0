package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import org.bson.BsonType;

/**
 * What stands for a literal in a shape: its type, never its value. All numbers are one type, because drivers choose int32,
 * int64 or double by the value.
 */
final class TypeToken {
    /** How many members of a literal list are looked at to find its type. */
    static final int MAX_LIST_MEMBERS = 100;

    private TypeToken() {}

    /** The token of any value; a list of literals gives {@code [?type…]}, a document {@code ?object}. */
    static String of(BsonValueView value) {
        return value.isArray() ? ofList(value.document()) : of(value.type());
    }

    private static String of(BsonType type) {
        return switch (type) {
            case INT32, INT64, DOUBLE, DECIMAL128 -> "?number";
            case STRING, SYMBOL -> "?string";
            case DOCUMENT -> "?object";
            case ARRAY -> "?array";
            case BINARY -> "?binary";
            case UNDEFINED -> "?undefined";
            case OBJECT_ID -> "?oid";
            case BOOLEAN -> "?bool";
            case DATE_TIME -> "?date";
            case NULL -> "?null";
            case REGULAR_EXPRESSION -> "?regex";
            case DB_POINTER -> "?dbPointer";
            case JAVASCRIPT, JAVASCRIPT_WITH_SCOPE -> "?code";
            case TIMESTAMP -> "?timestamp";
            case MIN_KEY -> "?minKey";
            case MAX_KEY -> "?maxKey";
            case END_OF_DOCUMENT -> "?none";
        };
    }

    /** Independent of how many members there are; {@code [?mixed…]} when their types differ. */
    private static String ofList(BsonView list) {
        BsonCursor cursor = list.cursor();
        String common = null;
        for (int i = 0; i < MAX_LIST_MEMBERS && cursor.next(); i++) {
            String token = of(cursor.type());
            if (common != null && !common.equals(token)) {
                return "[?mixed…]";
            }
            common = token;
        }
        return common == null ? "[]" : "[" + common + "…]";
    }
}
