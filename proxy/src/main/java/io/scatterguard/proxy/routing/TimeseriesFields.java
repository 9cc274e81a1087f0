package io.scatterguard.proxy.routing;

import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * How measurements of a time-series collection go into buckets (targeting semantics §14.4).
 *
 * @param time the time field of a measurement
 * @param meta its meta field; null if it has none
 * @param spanMillis the longest time that a bucket holds after its lowest one
 * @param roundingMillis to what a bucket's lowest time is rounded down
 */
record TimeseriesFields(String time, @Nullable String meta, long spanMillis, long roundingMillis) {
    private static final long SECOND = 1000;

    static TimeseriesFields of(BsonDocument fields) {
        long spanSeconds;
        long roundingSeconds;
        switch (text(fields, "granularity", "seconds")) {
            case "minutes" -> {
                spanSeconds = 86_400;
                roundingSeconds = 3600;
            }
            case "hours" -> {
                spanSeconds = 30 * 86_400;
                roundingSeconds = 86_400;
            }
            default -> {
                spanSeconds = 3600;
                roundingSeconds = 60;
            }
        }
        String meta = text(fields, "metaField", "");
        return new TimeseriesFields(
                text(fields, "timeField", ""),
                meta.isEmpty() ? null : meta,
                number(fields, "bucketMaxSpanSeconds", spanSeconds) * SECOND,
                Math.max(1, number(fields, "bucketRoundingSeconds", roundingSeconds)) * SECOND);
    }

    private static String text(BsonDocument fields, String name, String otherwise) {
        BsonValue value = fields.get(name);
        return value instanceof BsonString string ? string.getValue() : otherwise;
    }

    private static long number(BsonDocument fields, String name, long otherwise) {
        BsonValue value = fields.get(name);
        return value instanceof BsonNumber number ? number.longValue() : otherwise;
    }

    /** The bucket's path for a path of the meta field; null for any other path. */
    @Nullable String metaPath(String path) {
        return meta == null ? null : renamed(path, meta, "meta");
    }

    /** The measurement's path for a bucket's path of the meta field; null for any other path. */
    @Nullable String measurementPath(String bucketPath) {
        return meta == null ? null : renamed(bucketPath, "meta", meta);
    }

    private static @Nullable String renamed(String path, String from, String to) {
        if (path.equals(from)) {
            return to;
        }
        return path.startsWith(from + ".") ? to + path.substring(from.length()) : null;
    }

    /** The path of a bucket's lowest time. */
    String lowestTimePath() {
        return "control.min." + time;
    }

    /** As {@link #rounded}, away from 1970 for a time before it. */
    long roundedDown(long millis) {
        return millis - Math.floorMod(millis, roundingMillis);
    }

    /** A time as the lowest time of its bucket, in milliseconds. */
    long rounded(long millis) {
        return millis - millis % roundingMillis;
    }
}
