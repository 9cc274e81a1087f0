package io.scatterguard.proxy.audit;

import java.time.Duration;

/**
 * How an {@link AuditPipeline} works.
 *
 * @param cluster the name of the cluster, on every record
 * @param instance the name of this process, on every record
 * @param recording which commands are recorded
 * @param findings which of the findings get a record where nothing else does
 * @param queueCapacity how many completed records may wait, for each sink, at least 1; what comes beyond is dropped
 * @param closeDeadline how long {@link AuditPipeline#close()} waits for the sinks, and a sink that is there no more is waited for
 * @param values how much of a command's values a record holds
 */
public record AuditSettings(
        String cluster,
        String instance,
        Recording recording,
        Findings findings,
        int queueCapacity,
        Duration closeDeadline,
        Values values) {
    public static final Duration DEFAULT_CLOSE_DEADLINE = Duration.ofSeconds(5);

    public AuditSettings {
        if (queueCapacity < 1) {
            throw new IllegalArgumentException("audit queueCapacity: " + queueCapacity + " (expected: at least 1)");
        }
        if (closeDeadline.isNegative()) {
            throw new IllegalArgumentException("audit closeDeadline: " + closeDeadline + " (expected: not negative)");
        }
    }

    /** Without values. */
    public AuditSettings(
            String cluster,
            String instance,
            Recording recording,
            Findings findings,
            int queueCapacity,
            Duration closeDeadline) {
        this(cluster, instance, recording, findings, queueCapacity, closeDeadline, Values.SHAPE);
    }

    /** How much of a command's values a record holds. */
    public enum Values {
        /** None. */
        SHAPE,
        /** The command as it came, cut where it is long. */
        FULL
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

    /** With {@link Recording#FINDINGS}: which of them get a record of their own. */
    public enum Findings {
        /** Refusals, and the first of each shape and application in an hour; the others are counted. */
        SAMPLED,
        EVERY
    }
}
