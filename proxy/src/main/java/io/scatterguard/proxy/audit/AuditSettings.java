package io.scatterguard.proxy.audit;

import java.time.Duration;

/**
 * How an {@link AuditPipeline} works.
 *
 * @param cluster the name of the cluster, on every record
 * @param instance the name of this process, on every record
 * @param recording which commands are recorded
 * @param queueCapacity how many completed records may wait for the sinks, at least 1; what comes beyond is dropped
 * @param closeDeadline how long {@link AuditPipeline#close()} waits for the sinks
 */
public record AuditSettings(
        String cluster, String instance, Recording recording, int queueCapacity, Duration closeDeadline) {
    /** Ample for a burst; a waiting record takes about 1 KiB, and some 50 KiB at most. */
    public static final int DEFAULT_QUEUE_CAPACITY = 8_192;

    public static final Duration DEFAULT_CLOSE_DEADLINE = Duration.ofSeconds(5);

    public AuditSettings {
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("audit queueCapacity: " + queueCapacity + " (expected: at least 1)");
        }
        if (closeDeadline.isNegative()) {
            throw new IllegalArgumentException("audit closeDeadline: " + closeDeadline + " (expected: not negative)");
        }
    }

    /** The settings with the default queue and deadline. */
    public static AuditSettings of(String cluster, String instance, Recording recording) {
        return new AuditSettings(cluster, instance, recording, DEFAULT_QUEUE_CAPACITY, DEFAULT_CLOSE_DEADLINE);
    }

    /** Which commands are recorded; those with credentials never are. */
    public enum Recording {
        /** Those the policy logs, refuses or exempts. */
        FINDINGS,
        /** Those that are routed by a shard key or reach everything by their nature. */
        ROUTED,
        /** All. */
        ALL
    }
}
