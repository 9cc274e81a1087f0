package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Layout.Chunk;
import io.scatterguard.tests.fuzz.Layout.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Makes collections: keys of one to three fields, 2 to 12 chunks on 2 to 6 shards. */
final class LayoutGenerator {
    private static final List<List<String>> PATHS = List.of(
            List.of("a"),
            List.of("a"),
            List.of("a", "b"),
            List.of("a", "b"),
            List.of("a", "b", "c"),
            List.of("a.b"),
            List.of("a.b", "c"),
            List.of("a", "d.b"),
            List.of("a.b", "a.c"));

    private final Dice dice;
    /** The values of each key field. */
    private final List<Values> values = new ArrayList<>();

    LayoutGenerator(Dice dice) {
        this.dice = dice;
    }

    List<Values> values() {
        return values;
    }

    Layout layout(boolean proven, @Nullable BsonDocument collation) {
        List<String> paths = dice.oneOf(PATHS);
        int hashed = dice.chance(30) ? dice.below(paths.size()) : -1;
        List<Field> key = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            key.add(new Field(paths.get(i), i == hashed));
            values.add(new Values(dice, proven));
        }
        List<String> registry = new ArrayList<>();
        for (int i = dice.between(2, 6); i > 0; i--) {
            registry.add("s" + i);
        }
        List<List<BsonValue>> bounds = bounds(key);
        List<Chunk> chunks = new ArrayList<>();
        for (int i = 0; i + 1 < bounds.size(); i++) {
            chunks.add(new Chunk(bounds.get(i), bounds.get(i + 1), dice.oneOf(registry)));
        }
        return new Layout(key, chunks, registry, collation);
    }

    private List<List<BsonValue>> bounds(List<Field> key) {
        List<BsonValue> lowest = Collections.nCopies(key.size(), Span.MIN);
        List<BsonValue> highest = Collections.nCopies(key.size(), Span.MAX);
        TreeSet<List<BsonValue>> bounds = new TreeSet<>(BsonOrder::compareKeys);
        bounds.add(lowest);
        bounds.add(highest);
        List<BsonValue> before = null;
        for (int i = dice.between(1, 11); i > 0 || bounds.size() < 3; i--) {
            before = bound(key, before);
            bounds.add(before);
        }
        return new ArrayList<>(bounds);
    }

    /** Often with the first values of the bound before. */
    private List<BsonValue> bound(List<Field> key, @Nullable List<BsonValue> before) {
        int same = before == null || !dice.chance(40) ? 0 : dice.below(key.size());
        List<BsonValue> bound = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            boolean later = i > 0;
            if (before != null && i < same) {
                bound.add(before.get(i));
            } else if (later && dice.chance(35)) {
                bound.add(dice.chance(80) ? Span.MIN : Span.MAX);
            } else if (key.get(i).hashed()) {
                bound.add(hash(values.get(i)));
            } else {
                bound.add(values.get(i).bound());
            }
        }
        return bound;
    }

    /** The hash of a value of the pool or one beside it, or any. */
    private BsonValue hash(Values pool) {
        return dice.chance(30)
                ? new BsonInt64(dice.any())
                : new BsonInt64(BsonHash.of(pool.key()).getValue() + dice.between(-1, 1));
    }

    /** None mostly; else one that does not tell upper from lower case. */
    static @Nullable BsonDocument collation(Dice dice) {
        if (!dice.chance(8)) {
            return null;
        }
        return dice.chance(75)
                ? BsonDocument.parse("{locale: 'en', strength: 2}")
                : new BsonDocument("locale", new BsonString("simple"));
    }
}
