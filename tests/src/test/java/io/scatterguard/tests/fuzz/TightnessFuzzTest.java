package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A prediction is the set of an oracle that shares no code with it. */
class TightnessFuzzTest {
    @Test
    void everyPredictionIsTheOracles() {
        Tally tally =
                FuzzReport.hold("tightness", FuzzSettings.read().run(false), new Tightness(), new KeyRouterUnderTest());
        for (String release : List.of("6.3", "8.0", "9.0")) {
            System.out.printf(
                    "  %s: all of several shards %.1f %%, upper bounds %.1f %%, several answers %.2f %%, left open %.2f %%%n",
                    release,
                    tally.percent(release + " all of several shards", release + " several owners"),
                    tally.percent(release + " upper bounds", release),
                    tally.percent(release + " several answers", release),
                    tally.percent(release + " left open", release));
        }
        assertShares(tally, "6.3", 36, 0.5);
        // The filters of the generator are full of what the simplifier of newer releases may rewrite.
        assertShares(tally, "8.0", 54, 30);
        assertShares(tally, "9.0", 50, 25);
    }

    private static void assertShares(Tally tally, String release, double allShards, double upperBounds) {
        assertThat(tally.percent(release + " all of several shards", release + " several owners"))
                .as("predictions of all shards for %s, in percent", release)
                .isLessThan(allShards);
        assertThat(tally.percent(release + " upper bounds", release))
                .as("upper bounds for %s, in percent", release)
                .isLessThan(upperBounds);
        assertThat(tally.percent(release + " left open", release)
                        + tally.percent(release + " several answers", release))
                .as("cases that the specification leaves open, for %s, in percent", release)
                .isLessThan(3);
    }
}
