package io.scatterguard.proxy.config;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.MalformedBsonException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What is demanded of declared chunk bounds: whole keys, ascending in the server's order. Values are never repeated. */
final class DeclaredBoundDemands {
    /** So many bounds are reported; one mistake may be in all of a hundred thousand. */
    private static final int MAX_REPORTED = 10;

    private final BsonDocument key;
    private final Requirements requirements;
    private int reported;

    DeclaredBoundDemands(BsonDocument key, Requirements requirements) {
        this.key = key;
        this.requirements = requirements;
    }

    /** Adds what is wrong with points between chunks: none is at either end of the key space. */
    void splitPoints(List<BsonDocument> points) {
        requirements.that(
                !points.isEmpty(), "splitAt", "no point (expected: at least one; or shards alone for unknown bounds)");
        ascending(points, i -> "splitAt[" + i + "]", false);
    }

    /** Adds what is wrong with chunks, given by their lower ends. */
    void chunks(List<BsonDocument> mins) {
        requirements.that(!mins.isEmpty(), "chunks", "no chunk (expected: at least one, with MinKey in every field)");
        ascending(mins, i -> "chunks[" + i + "].min", true);
    }

    private void ascending(List<BsonDocument> bounds, IntFunction<String> path, boolean fromMinKey) {
        byte[] lowest = ends(BsonValueView.MIN_KEY);
        byte[] highest = ends(BsonValueView.MAX_KEY);
        byte[] previous = null;
        for (int i = 0; i < bounds.size() && reported < MAX_REPORTED; i++) {
            byte[] bound = bytes(bounds.get(i), path.apply(i));
            if (bound == null) {
                continue;
            }
            boolean first = i == 0 && fromMinKey;
            demand(
                    Arrays.equals(bound, lowest) == first,
                    path.apply(i),
                    first
                            ? "not MinKey in every field (expected: {$minKey: 1} for each, as the first chunk begins there)"
                            : "MinKey in every field (expected: above the beginning of the key space)");
            demand(
                    !Arrays.equals(bound, highest),
                    path.apply(i),
                    "MaxKey in every field (expected: below the end of the key space)");
            demand(
                    previous == null || KeyBytes.compare(previous, bound) < 0,
                    path.apply(i),
                    "not above the one before it (expected: ascending, each once, in the order in which the server"
                            + " compares values)");
            previous = bound;
        }
    }

    /** Null for one that is no value of the key; then it is reported. */
    private byte @Nullable [] bytes(BsonDocument bound, String path) {
        if (!List.copyOf(bound.keySet()).equals(List.copyOf(key.keySet()))) {
            return wrong(
                    path,
                    "has " + names(bound) + " (expected: " + names(key)
                            + ", a value for each field of the key in its order)");
        }
        for (String field : bound.keySet()) {
            BsonValue value = bound.get(field);
            if (DeclaredKeyDemands.HASHED.equals(key.get(field)) && !isHash(value.getBsonType())) {
                return wrong(path, field + ": " + value.getBsonType() + " (expected: the hash, a 64-bit integer)");
            }
            if (value.isArray()) {
                return wrong(
                        path, field + ": " + value.getBsonType() + " (expected: a value that a shard key can have)");
            }
        }
        try {
            return KeyBytes.ofValues(BsonView.encode(bound));
        } catch (MalformedBsonException | BSONException e) {
            return wrong(path, e.getMessage() + " (expected: a value that BSON can hold)");
        }
    }

    private static boolean isHash(BsonType type) {
        return switch (type) {
            case INT32, INT64, MIN_KEY, MAX_KEY -> true;
            default -> false;
        };
    }

    private static String names(BsonDocument document) {
        return document.isEmpty() ? "no field" : document.keySet().stream().collect(Collectors.joining(", ", "{", "}"));
    }

    private byte @Nullable [] wrong(String path, String problem) {
        demand(false, path, problem);
        return null;
    }

    private void demand(boolean holds, String path, String problem) {
        reported += holds ? 0 : 1;
        requirements.that(holds, path, problem);
    }

    private byte[] ends(BsonValueView value) {
        KeyBytes bytes = new KeyBytes();
        key.keySet().forEach(field -> bytes.append(value));
        return bytes.toByteArray();
    }
}
