package io.scatterguard.testing.samples;

import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardProxy;
import io.scatterguard.testing.ScatterguardUri;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes that are run several times. */
public final class ParameterizedSamples {
    private ParameterizedSamples() {}

    private static void find(String uri, String field) {
        try (Orders orders = new Orders(uri)) {
            orders.find(field, 1);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    @ParameterizedClass
    @ValueSource(strings = {"customerId", "status"})
    static class BroadcastInATest {
        private final String field;

        BroadcastInATest(String field) {
            this.field = field;
        }

        @Test
        void finds(@ScatterguardUri String uri) {
            find(uri, field);
        }

        @Test
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }

        @Nested
        class Inside {
            @Test
            void findsToo(@ScatterguardUri String uri) {
                find(uri, field);
            }
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    @ParameterizedClass
    @ValueSource(strings = {"a", "b"})
    static class BroadcastBeforeAll {
        BroadcastBeforeAll(String value) {}

        @BeforeAll
        static void fill(@ScatterguardUri String uri) {
            find(uri, "fixture");
        }

        @Test
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    @ParameterizedClass
    @ValueSource(strings = {"a", "b"})
    static class BroadcastBetween {
        BroadcastBetween(String value) {}

        @Test
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }

        @AfterParameterizedClassInvocation
        static void empty() {
            find(ScatterguardProxy.current().uri(), "leftover");
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    @ParameterizedClass
    @ValueSource(strings = {"a", "b"})
    static class NotConnected {
        NotConnected(String value) {}

        @Test
        void asksNothing() {}
    }
}
