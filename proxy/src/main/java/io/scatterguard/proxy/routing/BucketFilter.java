package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.Expression;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * Translates a filter on measurements to one on their buckets (targeting semantics §14.4): the meta field is renamed, a
 * time becomes a window of the bucket's lowest time, and what stands on other fields says nothing about buckets.
 */
record BucketFilter(TimeseriesFields fields, RouterRelease release) {
    private static final RouterRelease FAILS_ON_META_EXPRESSIONS = new RouterRelease(6, 3);

    /** The filter on buckets. */
    Filter of(Filter filter) {
        Filter translated = translate(filter);
        return translated == null ? Filters.TRUE : translated;
    }

    /** The filter on buckets of a write, for which only the meta field counts. */
    Filter ofMeta(Filter filter) {
        if (filter instanceof And and) {
            return new And(and.members().stream().map(this::ofMeta).toList());
        }
        Filter renamed = onMeta(filter);
        return renamed == null ? Filters.TRUE : renamed;
    }

    private @Nullable Filter translate(Filter filter) {
        if (filter instanceof And and) {
            List<Filter> members = new ArrayList<>(and.members().size());
            for (Filter member : and.members()) {
                Filter translated = translate(member);
                if (translated != null) {
                    members.add(translated);
                }
            }
            return new And(members);
        }
        Filter renamed = onMeta(filter);
        if (renamed != null) {
            return renamed;
        } else if (filter instanceof Or or) {
            return either(or);
        } else if (filter instanceof Compare compare && compare.path().equals(fields.time())) {
            return time(compare.op(), compare.value());
        } else if (filter instanceof In in
                && in.path().equals(fields.time())
                && in.regexes().isEmpty()) {
            return times(in);
        } else if (filter instanceof Filter.Opaque) {
            return Filter.Opaque.UNREADABLE;
        } else if (filter instanceof Filter.Always) {
            return filter;
        }
        return null;
    }

    /** Of use only if every branch can be translated. */
    private @Nullable Filter either(Or or) {
        if (release.equals(FAILS_ON_META_EXPRESSIONS) && !isOnlyMeta(or)) {
            requireNoMetaExpression(or);
        }
        List<Filter> branches = new ArrayList<>(or.members().size());
        for (Filter branch : or.members()) {
            Filter translated = translate(branch);
            if (translated == null) {
                return null;
            }
            branches.add(translated);
        }
        return new Or(branches);
    }

    /**
     * A router of 6.3 fails on an {@code $expr} that is one comparison of the meta field with a constant, where it stands in
     * an {@code $or} that is not on the meta field alone (recorded; {@code bucket_spec.cpp}). Under a collation it does not
     * know it leaves text alone.
     */
    private void requireNoMetaExpression(Filter filter) {
        if (filter instanceof And and
                && and.members().size() == 2
                && and.members().get(0) instanceof Expression) {
            if (and.members().get(1) instanceof Compare compare && fields.metaPath(compare.path()) != null) {
                switch (compare.value().type()) {
                    case DOCUMENT, ARRAY, NULL -> {}
                    case STRING -> throw FilterException.notUnderstood();
                    default -> throw FilterException.metaExpressionInOr();
                }
            }
        } else if (filter instanceof And || filter instanceof Or) {
            Filters.members(filter).forEach(this::requireNoMetaExpression);
        }
    }

    private boolean isOnlyMeta(Filter filter) {
        if (filter instanceof Expression expression) {
            return !expression.everything() && expression.paths().stream().allMatch(p -> fields.metaPath(p) != null);
        }
        return filter.path().isEmpty()
                ? Filters.members(filter).stream().allMatch(this::isOnlyMeta)
                : fields.metaPath(filter.path()) != null;
    }

    /** The filter with its paths renamed if all of it is on the meta field; null otherwise. */
    private @Nullable Filter onMeta(Filter filter) {
        if (filter instanceof Not not) {
            Filter member = onMeta(not.member());
            return member == null ? null : new Not(member);
        } else if (filter instanceof Or or) {
            List<Filter> branches = allOnMeta(or.members());
            return branches == null ? null : new Or(branches);
        } else if (filter instanceof Nor nor) {
            List<Filter> branches = allOnMeta(nor.members());
            return branches == null ? null : new Nor(branches);
        } else if (filter instanceof And and) {
            List<Filter> members = allOnMeta(and.members());
            return members == null ? null : new And(members);
        }
        String bucketPath = fields.metaPath(filter.path());
        return bucketPath == null ? null : Filters.withPath(filter, bucketPath);
    }

    private @Nullable List<Filter> allOnMeta(List<Filter> filters) {
        List<Filter> renamed = new ArrayList<>(filters.size());
        for (Filter filter : filters) {
            Filter one = onMeta(filter);
            if (one == null) {
                return null;
            }
            renamed.add(one);
        }
        return renamed;
    }

    /** A bucket holds at most one span of time after its lowest one. */
    private @Nullable Filter time(Op op, BsonValueView value) {
        if (value.type() != BsonType.DATE_TIME) {
            return null;
        }
        long earliest = saturated(value.int64() - fields.spanMillis(), value.int64());
        BsonValueView spanBefore = BsonValueView.of(new BsonDateTime(earliest));
        return switch (op) {
            case EQ -> new And(List.of(lowest(Op.GTE, spanBefore), lowest(Op.LTE, value)));
            case GT, GTE -> lowest(op, spanBefore);
            case LT, LTE -> lowest(op, value);
        };
    }

    private static long saturated(long difference, long from) {
        return difference > from ? Long.MIN_VALUE : difference;
    }

    private Compare lowest(Op op, BsonValueView value) {
        return new Compare(fields.lowestTimePath(), op, value, false);
    }

    private @Nullable Filter times(In in) {
        List<Filter> branches = new ArrayList<>(in.values().size());
        for (BsonValueView value : in.values()) {
            Filter branch = time(Op.EQ, value);
            if (branch == null) {
                return null;
            }
            branches.add(branch);
        }
        return new Or(branches);
    }
}
