package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.Exists;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Op;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** The hashes of a hashed key field that one predicate on it leaves: only equalities can be used (§6.4). */
record HashedBounds(Collation collation) {

    /** The intervals of {@code predicate}, or null where the predicate cannot be used. */
    @Nullable Intervals of(Filter predicate) {
        if (predicate instanceof Compare compare && compare.op() == Op.EQ) {
            return collation.refuses(compare.value()) ? null : Intervals.union(points(List.of(compare.value())));
        } else if (predicate instanceof In in && in.regexes().isEmpty()) {
            return collation.refusesAny(in.values()) ? null : Intervals.union(points(in.values()));
        } else if (predicate instanceof Exists) {
            return Intervals.EVERYTHING;
        } else if (predicate instanceof Not not && not.member() instanceof Exists) {
            return Intervals.point(hashed(BsonValueView.NULL));
        }
        return null;
    }

    private static List<Interval> points(List<BsonValueView> values) {
        List<Interval> points = new ArrayList<>(values.size() + 1);
        for (BsonValueView value : values) {
            if (value.isArray()) {
                points.addAll(PredicateBounds.equality(value).list());
                continue;
            }
            if (value.type() == BsonType.NULL) {
                points.add(Interval.point(hashed(BsonValueView.UNDEFINED)));
            }
            points.add(Interval.point(hashed(value)));
        }
        return points;
    }

    /** The key bytes of a hashed field for {@code value}. */
    static byte[] hashed(BsonValueView value) {
        return new KeyBytes(16).appendInt64(HashedKey.hash(value)).toByteArray();
    }
}
