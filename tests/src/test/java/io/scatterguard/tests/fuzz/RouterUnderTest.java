package io.scatterguard.tests.fuzz;

import java.util.List;
import java.util.Set;

/** What predicts the shards of a {@link FuzzCase}; may be used by several threads. */
interface RouterUnderTest {
    /**
     * A prediction.
     *
     * @param shards the shards that the command is predicted to reach
     * @param exact whether it is said to reach all of them
     * @param error the error that the router is predicted to answer instead; empty in general
     */
    record Prediction(Set<String> shards, boolean exact, String error) {}

    /** @param releases of the router, for instance {@code 6.3}; as many predictions come back */
    List<Prediction> predict(FuzzCase c, List<String> releases);
}
