package io.scatterguard.testing.samples;

import io.scatterguard.testing.AllowBroadcast;
import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardProxy;
import io.scatterguard.testing.ScatterguardUri;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What runs around tests, and where the annotation may stand. */
public final class LifeCycleSamples {
    private LifeCycleSamples() {}

    private static void find(String uri, String field) {
        try (Orders orders = new Orders(uri)) {
            orders.find(field, 1);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    static class BroadcastBeforeAll {
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
    static class BroadcastAfterAll {
        @Test
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }

        @AfterAll
        static void empty(@ScatterguardUri String uri) {
            find(uri, "leftover");
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    @AllowBroadcast(reason = "fixtures are small")
    static class AllowedBeforeAll {
        @BeforeAll
        static void fill(@ScatterguardUri String uri) {
            find(uri, "fixture");
        }

        @Test
        void clean() {}
    }

    @Scatterguard(rules = "orders-rules.yaml")
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        private final String uri;
        private final String property = System.getProperty("scatterguard.uri");

        OneInstance(@ScatterguardUri String uri) {
            this.uri = uri;
        }

        @Test
        void knowsItFromTheStart() {
            if (!uri.equals(property) || !uri.equals(ScatterguardProxy.current().uri())) {
                throw new AssertionError(uri + " " + property);
            }
            find(uri, "customerId");
        }
    }

    static class OnMethods {
        @Test
        @Scatterguard(rules = "orders-rules.yaml", property = "shop.uri")
        void guarded() {
            find(System.getProperty("shop.uri"), "status");
        }

        @Test
        void notGuarded() {
            if (System.getProperty("shop.uri") != null) {
                throw new AssertionError("the property is still set");
            }
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", database = "outer")
    static class Around {
        @Test
        void outer(@ScatterguardUri String uri) {
            find(uri, "outer");
        }

        @Nested
        class Inside {
            @Test
            void inner(@ScatterguardUri String uri) {
                find(uri, "inner");
            }
        }

        @Nested
        @Scatterguard(database = "inside")
        class WithItsOwn {
            @Test
            void judgedByOtherRules(@ScatterguardUri String uri) {
                if (!uri.endsWith("/inside") || !uri.equals(System.getProperty("scatterguard.uri"))) {
                    throw new AssertionError(uri);
                }
                find(uri, "inner");
            }
        }
    }
}
