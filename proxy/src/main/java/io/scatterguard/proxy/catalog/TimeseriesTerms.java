package io.scatterguard.proxy.catalog;

import io.scatterguard.proxy.config.TimeseriesRule;
import java.util.HashMap;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A collection's key and bounds in the terms in which it was sharded. Only a time-series collection's differ: its metadata
 * speaks of the buckets, {@code meta.x} for {@code <metaField>.x} and {@code control.min.t} for {@code <timeField>}
 * (targeting semantics §14.4).
 *
 * @param key with 1 or {@code "hashed"}
 * @param names of each field in the metadata, that in the rule
 * @param rule null for an ordinary collection
 */
record TimeseriesTerms(
        BsonDocument key,
        Map<String, String> names,
        @Nullable TimeseriesRule rule) {
    private static final String META = "meta";
    private static final String TIME = "control.min.";

    /** @throws IllegalArgumentException if its time-series options cannot be understood */
    static TimeseriesTerms of(CollectionInfo info) {
        TimeseriesRule rule = rule(info.timeseriesFields());
        BsonDocument key = new BsonDocument();
        Map<String, String> names = new HashMap<>();
        for (ShardKey.Field field : info.shardKey().fields()) {
            String name = rule == null || info.unsplittable() ? field.path() : userPath(field.path(), rule);
            names.put(field.path(), name);
            key.append(name, field.hashed() ? new BsonString("hashed") : new BsonInt32(1));
        }
        return new TimeseriesTerms(key, names, rule);
    }

    private static String userPath(String path, TimeseriesRule rule) {
        if (path.equals(TIME + rule.timeField())) {
            return rule.timeField();
        }
        boolean ofMeta = path.equals(META) || path.startsWith(META + ".");
        return rule.metaField() != null && ofMeta ? rule.metaField() + path.substring(META.length()) : path;
    }

    private static @Nullable TimeseriesRule rule(@Nullable BsonDocument fields) {
        if (fields == null) {
            return null;
        }
        String timeField = text(fields, "timeField");
        if (timeField == null) {
            throw new IllegalArgumentException("timeseriesFields.timeField: missing (expected: the name of a field)");
        }
        return new TimeseriesRule(
                timeField,
                text(fields, "metaField"),
                text(fields, "granularity"),
                seconds(fields, "bucketMaxSpanSeconds"),
                seconds(fields, "bucketRoundingSeconds"));
    }

    private static @Nullable String text(BsonDocument fields, String name) {
        BsonValue value = fields.get(name);
        return value != null && value.isString() ? value.asString().getValue() : null;
    }

    private static @Nullable Integer seconds(BsonDocument fields, String name) {
        BsonValue value = fields.get(name);
        return value != null && value.isNumber() ? (Integer) value.asNumber().intValue() : null;
    }

    /** A bound by the names of the rule. */
    BsonDocument bound(BsonDocument bound) {
        if (rule == null) {
            return bound;
        }
        BsonDocument renamed = new BsonDocument();
        bound.forEach((name, value) -> renamed.append(names.getOrDefault(name, name), value));
        return renamed;
    }
}
