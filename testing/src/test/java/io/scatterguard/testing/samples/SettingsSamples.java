package io.scatterguard.testing.samples;

import com.mongodb.MongoCommandException;
import io.scatterguard.testing.FailOn;
import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardUri;
import org.junit.jupiter.api.Test;

/** One broadcast, by different settings. */
public final class SettingsSamples {
    private SettingsSamples() {}

    @Scatterguard(rules = "orders-rules.yaml", baseline = "target/sample-baseline.yaml")
    static class Known {
        @Test
        void broadcasts(@ScatterguardUri String uri) {
            byStatus(uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", baseline = "target/sample-baseline.yaml", failOn = FailOn.ANY)
    static class KnownAndFailing {
        @Test
        void broadcasts(@ScatterguardUri String uri) {
            byStatus(uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", failOn = FailOn.NONE)
    static class Lenient {
        @Test
        void broadcasts(@ScatterguardUri String uri) {
            byStatus(uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", enforce = true, failOn = FailOn.NONE)
    static class Enforcing {
        @Test
        void isRefused(@ScatterguardUri String uri) {
            try {
                byStatus(uri);
            } catch (MongoCommandException e) {
                if (e.getErrorCode() == 61001) {
                    return;
                }
                throw e;
            }
            throw new AssertionError("not refused");
        }
    }

    @Scatterguard(rules = "no-such-rules.yaml")
    static class NoRules {
        @Test
        void neverRuns(@ScatterguardUri String uri) {
            byStatus(uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", upstream = "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100")
    static class NoDatabase {
        @Test
        void neverRuns(@ScatterguardUri String uri) {
            byStatus(uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", upstream = "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100")
    static class NoDatabaseEither {
        @Test
        void neverRuns(@ScatterguardUri String uri) {
            byStatus(uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    static class WithoutRule {
        @Test
        void readsSettings(@ScatterguardUri String uri) {
            try (Orders orders = new Orders(uri)) {
                orders.settings();
            }
        }
    }

    @Scatterguard(rules = "orders-rules.yaml")
    static class NotConnected {
        @Test
        void asksNothing() {}
    }

    private static void byStatus(String uri) {
        try (Orders orders = new Orders(uri)) {
            orders.byStatus("open");
        }
    }
}
