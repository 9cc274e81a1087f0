package io.scatterguard.proxy.config;

/**
 * Spans of commands that belong to a trace.
 *
 * @param collector where they go
 * @param queueCapacity how many may wait before further ones are dropped
 */
public record TracingConfig(OtlpEndpoint collector, int queueCapacity) {
    public static final int DEFAULT_QUEUE_CAPACITY = 8192;

    public TracingConfig {
        new Requirements().range("queueCapacity", queueCapacity, 1, 1 << 20).check();
    }
}
