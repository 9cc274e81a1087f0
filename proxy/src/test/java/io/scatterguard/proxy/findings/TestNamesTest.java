package io.scatterguard.proxy.findings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestNamesTest {
    @Test
    void theCommentNamesTests() {
        assertThat(TestNames.of("route:/orders test:OrdersTest#find", "shop")).isEqualTo(List.of("OrdersTest#find"));
        assertThat(TestNames.of("test:a test:b", null)).isEqualTo(List.of("a", "b"));
    }

    @Test
    void elseTheApplicationDoes() {
        assertThat(TestNames.of(null, "shop test:OrdersTest")).isEqualTo(List.of("OrdersTest"));
        assertThat(TestNames.of("route:/orders", "test:OrdersTest")).isEqualTo(List.of("OrdersTest"));
        assertThat(TestNames.of("test:first", "test:second"))
                .as("the comment is nearer to the command")
                .isEqualTo(List.of("first"));
    }

    @Test
    void nothingElseIsATest() {
        assertThat(TestNames.of("latest:1 test: contest:x", "protest:y")).isEmpty();
        assertThat(TestNames.of(null, null)).isEmpty();
    }
}
