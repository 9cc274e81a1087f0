package io.scatterguard.proxy.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded, and where.
 *
 * @param sinks where records go; none if empty
 * @param record which commands get a record
 * @param findings which findings get one, where only findings do
 * @param values how much of a command's values a record holds
 * @param queueCapacity how many records may wait for a sink before further ones are dropped
 */
public record AuditConfig(
        List<SinkConfig> sinks, Recorded record, Findings findings, Values values, int queueCapacity) {
    public static final int DEFAULT_QUEUE_CAPACITY = 8192;

    /** Which commands get a record. */
    public enum Recorded implements Choice {
        /** What was logged, refused or would have been refused. */
        FINDINGS("findings"),
        /** What a router sends to shards. */
        ROUTED("routed"),
        ALL("all");

        private final String text;

        Recorded(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** With {@link Recorded#FINDINGS}: which of them get a record of their own. */
    public enum Findings implements Choice {
        /** Refusals, and the first of each shape and application in an hour; the others are counted. */
        SAMPLED("sampled"),
        EVERY("every");

        private final String text;

        Findings(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** How much of a command's values a record holds. */
    public enum Values implements Choice {
        /** No values: the query's shape. */
        SHAPE("shape"),
        /** The command as it came, cut where it is long. */
        FULL("full");

        private final String text;

        Values(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    public AuditConfig {
        sinks = List.copyOf(sinks);
        new Requirements()
                .range("queueCapacity", queueCapacity, 1, 1 << 20)
                .distinct("sinks", sinks, "path", AuditConfig::fileOf)
                .check();
    }

    /** Two sinks that rotate one file would put aside each other's. */
    private static @Nullable Object fileOf(SinkConfig sink) {
        return sink instanceof SinkConfig.RotatingFile file
                ? file.path().toAbsolutePath().normalize()
                : null;
    }

    /** Findings, without values, on standard output. */
    public static AuditConfig standard() {
        return new AuditConfig(
                List.of(new SinkConfig.Stdout()),
                Recorded.FINDINGS,
                Findings.SAMPLED,
                Values.SHAPE,
                DEFAULT_QUEUE_CAPACITY);
    }
}
