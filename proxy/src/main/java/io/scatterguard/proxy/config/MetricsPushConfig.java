package io.scatterguard.proxy.config;

import java.time.Duration;

/**
 * Metrics that are sent to an OpenTelemetry collector, besides being shown to whoever asks.
 *
 * @param collector where they go
 * @param every how long from one request to the next
 */
public record MetricsPushConfig(OtlpEndpoint collector, Duration every) {
    public static final Duration DEFAULT_EVERY = Duration.ofSeconds(60);

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    public MetricsPushConfig {
        new Requirements().range("every", every, SHORTEST, LONGEST).check();
    }
}
