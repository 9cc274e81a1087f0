package io.scatterguard.tests.fuzz;

import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonValue;

/** The names of types that {@code $type} takes, and their classes (§4). */
final class TypeNames {
    static final Map<String, Integer> CLASSES = Map.ofEntries(
            Map.entry("minKey", -1),
            Map.entry("null", 5),
            Map.entry("double", 10),
            Map.entry("int", 10),
            Map.entry("long", 10),
            Map.entry("decimal", 10),
            Map.entry("number", 10),
            Map.entry("string", 15),
            Map.entry("object", 20),
            Map.entry("array", 25),
            Map.entry("binData", 30),
            Map.entry("objectId", 35),
            Map.entry("bool", 40),
            Map.entry("date", 45),
            Map.entry("timestamp", 47),
            Map.entry("regex", 50),
            Map.entry("javascript", 60),
            Map.entry("javascriptWithScope", 65),
            Map.entry("maxKey", 127));

    private TypeNames() {}

    static List<Integer> classes(BsonValue operand) {
        List<BsonValue> names = operand.isArray() ? operand.asArray() : new BsonArray(List.of(operand));
        return names.stream().map(n -> CLASSES.get(n.asString().getValue())).toList();
    }
}
