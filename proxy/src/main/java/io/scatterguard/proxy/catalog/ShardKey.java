package io.scatterguard.proxy.catalog;

import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/**
 * A shard key pattern: its fields in order.
 *
 * @param fields at least one
 */
public record ShardKey(List<Field> fields) {
    /**
     * One field of a shard key.
     *
     * @param path the dotted path
     * @param hashed whether the value is replaced by its hash
     */
    public record Field(String path, boolean hashed) {}

    public ShardKey {
        fields = List.copyOf(fields);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("shard key: no field (expected: at least one)");
        }
    }

    /** The pattern as {@code config.collections} stores it: {@code {a: 1, b: "hashed"}}. */
    public static ShardKey of(BsonDocument pattern) {
        return new ShardKey(pattern.entrySet().stream()
                .map(e -> new Field(
                        e.getKey(),
                        e.getValue().isString()
                                && e.getValue().asString().getValue().equals("hashed")))
                .toList());
    }

    public int size() {
        return fields.size();
    }

    public Field field(int index) {
        return fields.get(index);
    }

    /** The position of the field with exactly this path, −1 if there is none. */
    public int indexOf(String path) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).path().equals(path)) {
                return i;
            }
        }
        return -1;
    }

    public boolean hasHashedField() {
        return fields.stream().anyMatch(Field::hashed);
    }

    /** {@code {a: 1, b: "hashed"}}. */
    @Override
    public String toString() {
        return fields.stream()
                .map(f -> f.path() + ": " + (f.hashed() ? "\"hashed\"" : "1"))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
