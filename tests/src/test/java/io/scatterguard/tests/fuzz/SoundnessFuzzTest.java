package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whatever is asked, no document that matches lives on a shard that is not predicted. */
class SoundnessFuzzTest {
    /** Of the cases; only these can fail. */
    private static final double MATCHED_PERCENT = 25;

    @Test
    void everyMatchingDocumentLivesOnAPredictedShard() {
        FuzzRun run = FuzzSettings.read().run(true);
        Tally tally = FuzzReport.hold("soundness", run, new Soundness(), new KeyRouterUnderTest());
        assertThat(tally.of("cases")).isGreaterThanOrEqualTo(run.cases());
        assertThat(tally.percent("cases with a match", "cases")).isGreaterThan(MATCHED_PERCENT);
    }
}
