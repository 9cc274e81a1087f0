package io.scatterguard.proxy.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of a running proxy, and where.
 *
 * @param topNamespaces how many namespaces have a label of their own among the metrics
 * @param push where metrics are sent to; null for nowhere
 * @param tracing where spans are sent to; null for nowhere, and none are made
 * @param health where health and metrics are shown to whoever asks; null for nowhere
 * @param admin where the proxy is looked into and led; null for nowhere
 */
public record ObservationConfig(
        int topNamespaces,
        @Nullable MetricsPushConfig push,
        @Nullable TracingConfig tracing,
        @Nullable Health health,
        @Nullable Admin admin) {
    public static final int DEFAULT_TOP_NAMESPACES = 50;

    /** Metrics are kept, and shown nowhere. */
    public static final ObservationConfig STANDARD =
            new ObservationConfig(DEFAULT_TOP_NAMESPACES, null, null, null, null);

    /**
     * The bind of {@code /livez}, {@code /readyz} and {@code /metrics}, without a token.
     *
     * @param maxCatalogAge from which age of the metadata on the proxy calls itself not ready; null for never
     */
    public record Health(HostAndPort bind, @Nullable Duration maxCatalogAge) {
        private static final Duration LOWEST_AGE = Duration.ofSeconds(1);
        private static final Duration HIGHEST_AGE = Duration.ofDays(365);

        public Health {
            Requirements requirements = new Requirements();
            if (maxCatalogAge != null) {
                requirements.range("maxCatalogAge", maxCatalogAge, LOWEST_AGE, HIGHEST_AGE);
            }
            requirements.check();
        }
    }

    /**
     * The bind of the API.
     *
     * @param token what a request that changes something must show, and where {@code bind} is not a loopback address any that
     *     looks into the proxy; null where nothing can be changed
     */
    public record Admin(HostAndPort bind, @Nullable Secret token) {
        public static final HostAndPort DEFAULT_BIND = new HostAndPort("127.0.0.1", 19_127);

        /** A shorter one could be guessed. */
        public static final int MIN_TOKEN_CHARS = 16;

        static final int MAX_TOKEN_CHARS = 1_000;

        static final String TOKEN_EXPECTED =
                MIN_TOKEN_CHARS + ".." + MAX_TOKEN_CHARS + " visible ASCII characters; best as ${file:path}";

        public Admin {
            new Requirements()
                    .that(
                            token != null || bind.isLoopback(),
                            "token",
                            "missing, and " + bind
                                    + " is no loopback address (expected: a token, or bind 127.0.0.1:port)")
                    .check();
        }

        /** Whether whoever only looks must show the token as well. */
        public boolean guardsReading() {
            return !bind.isLoopback();
        }
    }

    public ObservationConfig {
        new Requirements()
                .range("metrics.topNamespaces", topNamespaces, 0, 1_000)
                .that(
                        health == null
                                || admin == null
                                || health.bind().port() == 0
                                || !health.bind().equals(admin.bind()),
                        "health.bind",
                        "the same as admin.bind (expected: another port; admin shows health and metrics too)")
                .check();
    }
}
