package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private static Allowance until(LocalDate day) {
        return new Allowance("a report", "", day, Set.of());
    }

    @Test
    void itCountsOnItsLastDayAndNotAfter() {
        LocalDate last = LocalDate.of(2026, 12, 31);

        assertThat(until(last).isOver(last)).isFalse();
        assertThat(until(last).isOver(last.plusDays(1))).isTrue();
        assertThat(until(null).isOver(LocalDate.MAX)).isFalse();
    }

    @Test
    void aReasonIsAsked() {
        assertThatThrownBy(() -> new Allowance(" ", "", null, Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@AllowBroadcast.reason: blank");
    }
}
