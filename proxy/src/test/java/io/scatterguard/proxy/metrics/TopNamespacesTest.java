package io.scatterguard.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import org.junit.jupiter.api.Test;

class TopNamespacesTest {
    private final TopNamespaces namespaces = new TopNamespaces(4);

    private String label(String namespace) {
        return namespaces.labelOf(Namespace.parse(namespace));
    }

    private void flood(int count) {
        for (int i = 0; i < count; i++) {
            label("flood.c" + i);
        }
    }

    @Test
    void theFirstHalfIsGivenAtOnce() {
        assertThat(label("a.a")).isEqualTo("a.a");
        assertThat(label("b.b")).isEqualTo("b.b");
        assertThat(label("c.c")).isEqualTo("other");
        assertThat(namespaces.folded()).isEqualTo(1);
    }

    @Test
    void whatComesOftenGetsALabelAllTheSame() {
        flood(100_000);
        for (int i = 1; i < TopNamespaces.OFTEN; i++) {
            assertThat(label("shop.orders")).as("time %d", i).isEqualTo("other");
            // Fewer than are remembered: what matters comes again before it is forgotten.
            flood(10);
        }

        assertThat(label("shop.orders")).isEqualTo("shop.orders");
    }

    @Test
    void aLabelOnceGivenStays() {
        label("a.a");
        for (int i = 0; i < 1_000; i++) {
            label("b.b");
            label("c.c");
            label("d.d");
            label("e.e");
        }
        flood(1_000);

        assertThat(label("a.a")).isEqualTo("a.a");
        assertThat(label("d.d")).isEqualTo("d.d");
        assertThat(label("e.e")).as("the fifth of four").isEqualTo("other");
    }

    @Test
    void whatIsRememberedIsBounded() {
        flood(100_000);

        assertThat(namespaces.candidates()).isEqualTo(16);
    }

    @Test
    void aNameThatNoCollectionHasGetsNone() {
        assertThat(label("a." + "x".repeat(TopNamespaces.MAX_CHARS))).isEqualTo("other");
        assertThat(label("a." + "x".repeat(TopNamespaces.MAX_CHARS - 2))).startsWith("a.xxx");
    }

    @Test
    void withoutLabelsAllAreOther() {
        assertThat(new TopNamespaces(0).labelOf(Namespace.parse("a.a"))).isEqualTo("other");
    }
}
