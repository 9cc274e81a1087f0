package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Property.Violation;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a property over random cases. A seed determines every case: those of one batch share a collection, and a batch is
 * made from the seed and its number alone.
 *
 * @param proven whether only filters and values are made that {@link Matcher} may judge
 */
record FuzzRun(long seed, int cases, boolean proven) {
    private static final int BATCH = 50;
    private static final int DOCUMENTS = 5;
    private static final List<List<String>> RELEASES = List.of(List.of("6.3", "8.0"), List.of("6.3", "9.0"));

    /** A case that violates the property, and how. */
    record Counterexample(FuzzCase c, Violation violation) {}

    /** The counterexample of the lowest batch, as it was found. */
    Optional<Counterexample> search(Property property, RouterUnderTest router, Tally tally) {
        return IntStream.range(0, (cases + BATCH - 1) / BATCH)
                .parallel()
                .mapToObj(batch -> batch(batch, property, router, tally))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private @Nullable Counterexample batch(int number, Property property, RouterUnderTest router, Tally tally) {
        Dice dice = new Dice(seed, number);
        LayoutGenerator layouts = new LayoutGenerator(dice);
        Layout layout = layouts.layout(proven, LayoutGenerator.collation(dice));
        FilterGenerator filters = new FilterGenerator(dice, layout, layouts.values(), proven);
        DocumentGenerator documents = new DocumentGenerator(dice, layout, layouts.values());
        for (int i = 0; i < BATCH; i++) {
            FuzzCase c = new FuzzCase(
                    layout, filters.filter(), LayoutGenerator.collation(dice), List.of(), RELEASES.get(i % 2));
            while (proven && !MatcherDomain.covers(c)) {
                c = c.with(filters.filter());
            }
            c = proven ? c.with(documents.documents(c.filter(), DOCUMENTS)) : c;
            Optional<Violation> violation = check(c, property, router, tally);
            if (violation.isPresent()) {
                return new Counterexample(c, violation.get());
            }
        }
        return null;
    }

    /** What is thrown is a violation as well. */
    static Optional<Violation> check(FuzzCase c, Property property, RouterUnderTest router, Tally tally) {
        try {
            return property.violation(c, router, tally);
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(new VectorLine(c, "?", c.layout().owning(), "threw " + e).toString(), e);
        }
    }
}
