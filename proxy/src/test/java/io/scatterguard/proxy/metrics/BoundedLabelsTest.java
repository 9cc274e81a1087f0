package io.scatterguard.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedLabelsTest {
    private final List<String> made = new ArrayList<>();
    private final BoundedLabels<String> labels = new BoundedLabels<>(2, value -> {
        made.add(value);
        return value + "!";
    });

    @Test
    void theFirstGetTheirOwnAndKeepIt() {
        assertThat(labels.of("a")).isEqualTo("a!");
        assertThat(labels.of("b")).isEqualTo("b!");
        assertThat(labels.of("c")).isEqualTo("other!");
        assertThat(labels.of("a")).isEqualTo("a!");
        assertThat(labels.folded()).isEqualTo(1);
        assertThat(made).containsExactly("other", "a", "b");
    }

    @Test
    void otherItselfTakesNoPlace() {
        assertThat(labels.of("other")).isEqualTo("other!");
        assertThat(labels.of("a")).isEqualTo("a!");
        assertThat(labels.of("b")).isEqualTo("b!");
        assertThat(labels.folded()).isZero();
    }
}
