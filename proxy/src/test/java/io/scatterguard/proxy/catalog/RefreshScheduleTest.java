package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RefreshScheduleTest {
    private static final double MIDDLE = 0.5;

    @Test
    void waitsThePeriodAfterASuccessVariedByTenPercent() {
        Duration period = Duration.ofSeconds(30);

        assertThat(new RefreshSchedule(period, () -> 0).delayAfter(0)).hasSeconds(27);
        assertThat(new RefreshSchedule(period, () -> MIDDLE).delayAfter(0)).hasSeconds(30);
        assertThat(new RefreshSchedule(period, () -> 1).delayAfter(0)).hasSeconds(33);
        assertThat(new RefreshSchedule(period, () -> 1).delayAfter(1)).hasMillis(1100);
    }

    @Test
    void doublesAfterEachFailureUpToFourPeriods() {
        assertThat(delays(Duration.ofSeconds(5), 7)).containsExactly(1L, 2L, 4L, 8L, 16L, 20L, 20L);
    }

    @Test
    void neverBacksOffBeyondAMinuteUnlessThePeriodIsLonger() {
        assertThat(delays(Duration.ofSeconds(30), 8)).endsWith(32L, 60L, 60L);
        assertThat(delays(Duration.ofMinutes(5), 10)).endsWith(256L, 300L);
        assertThat(new RefreshSchedule(Duration.ofMinutes(5), () -> MIDDLE).delayAfter(Integer.MAX_VALUE))
                .hasMinutes(5);
    }

    @Test
    void refusesAPeriodBelowASecond() {
        assertThatThrownBy(() -> new RefreshSchedule(Duration.ofMillis(999), () -> MIDDLE))
                .hasMessage("catalog.refresh: PT0.999S (expected: at least 1s)");
        assertThat(new RefreshSchedule(Duration.ofSeconds(1), () -> MIDDLE).delayAfter(0))
                .hasSeconds(1);
    }

    private static Long[] delays(Duration period, int failures) {
        RefreshSchedule schedule = new RefreshSchedule(period, () -> MIDDLE);
        return IntStream.rangeClosed(1, failures)
                .mapToObj(n -> schedule.delayAfter(n).toSeconds())
                .toArray(Long[]::new);
    }
}
