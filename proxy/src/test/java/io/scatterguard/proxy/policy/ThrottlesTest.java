package io.scatterguard.proxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.RateConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ThrottlesTest {
    private static final Instant NOW = Instant.parse("2026-12-15T12:00:00Z");
    private static final RateConfig TEN_A_SECOND = new RateConfig(10, Duration.ofSeconds(1));

    private static int admitted(Throttles throttles, String shape, int times, Instant now) {
        int admitted = 0;
        for (int i = 0; i < times; i++) {
            admitted += throttles.admits("r", shape, TEN_A_SECOND, now) ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void aBucketHoldsOnePeriodAndRefillsWithTime() {
        Throttles throttles = new Throttles();

        assertThat(admitted(throttles, "a", 25, NOW)).isEqualTo(10);
        assertThat(admitted(throttles, "a", 25, NOW.plusMillis(99))).isZero();
        assertThat(admitted(throttles, "a", 25, NOW.plusMillis(100))).isEqualTo(1);
        assertThat(admitted(throttles, "a", 25, NOW.plusMillis(600))).isEqualTo(5);
        assertThat(admitted(throttles, "a", 25, NOW.plusSeconds(3_600))).isEqualTo(10);
    }

    @Test
    void aLongPeriodRefillsAsEvenly() {
        Throttles throttles = new Throttles();
        RateConfig sixtyAnHour = new RateConfig(60, Duration.ofHours(1));
        for (int i = 0; i < 60; i++) {
            assertThat(throttles.admits("r", "a", sixtyAnHour, NOW)).isTrue();
        }

        assertThat(throttles.admits("r", "a", sixtyAnHour, NOW.plusSeconds(59))).isFalse();
        assertThat(throttles.admits("r", "a", sixtyAnHour, NOW.plusSeconds(61))).isTrue();
        assertThat(throttles.admits("r", "a", sixtyAnHour, NOW.plusSeconds(61))).isFalse();
    }

    @Test
    void rulesAndShapesHaveTheirOwn() {
        Throttles throttles = new Throttles();
        admitted(throttles, "a", 10, NOW);

        assertThat(admitted(throttles, "b", 10, NOW)).isEqualTo(10);
        assertThat(throttles.admits("other", "a", TEN_A_SECOND, NOW)).isTrue();
        assertThat(throttles.size()).isEqualTo(3);
    }

    @Test
    void aClockThatIsSetBackStopsNoRefilling() {
        Throttles throttles = new Throttles();
        admitted(throttles, "a", 10, NOW);

        assertThat(admitted(throttles, "a", 5, NOW.minusSeconds(3_600))).isZero();
        assertThat(admitted(throttles, "a", 5, NOW.minusSeconds(3_599))).isEqualTo(5);
    }

    /** Event loops read the clock each for itself, before they wait for one another. */
    @Test
    void whoComesLateGetsNothingTwice() {
        Throttles throttles = new Throttles();
        admitted(throttles, "a", 10, NOW);
        int admitted = 0;
        for (int i = 1; i <= 100; i++) {
            admitted += admitted(throttles, "a", 1, NOW.plusMillis(i));
            admitted += admitted(throttles, "a", 1, NOW.plusMillis(i - 50));
        }

        assertThat(admitted).isEqualTo(1);
    }

    @Test
    void whatIsOnlyAskedTakesNothingAndMakesNoBucket() {
        Throttles throttles = new Throttles();
        for (int i = 0; i < 20; i++) {
            assertThat(throttles.wouldAdmit("r", "a", TEN_A_SECOND, NOW)).isTrue();
        }
        assertThat(throttles.size()).isZero();
        assertThat(admitted(throttles, "a", 10, NOW)).isEqualTo(10);
        assertThat(throttles.wouldAdmit("r", "a", TEN_A_SECOND, NOW)).isFalse();
        assertThat(throttles.wouldAdmit("r", "a", TEN_A_SECOND, NOW.plusMillis(100)))
                .isTrue();
        assertThat(admitted(throttles, "a", 2, NOW.plusMillis(100))).isOne();
        assertThat(Throttles.exhausted().wouldAdmit("r", "a", TEN_A_SECOND, NOW))
                .isFalse();
    }

    /** As after a reload with another rate. */
    @Test
    void aLowerRateTakesEffectAtOnce() {
        Throttles throttles = new Throttles();
        throttles.admits("r", "a", TEN_A_SECOND, NOW);
        RateConfig two = new RateConfig(2, Duration.ofSeconds(1));

        assertThat(throttles.admits("r", "a", two, NOW)).isTrue();
        assertThat(throttles.admits("r", "a", two, NOW)).isTrue();
        assertThat(throttles.admits("r", "a", two, NOW)).isFalse();
    }

    @Test
    void theTableIsBoundedAndWhatIsUsedStays() {
        Throttles throttles = new Throttles(160);
        admitted(throttles, "busy", 10, NOW);
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            throttles.admits("r", "shape" + i, TEN_A_SECOND, NOW);
            refused += throttles.admits("r", "busy", TEN_A_SECOND, NOW) ? 0 : 1;
        }

        assertThat(refused).isEqualTo(100_000);
        assertThat(throttles.size()).isLessThanOrEqualTo(160).isGreaterThan(100);
        assertThat(throttles.admits("r", "shape0", TEN_A_SECOND, NOW)).isTrue();
        Throttles full = new Throttles();
        for (int i = 0; i < 3 * Throttles.MAX_BUCKETS; i++) {
            full.admits("r", "shape" + i, TEN_A_SECOND, NOW);
        }
        assertThat(full.size()).isLessThanOrEqualTo(Throttles.MAX_BUCKETS);
    }

    @Test
    void oneThatIsExhaustedAdmitsNothing() {
        Throttles exhausted = Throttles.exhausted();

        assertThat(admitted(exhausted, "a", 5, NOW)).isZero();
        assertThat(exhausted.size()).isZero();
    }

    @Test
    void threadsTogetherGetNoMoreThanTheRate() throws Exception {
        Throttles throttles = new Throttles();
        RateConfig thousand = new RateConfig(1_000, Duration.ofHours(1));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> counts = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                counts.add(threads.submit(() -> {
                    int admitted = 0;
                    for (int i = 0; i < 1_000; i++) {
                        admitted += throttles.admits("r", "a", thousand, NOW) ? 1 : 0;
                    }
                    return admitted;
                }));
            }
            int all = 0;
            for (Future<Integer> count : counts) {
                all += count.get();
            }

            assertThat(all).isEqualTo(1_000);
        } finally {
            threads.shutdownNow();
        }
    }
}
