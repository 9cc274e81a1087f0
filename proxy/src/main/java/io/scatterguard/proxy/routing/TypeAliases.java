package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.TypeClass;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonType;

/** Reads the operand of {@code $type}: numbers and aliases, one or a list. */
final class TypeAliases {
    private static final Map<String, BsonType> BY_ALIAS = Map.ofEntries(
            Map.entry("double", BsonType.DOUBLE),
            Map.entry("string", BsonType.STRING),
            Map.entry("object", BsonType.DOCUMENT),
            Map.entry("array", BsonType.ARRAY),
            Map.entry("binData", BsonType.BINARY),
            Map.entry("undefined", BsonType.UNDEFINED),
            Map.entry("objectId", BsonType.OBJECT_ID),
            Map.entry("bool", BsonType.BOOLEAN),
            Map.entry("date", BsonType.DATE_TIME),
            Map.entry("null", BsonType.NULL),
            Map.entry("regex", BsonType.REGULAR_EXPRESSION),
            Map.entry("dbPointer", BsonType.DB_POINTER),
            Map.entry("javascript", BsonType.JAVASCRIPT),
            Map.entry("symbol", BsonType.SYMBOL),
            Map.entry("javascriptWithScope", BsonType.JAVASCRIPT_WITH_SCOPE),
            Map.entry("int", BsonType.INT32),
            Map.entry("timestamp", BsonType.TIMESTAMP),
            Map.entry("long", BsonType.INT64),
            Map.entry("decimal", BsonType.DECIMAL128),
            Map.entry("minKey", BsonType.MIN_KEY),
            Map.entry("maxKey", BsonType.MAX_KEY),
            Map.entry("number", BsonType.DOUBLE));

    private TypeAliases() {}

    static Filter parse(String path, BsonValueView operand) {
        Set<TypeClass> classes = EnumSet.noneOf(TypeClass.class);
        if (operand.isArray()) {
            BsonCursor cursor = operand.document().cursor();
            while (cursor.next()) {
                classes.add(TypeClass.of(type(cursor.value())));
            }
        } else {
            classes.add(TypeClass.of(type(operand)));
        }
        if (classes.isEmpty()) {
            throw FilterException.badValue();
        }
        return new Filter.HasType(path, classes, classes.contains(TypeClass.ARRAY));
    }

    private static BsonType type(BsonValueView operand) {
        BsonType type = null;
        if (operand.isString()) {
            type = BY_ALIAS.get(operand.string());
        } else if (operand.isNumber()) {
            long code = operand.numberAsLong();
            boolean known = (code >= 1 && code <= 19) || code == -1 || code == 127;
            type = known ? BsonType.findByValue((int) (code & 0xff)) : null;
        }
        if (type == null) {
            throw FilterException.badValue();
        }
        return type;
    }
}
