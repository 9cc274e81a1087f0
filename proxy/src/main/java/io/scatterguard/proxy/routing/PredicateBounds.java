package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.bson.TypeClass;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.ElemMatchValue;
import io.scatterguard.proxy.routing.Filter.Exists;
import io.scatterguard.proxy.routing.Filter.HasType;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Mod;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Regex;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonRegularExpression;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * The values of a ranged key field that one predicate on it leaves (the table of targeting semantics §6.4). For hashed
 * fields see {@link HashedBounds}.
 *
 * @param collation decides whether operands that hold strings can be used at all (§7)
 */
record PredicateBounds(Collation collation) {

    /** The intervals of {@code predicate}, or null where the predicate cannot be used. */
    @Nullable Intervals of(Filter predicate) {
        if (predicate instanceof Compare compare) {
            return collation.refuses(compare.value()) ? null : comparison(compare);
        } else if (predicate instanceof In in) {
            return collation.refusesAny(in.values()) ? null : in(in);
        } else if (predicate instanceof Regex regex) {
            List<Interval> intervals = new ArrayList<>(2);
            addRegex(regex, intervals);
            return Intervals.union(intervals);
        } else if (predicate instanceof Exists) {
            return Intervals.EVERYTHING;
        } else if (predicate instanceof HasType type) {
            return type(type);
        } else if (predicate instanceof Mod) {
            return Intervals.of(TypeLimits.of(TypeClass.NUMBER));
        } else if (predicate instanceof ElemMatchValue elem) {
            return elemMatch(elem);
        } else if (predicate instanceof Not not) {
            return negation(not.member());
        }
        return null;
    }

    private static Intervals comparison(Compare compare) {
        BsonValueView value = compare.value();
        if (!compare.bracketed()) {
            return unbracketed(compare);
        }
        return switch (compare.op()) {
            case EQ -> equality(value);
            case GT -> above(value, false);
            case GTE -> above(value, true);
            case LT -> below(value, false);
            case LTE -> below(value, true);
        };
    }

    static Intervals equality(BsonValueView value) {
        if (value.type() == BsonType.NULL) {
            return Intervals.NULLISH;
        }
        if (!value.isArray()) {
            return Intervals.point(KeyBytes.of(value));
        }
        BsonValueView first = firstElement(value);
        List<Interval> points = new ArrayList<>(2);
        points.add(Interval.point(KeyBytes.of(first == null ? BsonValueView.UNDEFINED : first)));
        points.add(Interval.point(KeyBytes.of(value)));
        return Intervals.union(points);
    }

    /** {@code $gt} and {@code $gte}: to the upper limit of the operand's class. */
    private static Intervals above(BsonValueView value, boolean included) {
        if (value.type() == BsonType.MIN_KEY) {
            return Intervals.EVERYTHING;
        }
        if (value.isArray()) {
            return aboveArray(value);
        }
        if (isNan(value)) {
            return included ? Intervals.point(TypeLimits.NAN) : Intervals.NONE;
        }
        if (value.type() == BsonType.NULL) {
            return included ? Intervals.NULLISH : Intervals.NONE;
        }
        Interval limits = TypeLimits.of(TypeClass.of(value.type()));
        return Intervals.of(new Interval(KeyBytes.of(value), included, limits.high(), limits.highIncluded()));
    }

    /** {@code $lt} and {@code $lte}: from the lower limit of the operand's class, for numbers from −Infinity. */
    private static Intervals below(BsonValueView value, boolean included) {
        if (value.type() == BsonType.MAX_KEY) {
            return Intervals.EVERYTHING;
        }
        if (value.isArray()) {
            return belowArray(value);
        }
        if (isNan(value)) {
            return included ? Intervals.point(TypeLimits.NAN) : Intervals.NONE;
        }
        if (value.type() == BsonType.NULL) {
            return included ? Intervals.NULLISH : Intervals.NONE;
        }
        byte[] low = value.isNumber()
                ? TypeLimits.MINUS_INFINITY
                : TypeLimits.of(TypeClass.of(value.type())).low();
        return Intervals.of(new Interval(low, true, KeyBytes.of(value), included));
    }

    /** From the first element where its class is below that of arrays, otherwise from the array. */
    private static Intervals aboveArray(BsonValueView array) {
        BsonValueView first = firstElement(array);
        if (first == null) {
            return Intervals.EVERYTHING;
        }
        boolean lower = TypeClass.of(first.type()).compareTo(TypeClass.ARRAY) < 0;
        return Intervals.of(Interval.closed(KeyBytes.of(lower ? first : array), Interval.MAX_KEY));
    }

    private static Intervals belowArray(BsonValueView array) {
        BsonValueView first = firstElement(array);
        boolean higher = first != null && TypeClass.of(first.type()).compareTo(TypeClass.ARRAY) > 0;
        return Intervals.of(Interval.closed(Interval.MIN_KEY, KeyBytes.of(higher && first != null ? first : array)));
    }

    /** Comparisons of {@code $expr}: over all classes. */
    private static Intervals unbracketed(Compare compare) {
        byte[] value = KeyBytes.of(compare.value());
        boolean isNull = compare.value().type() == BsonType.NULL;
        return switch (compare.op()) {
            case EQ -> isNull ? Intervals.NULLISH : Intervals.point(value);
            case GT -> Intervals.of(new Interval(value, false, Interval.MAX_KEY, true));
            case GTE -> Intervals.of(Interval.closed(value, Interval.MAX_KEY));
            case LT -> Intervals.of(new Interval(Interval.MIN_KEY, true, value, isNull));
            case LTE -> Intervals.of(Interval.closed(Interval.MIN_KEY, value));
        };
    }

    private static Intervals in(In in) {
        List<Interval> intervals = new ArrayList<>(in.values().size() + 1);
        for (BsonValueView value : in.values()) {
            if (value.type() == BsonType.NULL || value.isArray()) {
                intervals.addAll(equality(value).list());
            } else {
                intervals.add(Interval.point(KeyBytes.of(value)));
            }
        }
        for (Regex regex : in.regexes()) {
            addRegex(regex, intervals);
        }
        return Intervals.union(intervals);
    }

    /** The strings with the regex's prefix, and the regex itself as a stored value. */
    private static void addRegex(Regex regex, List<Interval> intervals) {
        byte[] prefix = RegexPrefix.of(regex.pattern(), regex.options());
        if (prefix.length == 0) {
            intervals.add(TypeLimits.of(TypeClass.STRING));
        } else {
            byte[] after = prefix.clone();
            after[after.length - 1]++;
            intervals.add(new Interval(KeyBytes.ofUtf8(prefix), true, KeyBytes.ofUtf8(after), false));
        }
        BsonRegularExpression value = new BsonRegularExpression(regex.pattern(), regex.options());
        intervals.add(Interval.point(KeyBytes.of(BsonValueView.of(value))));
    }

    private static Intervals type(HasType type) {
        if (type.array()) {
            return Intervals.EVERYTHING;
        }
        List<Interval> intervals = new ArrayList<>(type.classes().size());
        for (TypeClass typeClass : type.classes()) {
            intervals.add(TypeLimits.of(typeClass));
        }
        return Intervals.union(intervals);
    }

    private @Nullable Intervals elemMatch(ElemMatchValue elem) {
        Intervals common = Intervals.EVERYTHING;
        for (Filter member : elem.members()) {
            Intervals intervals = of(member);
            if (intervals == null) {
                return null;
            }
            common = common.intersect(intervals);
        }
        return common;
    }

    /** The complement, where the router can take it. */
    private @Nullable Intervals negation(Filter member) {
        if (member instanceof Exists) {
            return Intervals.NULL_POINT;
        }
        boolean usable = (member instanceof Compare compare && !compare.value().isArray())
                || (member instanceof In in && in.regexes().isEmpty());
        Intervals intervals = usable ? of(member) : null;
        return intervals == null ? null : intervals.complement();
    }

    private static @Nullable BsonValueView firstElement(BsonValueView array) {
        BsonCursor cursor = array.document().cursor();
        return cursor.next() ? cursor.value() : null;
    }

    private static boolean isNan(BsonValueView value) {
        return (value.type() == BsonType.DOUBLE && Double.isNaN(value.float64()))
                || (value.type() == BsonType.DECIMAL128 && value.decimal128().isNaN());
    }
}
