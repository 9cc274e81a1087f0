package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.fail;

import io.scatterguard.tests.fuzz.FuzzRun.Counterexample;
import java.util.Optional;

/** Runs a property, prints what was seen, and fails with a counterexample that is shrunk to a vector. */
final class FuzzReport {
    private FuzzReport() {}

    static Tally hold(String name, FuzzRun run, Property property, RouterUnderTest router) {
        Tally tally = new Tally();
        long start = System.nanoTime();
        Optional<Counterexample> found = run.search(property, router, tally);
        System.out.printf(
                "%s: seed %d, %,d cases in %d s, %s%n",
                name, run.seed(), run.cases(), (System.nanoTime() - start) / 1_000_000_000, tally);
        if (found.isPresent()) {
            Counterexample smallest = new Shrinker(property, router).shrink(found.get());
            fail(
                    "%s fails with -Dscatterguard.fuzz.seed=%d: %s%nas a vector:%n%s",
                    name, run.seed(), smallest.violation().detail(), vector(smallest));
        }
        return tally;
    }

    static VectorLine vector(Counterexample found) {
        return new VectorLine(
                found.c(),
                found.violation().release(),
                found.violation().expected(),
                found.violation().detail());
    }
}
