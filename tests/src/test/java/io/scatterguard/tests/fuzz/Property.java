package io.scatterguard.tests.fuzz;

import java.util.Optional;
import java.util.Set;

/** What must hold of every case. */
interface Property {
    /**
     * A case for which it does not hold.
     *
     * @param expected the shards that are right, for a vector
     */
    record Violation(String release, Set<String> expected, String detail) {}

    Optional<Violation> violation(FuzzCase c, RouterUnderTest router, Tally tally);
}
