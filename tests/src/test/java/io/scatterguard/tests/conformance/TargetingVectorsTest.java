package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.conformance.TargetingVector.Outcome;
import io.scatterguard.tests.conformance.TargetingVector.Result;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every targeting vector: the predicted set is the expected one, or is marked as an upper bound and contains it. */
class TargetingVectorsTest {
    private static final double REQUIRED_EXACT = 0.95;

    @TestFactory
    Stream<DynamicTest> isExactOrAnUpperBound() {
        return TargetingVector.all().stream()
                .map(v -> DynamicTest.dynamicTest(v.toString(), () -> {
                    Result result = v.result();
                    assertThat(result.outcome()).as(result.detail()).isNotEqualTo(Outcome.WRONG);
                }));
    }

    @Test
    void nearlyAllOfRelease63AreExact() {
        List<TargetingVector> vectors = TargetingVector.all().stream()
                .filter(TargetingVector::holdsFor63)
                .toList();
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        for (TargetingVector vector : vectors) {
            counts.merge(vector.result().outcome(), 1, Integer::sum);
        }
        int exact = counts.getOrDefault(Outcome.EXACT, 0);
        System.out.println("targeting vectors of 6.3: " + vectors.size() + " " + counts);
        assertThat(exact).as("exact of %s", counts).isGreaterThanOrEqualTo((int) (REQUIRED_EXACT * vectors.size()));
    }
}
