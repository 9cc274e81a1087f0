package io.scatterguard.testing.samples;

import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardUri;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Most of what a test may do. */
@Scatterguard(rules = "orders-rules.yaml")
public class OrdersSample {
    private Orders orders;

    @BeforeEach
    void open(@ScatterguardUri String uri) {
        orders = new Orders(uri);
    }

    @AfterEach
    void close() {
        orders.close();
    }

    @Test
    void clean() {
        orders.ofCustomer(1);
    }

    @Test
    void broadcasts() {
        orders.byStatus("secret-value");
        orders.byStatus("secret-value");
        orders.ofCustomer(1);
    }

    @Test
    void failsByItself() {
        orders.find("country", "fr");
        Assertions.fail("of its own");
    }

    @Test
    void failsByItselfAndIsClean() {
        orders.ofCustomer(2);
        Assertions.fail("of its own, clean");
    }

    @ParameterizedTest(name = "invocation {index}")
    @ValueSource(strings = {"customerId", "city"})
    void byField(String field) {
        orders.find(field, "x");
    }

    /** What an {@code @AfterEach} sends is the test's. */
    static final class CleaningUp extends OrdersSample {
        @AfterEach
        void cleanUp(@ScatterguardUri String uri) {
            try (Orders own = new Orders(uri)) {
                own.find("temporary", true);
            }
        }
    }
}
