package io.scatterguard.proxy.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The key of an index, or a shard key: fields in order, each with 1, −1, {@code "hashed"} or another kind of index.
 *
 * @param document as {@code createIndex} and {@code listIndexes} have it
 */
record KeyPattern(BsonDocument document) {
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
    private static final String HASHED = "hashed";

    List<String> paths() {
        return List.copyOf(document.keySet());
    }

    boolean isHashed() {
        return document.values().stream()
                .anyMatch(
                        value -> value.isString() && value.asString().getValue().equals(HASHED));
    }

    /**
     * Whether {@code index} begins with the names of these fields in this order, whatever their kind. It is what the server
     * asks of a unique index: hashed or not, descending or not, the values of the key are then among those that are unique.
     */
    boolean isNamePrefixOf(KeyPattern index) {
        return commonNames(index) == document.size();
    }

    /** How many names at the beginning are the same in both. */
    int commonNames(KeyPattern other) {
        List<String> own = paths();
        List<String> others = other.paths();
        int common = 0;
        while (common < own.size() && common < others.size() && own.get(common).equals(others.get(common))) {
            common++;
        }
        return common;
    }

    /** Whether {@code index} begins with these very fields; the server asks it of the index that supports a shard key. */
    boolean isPrefixOf(KeyPattern index) {
        return isNamePrefixOf(index)
                && document.entrySet().stream()
                        .allMatch(field -> isSameKind(field.getValue(), index.document.get(field.getKey())));
    }

    private static boolean isSameKind(BsonValue one, @Nullable BsonValue other) {
        if (other != null && one.isNumber() && other.isNumber()) {
            return one.asNumber().doubleValue() == other.asNumber().doubleValue();
        }
        return one.equals(other);
    }

    /** The first {@code count} fields. */
    KeyPattern first(int count) {
        BsonDocument first = new BsonDocument();
        document.entrySet().stream().limit(count).forEach(field -> first.append(field.getKey(), field.getValue()));
        return new KeyPattern(first);
    }

    /** As one would type it in {@code mongosh}: <code>{a: 1, "b.c": "hashed"}</code>. */
    @Override
    public String toString() {
        List<String> fields = new ArrayList<>();
        for (Map.Entry<String, BsonValue> field : document.entrySet()) {
            fields.add(name(field.getKey()) + ": " + kind(field.getValue()));
        }
        return fields.stream().collect(Collectors.joining(", ", "{", "}"));
    }

    private static String name(String path) {
        return PLAIN_NAME.matcher(path).matches() ? path : "\"" + path + "\"";
    }

    private static String kind(BsonValue value) {
        if (value.isNumber()) {
            double number = value.asNumber().doubleValue();
            return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
        }
        return value.isString() ? "\"" + value.asString().getValue() + "\"" : "?";
    }
}
