package io.scatterguard.testing.samples;

import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardUri;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests for a run in which everything may be at the same time. */
public final class ParallelSamples {
    /** How many tests in front of the proxy run now. */
    private static final AtomicInteger NOW = new AtomicInteger();

    private static final AtomicInteger MOST = new AtomicInteger();
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    private ParallelSamples() {}

    /** The most that ever did. */
    public static int mostAtOnce() {
        return MOST.get();
    }

    private static void run(String uri, String field) {
        MOST.accumulateAndGet(NOW.incrementAndGet(), Math::max);
        try (Orders orders = new Orders(uri)) {
            orders.ofCustomer(1);
            orders.find(field, 1);
        } finally {
            NOW.decrementAndGet();
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    static class Left {
        @ParameterizedTest
        @ValueSource(strings = {"customerId", "left1", "left2", "left3"})
        void find(String field, @ScatterguardUri String uri) {
            run(uri, field);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    static class Right {
        @ParameterizedTest
        @ValueSource(strings = {"right1", "customerId", "right2", "right3"})
        void find(String field, @ScatterguardUri String uri) {
            run(uri, field);
        }
    }

    static class OnMethods {
        @Test
        @Scatterguard(rules = "orders-rules.yaml")
        void one(@ScatterguardUri String uri) {
            run(uri, "method1");
        }

        @Test
        @Scatterguard(rules = "orders-rules.yaml")
        void two(@ScatterguardUri String uri) {
            run(uri, "method2");
        }
    }

    /** Neither ends before the other one runs, too. */
    static class Others {
        @Test
        void one() throws Exception {
            meet();
        }

        @Test
        void two() throws Exception {
            meet();
        }

        private static void meet() throws InterruptedException, BrokenBarrierException, TimeoutException {
            BOTH.await(60, TimeUnit.SECONDS);
        }
    }
}
