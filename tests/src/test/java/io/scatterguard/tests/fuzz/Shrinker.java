package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.FuzzRun.Counterexample;
import io.scatterguard.tests.fuzz.Property.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Makes a counterexample small: takes away what it does not need, greedily, until nothing more can go. */
final class Shrinker {
    private final Property property;
    private final RouterUnderTest router;

    Shrinker(Property property, RouterUnderTest router) {
        this.property = property;
        this.router = router;
    }

    Counterexample shrink(Counterexample found) {
        Counterexample smallest = found;
        Optional<Counterexample> next = Optional.of(found);
        while (next.isPresent()) {
            smallest = next.get();
            next = smaller(smallest.c())
                    .map(this::counterexample)
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        return smallest;
    }

    private Optional<Counterexample> counterexample(FuzzCase c) {
        try {
            Optional<Violation> violation = property.violation(c, router, new Tally());
            return violation
                    .filter(v -> !v.detail().contains("error"))
                    .map(v -> new Counterexample(c.on(v.release()), v));
        } catch (RuntimeException e) {
            // What is left is no filter any more.
            return Optional.empty();
        }
    }

    private static Stream<FuzzCase> smaller(FuzzCase c) {
        List<FuzzCase> smaller = new ArrayList<>();
        c.releases().stream().filter(r -> c.releases().size() > 1).forEach(r -> smaller.add(c.on(r)));
        if (c.collation() != null) {
            smaller.add(c.collated(null));
        }
        if (c.layout().collation() != null) {
            smaller.add(c.with(
                    new Layout(c.layout().key(), c.layout().chunks(), c.layout().registry(), null)));
        }
        for (int i = 0; c.documents().size() > 1 && i < c.documents().size(); i++) {
            smaller.add(c.with(List.of(c.documents().get(i))));
        }
        chunks(c.layout()).forEach(layout -> smaller.add(c.with(layout)));
        documents(c.filter()).forEach(filter -> smaller.add(c.with(filter)));
        fields(c.layout()).forEach(layout -> smaller.add(c.with(layout)));
        for (int i = 0; c.documents().size() == 1 && i < 1; i++) {
            documents(c.documents().get(0)).forEach(document -> smaller.add(c.with(List.of(document))));
        }
        return smaller.stream();
    }

    /** The layouts in which two neighbouring chunks are one. */
    private static List<Layout> chunks(Layout layout) {
        List<Layout> layouts = new ArrayList<>();
        for (int i = 0; i + 1 < layout.chunks().size(); i++) {
            for (int owner = 0; owner < 2; owner++) {
                List<Layout.Chunk> chunks = new ArrayList<>(layout.chunks());
                Layout.Chunk high = chunks.remove(i + 1);
                Layout.Chunk low = chunks.get(i);
                chunks.set(i, new Layout.Chunk(low.min(), high.max(), owner == 0 ? low.shard() : high.shard()));
                List<String> registry = chunks.stream()
                        .map(Layout.Chunk::shard)
                        .distinct()
                        .sorted()
                        .toList();
                layouts.add(new Layout(layout.key(), chunks, registry, layout.collation()));
            }
        }
        return layouts;
    }

    /** The layouts without one of the later key fields, where the bounds are still in order. */
    private static List<Layout> fields(Layout layout) {
        List<Layout> layouts = new ArrayList<>();
        for (int i = layout.key().size() - 1; i > 0; i--) {
            int dropped = i;
            List<Layout.Chunk> chunks = layout.chunks().stream()
                    .map(c -> new Layout.Chunk(without(c.min(), dropped), without(c.max(), dropped), c.shard()))
                    .toList();
            if (chunks.stream().allMatch(c -> BsonOrder.compareKeys(c.min(), c.max()) < 0)) {
                layouts.add(new Layout(without(layout.key(), dropped), chunks, layout.registry(), layout.collation()));
            }
        }
        return layouts;
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> rest = new ArrayList<>(list);
        rest.remove(index);
        return rest;
    }

    /** The documents with one thing less, at any depth; what a logical operator holds also takes its place. */
    private static List<BsonDocument> documents(BsonDocument document) {
        List<BsonDocument> smaller = new ArrayList<>();
        for (String name : document.keySet()) {
            BsonValue value = document.get(name);
            if (document.size() > 1) {
                BsonDocument rest = new BsonDocument();
                document.forEach((n, v) -> {
                    if (!n.equals(name)) {
                        rest.append(n, v);
                    }
                });
                smaller.add(rest);
            }
            if (name.startsWith("$") && document.size() == 1 && value.isArray()) {
                value.asArray().stream().filter(BsonValue::isDocument).forEach(v -> smaller.add(v.asDocument()));
            }
            values(value).forEach(v -> {
                BsonDocument changed = new BsonDocument();
                document.forEach((n, old) -> changed.append(n, n.equals(name) ? v : old));
                smaller.add(changed);
            });
        }
        return smaller;
    }

    private static List<? extends BsonValue> values(BsonValue value) {
        if (value.isDocument()) {
            return documents(value.asDocument());
        }
        List<BsonValue> smaller = new ArrayList<>();
        for (int i = 0; value.isArray() && i < value.asArray().size(); i++) {
            if (value.asArray().size() > 1) {
                smaller.add(new BsonArray(without(value.asArray(), i)));
            }
            for (BsonValue member : values(value.asArray().get(i))) {
                BsonArray changed = new BsonArray(value.asArray());
                changed.set(i, member);
                smaller.add(changed);
            }
        }
        return smaller;
    }
}
