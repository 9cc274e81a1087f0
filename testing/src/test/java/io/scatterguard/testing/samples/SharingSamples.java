package io.scatterguard.testing.samples;

import io.scatterguard.testing.Scatterguard;
import io.scatterguard.testing.ScatterguardUri;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Classes that tell the address of their proxy. */
public final class SharingSamples {
    /** By the simple name of the class. */
    public static final Map<String, String> URIS = new ConcurrentHashMap<>();

    private SharingSamples() {}

    @Scatterguard(rules = "orders-rules.yaml")
    static class One {
        @Test
        void tells(@ScatterguardUri String uri) {
            URIS.put("One", uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", database = "shop")
    static class Equal {
        @Test
        void tells(@ScatterguardUri String uri) {
            URIS.put("Equal", uri);
        }
    }

    @Scatterguard(rules = "orders-rules.yaml", routerVersion = "6.0")
    static class Other {
        @Test
        void tells(@ScatterguardUri String uri) {
            URIS.put("Other", uri);
        }
    }
}
