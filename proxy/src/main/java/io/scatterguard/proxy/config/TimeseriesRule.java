package io.scatterguard.proxy.config;

import java.util.List;
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
    private static final List<String> GRANULARITIES = List.of("seconds", "minutes", "hours");

    /** A year, as in the server. */
    private static final int MAX_SECONDS = 31_536_000;

    public TimeseriesRule {
        new Requirements()
                .line("timeField", timeField)
                .that(
                        isField(timeField),
                        "timeField",
                        "not a field of the document itself (expected: a name without a dot)")
                .line("metaField", metaField)
                .that(
                        metaField == null || (isField(metaField) && !metaField.equals(timeField)),
                        "metaField",
                        "not another field of the document itself (expected: a name without a dot)")
                .that(
                        granularity == null || GRANULARITIES.contains(granularity),
                        "granularity",
                        Quoting.quoted(String.valueOf(granularity)) + " (expected: " + String.join(" | ", GRANULARITIES)
                                + ")")
                .range("bucketMaxSpanSeconds", orOne(bucketMaxSpanSeconds), 1, MAX_SECONDS)
                .range("bucketRoundingSeconds", orOne(bucketRoundingSeconds), 1, MAX_SECONDS)
                .check();
    }

    private static boolean isField(String name) {
        return name.indexOf('.') < 0 && !name.startsWith("$");
    }

    private static int orOne(@Nullable Integer seconds) {
        return seconds == null ? 1 : seconds;
    }
}
