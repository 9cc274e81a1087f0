package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.catalog.ShardKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Routes the statements that write measurements of a time-series collection whose buckets are sharded (targeting semantics
 * §14.4, addendum §A.6).
 *
 * @param translation of a filter on measurements to one on buckets
 */
record BucketWrites(
        RoutingContext context, ShardedCollection buckets, TimeseriesFields fields, BucketFilter translation) {

    static BucketWrites on(ShardedCollection buckets, RoutingContext context) {
        BucketFilter translation = BucketRouting.translation(buckets);
        return new BucketWrites(context, buckets, translation.fields(), translation);
    }

    /** To the shard of its bucket's key; where two keys are possible and lie apart, to one of them. */
    StatementRoute insert(BsonView measurement) {
        BsonValueView time = DocumentKey.at(measurement, fields.time());
        if (time == null || time.type() != BsonType.DATE_TIME) {
            return buckets.read(Target.ofError(PredictedError.NO_TIME_VALUE));
        }
        // Since 7.3 or 8.0 the fields of a document are sorted; before 1970, rounding may go either way.
        boolean sorts = buckets.release().atLeast(7, 0);
        boolean sortedPerhaps = sorts && !buckets.release().atLeast(8, 0);
        BsonDocument key = key(measurement, time.int64(), sorts, false);
        if (key == null) {
            return buckets.read(InsertRouting.somewhere(buckets));
        }
        Target target = stored(key);
        target = sortedPerhaps ? either(target, key, key(measurement, time.int64(), false, false)) : target;
        target = time.int64() < 0 ? either(target, key, key(measurement, time.int64(), sorts, true)) : target;
        return buckets.read(target);
    }

    private Target stored(BsonDocument key) {
        return buckets.storedFlat(BsonView.encode(key));
    }

    /** The target of {@code key}, unless {@code other}, which it may be instead, lies apart or may do so. */
    private Target either(Target target, BsonDocument key, @Nullable BsonDocument other) {
        // Documents are equal whatever the order of their fields is, but not as text.
        if (other == null || key.toString().equals(other.toString())) {
            return target;
        }
        boolean together = target.shards().equals(stored(other).shards());
        return together && (buckets.boundsKnown() || target.isError()) ? target : InsertRouting.somewhere(buckets);
    }

    /** The key of the bucket of a measurement, under the paths of its fields; null if a field is not known. */
    private @Nullable BsonDocument key(BsonView measurement, long time, boolean sorted, boolean below) {
        BsonDocument key = new BsonDocument();
        for (ShardKey.Field field : buckets.key().fields()) {
            String path = fields.measurementPath(field.path());
            if (path != null) {
                BsonValueView value = DocumentKey.at(measurement, path);
                if (value != null) {
                    key.put(field.path(), sorted ? sorted(value.toBsonValue()) : value.toBsonValue());
                }
            } else if (field.path().equals(fields.lowestTimePath())) {
                key.put(field.path(), new BsonDateTime(below ? fields.roundedDown(time) : fields.rounded(time)));
            } else {
                return null;
            }
        }
        return key;
    }

    /** The fields of documents in the order of their names, at every level. */
    private static BsonValue sorted(BsonValue value) {
        if (value.isDocument()) {
            TreeMap<String, BsonValue> byName = new TreeMap<>(BucketWrites::compareBytes);
            byName.putAll(value.asDocument());
            BsonDocument sorted = new BsonDocument();
            byName.forEach((name, member) -> sorted.put(name, sorted(member)));
            return sorted;
        }
        return value.isArray()
                ? new BsonArray(
                        value.asArray().stream().map(BucketWrites::sorted).toList())
                : value;
    }

    private static int compareBytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    StatementRoute update(BsonView statement) {
        return DuplicateFields.inStatement(statement)
                ? buckets.ambiguousWrite()
                : update(UpdateStatement.of(statement), statement);
    }

    /**
     * Before 7.0 only multi writes on the meta field. Since then more can be possible, which depends on the cluster's
     * features: one document, an upsert.
     *
     * @param options where the collation stands
     */
    StatementRoute update(UpdateStatement update, BsonView options) {
        if (update.multi() && !update.upsert()) {
            // What is handed to the primary is so before anything else is looked at.
            boolean retryable = context.command().get("txnNumber") != null && !buckets.coordinatesMultiWrites();
            return retryable && buckets.release().atLeast(7, 0)
                    ? retryable(update.filter(), options)
                    : multi(update.filter(), options);
        }
        if (!buckets.release().atLeast(7, 0)) {
            return buckets.read(Target.ofError(PredictedError.INVALID_OPTIONS));
        }
        return update.multi() ? buckets.upperBoundWrite() : one(update.filter(), options);
    }

    StatementRoute delete(BsonView statement) {
        return DuplicateFields.inStatement(statement)
                ? buckets.ambiguousWrite()
                : delete(statement.get("q"), UpdateStatement.isSet(statement, "limit"), statement);
    }

    /** @param one whether at most one document is deleted */
    StatementRoute delete(@Nullable BsonValueView q, boolean one, BsonView options) {
        if (!one) {
            return multi(q, options);
        }
        return buckets.release().atLeast(7, 0)
                ? one(q, options)
                : buckets.read(Target.ofError(PredictedError.ILLEGAL_OPERATION));
    }

    StatementRoute findAndModify(BsonView command, boolean explained) {
        if (!buckets.release().atLeast(7, 0)) {
            return buckets.upperBoundWrite();
        }
        BsonValueView sort = command.get("sort");
        boolean sorts = sort != null && sort.isDocument() && !sort.document().isEmpty();
        return sorts && buckets.release().atLeast(9, 0) && !explained
                ? buckets.read(Target.ofError(PredictedError.INVALID_OPTIONS))
                : one(command.get("query"), command);
    }

    /** The two phases of a write of one document, never a broadcast: no {@code _id} of a measurement is exact. */
    private StatementRoute one(@Nullable BsonValueView filter, BsonView options) {
        try {
            return buckets.read(target(translation.of(raw(filter)), options).perhaps());
        } catch (FilterException e) {
            return buckets.read(buckets.failed(e));
        }
    }

    /** In 9.0 it runs in a transaction of its own, and so goes to no other shard; before, that is not settled. */
    private StatementRoute retryable(@Nullable BsonValueView filter, BsonView options) {
        try {
            Target target = multiTarget(raw(filter), options);
            return buckets.release().atLeast(9, 0) ? buckets.read(target) : buckets.write(target.perhaps());
        } catch (FilterException e) {
            return buckets.write(buckets.failed(e));
        }
    }

    private StatementRoute multi(@Nullable BsonValueView filter, BsonView options) {
        try {
            Filter raw = raw(filter);
            return buckets.release().atLeast(7, 0)
                    ? buckets.writeMulti(multiTarget(raw, options))
                    : buckets.write(target(translation.ofMeta(raw), options));
        } catch (FilterException e) {
            return buckets.write(buckets.failed(e));
        }
    }

    /** Whether the time counts besides the meta field depends on the release and on the cluster's features. */
    private Target multiTarget(Filter raw, BsonView options) {
        Target byMeta = target(translation.ofMeta(raw), options);
        Target byBoth = target(translation.of(raw), options);
        if (byMeta.isError()) {
            return byBoth;
        }
        if (byMeta.shape() != byBoth.shape()) {
            return Target.upperBound(buckets.owning());
        }
        return reachTheSame(byMeta, byBoth) ? byBoth : byBoth.perhapsAlso(buckets.owning());
    }

    /** Where nobody knows the chunk bounds, two targets are only known to have the same shards if they have the same bounds. */
    private boolean reachTheSame(Target a, Target b) {
        boolean anyBounds = buckets.boundsKnown() || a.shape() == Shape.SCATTER_GATHER;
        boolean sameBounds = a.pointFields() == b.pointFields() && a.rangeFields() == b.rangeFields();
        return a.shards().equals(b.shards()) && (anyBounds || sameBounds);
    }

    private Filter raw(@Nullable BsonValueView filter) {
        return filter != null && filter.isDocument() ? buckets.parseRaw(filter.document()) : Filters.TRUE;
    }

    private Target target(Filter translated, BsonView options) {
        try {
            Filter normal = FilterNormalizer.normalize(translated, context.release(), context.budget());
            return buckets.target(normal, buckets.collation(options));
        } catch (FilterException e) {
            return buckets.failed(e);
        }
    }
}
