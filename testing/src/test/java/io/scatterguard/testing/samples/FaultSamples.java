package io.scatterguard.testing.samples;

import io.scatterguard.testing.FaultyProxy;
import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardProxy;
import io.scatterguard.testing.ScatterguardUri;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What must not lose a finding. */
public final class FaultSamples {
    private static final AtomicInteger STILL_INTERRUPTED = new AtomicInteger();

    private FaultSamples() {}

    /** How many tests so far were still interrupted when the extension was done. */
    public static int stillInterrupted() {
        return STILL_INTERRUPTED.get();
    }

    private static void find(String uri, String field) {
        try (Orders orders = new Orders(uri)) {
            orders.find(field, 1);
        }
    }

    @ExtendWith(FaultyProxy.class)
    @Scatterguard(rules = "orders-rules.yaml")
    static class FaultyAndBroadcasting {
        @BeforeAll
        static void fill(@ScatterguardUri String uri) {
            find(uri, "fixture");
        }

        @Test
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }
    }

    @ExtendWith(FaultyProxy.class)
    static class FaultyOnMethods {
        @Test
        @Scatterguard(rules = "orders-rules.yaml")
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }

        @Test
        @Scatterguard(rules = "orders-rules.yaml")
        void broadcasts(@ScatterguardUri String uri) {
            find(uri, "status");
        }
    }

    @ExtendWith(Interruption.class)
    @Scatterguard(rules = "orders-rules.yaml")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Interrupted {
        @Test
        @Order(1)
        void broadcastsAndIsInterrupted(@ScatterguardUri String uri) {
            find(uri, "status");
            Thread.currentThread().interrupt();
        }

        @Test
        @Order(2)
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }
    }

    /** Comes after the extension, since it stands before it. */
    static final class Interruption implements AfterEachCallback {
        @Override
        public void afterEach(ExtensionContext context) {
            if (Thread.interrupted()) {
                STILL_INTERRUPTED.incrementAndGet();
            }
        }
    }

    @ExtendWith(Late.class)
    @Scatterguard(rules = "orders-rules.yaml")
    static class BroadcastAfterwards {
        @Test
        void clean(@ScatterguardUri String uri) {
            find(uri, "customerId");
        }
    }

    /** Likewise. */
    static final class Late implements AfterAllCallback {
        @Override
        public void afterAll(ExtensionContext context) {
            find(ScatterguardProxy.current().uri(), "late");
        }
    }
}
