package io.scatterguard.proxy.config;

import org.jspecify.annotations.Nullable;

/**
 * What makes a collection a time-series collection, as given to {@code create}.
 *
 * @param timeField the field with the time
 * @param metaField the field with what does not change within a series; null for none
 * @param granularity seconds, minutes or hours; null where the two numbers are given, or for seconds
 * @param bucketMaxSpanSeconds null where the granularity decides
 * @param bucketRoundingSeconds null where the granularity decides
 */
public record TimeseriesRule(
        String timeField,
        @Nullable String metaField,
        @Nullable String granularity,
        @Nullable Integer bucketMaxSpanSeconds,
        @Nullable Integer bucketRoundingSeconds) {
    public TimeseriesRule {
        new Requirements()
                .line("timeField", timeField)
                .line("metaField", metaField)
                .check();
    }
}
