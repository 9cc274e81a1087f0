package io.scatterguard.tests.fuzz;

import static io.scatterguard.tests.fuzz.Span.EVERYTHING;
import static io.scatterguard.tests.fuzz.Span.MAX;
import static io.scatterguard.tests.fuzz.Span.MIN;

import io.scatterguard.tests.fuzz.Node.Compare;
import io.scatterguard.tests.fuzz.Node.In;
import io.scatterguard.tests.fuzz.Node.Not;
import io.scatterguard.tests.fuzz.Node.Op;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonNull;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The intervals of one predicate on the key field it is about (targeting semantics §6.4); null: the predicate is ignored. */
final class PredicateSpans {
    private static final List<Span> NULLS = List.of(Span.point(new BsonUndefined()), Span.point(BsonNull.VALUE));

    private final boolean simple;
    /** Set when the specification leaves open what a predicate gives. */
    private boolean open;

    /** @param simple whether the effective collation is simple */
    PredicateSpans(boolean simple) {
        this.simple = simple;
    }

    boolean open() {
        return open;
    }

    @Nullable List<Span> of(Node node, boolean hashed) {
        return hashed ? hashed(node) : ranged(node);
    }

    private @Nullable List<Span> ranged(Node node) {
        if (node instanceof Compare compare) {
            return refused(compare.value()) ? null : compare.typed() ? compared(compare) : ofExpr(compare);
        } else if (node instanceof In in) {
            return in(in);
        } else if (node instanceof Node.Regex regex) {
            return RegexSpans.of(regex.regex());
        } else if (node instanceof Node.Exists) {
            return EVERYTHING;
        } else if (node instanceof Node.TypeIs type) {
            return typed(type);
        } else if (node instanceof Node.Mod) {
            return List.of(ClassLimits.of(10));
        } else if (node instanceof Node.ElemValue elem) {
            return elemValue(elem);
        } else if (node instanceof Not not) {
            return negated(not.member());
        }
        return null;
    }

    /** Under a collation, whatever compares text is ignored (§7). */
    private boolean refused(BsonValue operand) {
        if (!simple && operand.isSymbol()) {
            open = true;
        }
        return !simple && (operand.isString() || operand.isSymbol() || operand.isDocument() || operand.isArray());
    }

    private static boolean isNullish(BsonValue value) {
        return value.isNull() || value.getBsonType() == org.bson.BsonType.UNDEFINED;
    }

    private List<Span> equal(BsonValue value) {
        if (isNullish(value)) {
            return NULLS;
        } else if (value.isArray()) {
            BsonArray array = value.asArray();
            Span whole = Span.point(array);
            BsonValue first = array.isEmpty() ? new BsonUndefined() : array.get(0);
            return Span.union(List.of(Span.point(first)), List.of(whole));
        }
        return List.of(Span.point(value));
    }

    private List<Span> compared(Compare compare) {
        BsonValue v = compare.value();
        if (compare.op() == Op.EQ) {
            return equal(v);
        } else if (v.isArray()) {
            return array(compare.op(), v.asArray());
        } else if (isNullish(v)) {
            return compare.op() == Op.GTE || compare.op() == Op.LTE ? NULLS : List.of();
        } else if (BsonOrder.isNaN(v)) {
            return compare.op() == Op.GTE || compare.op() == Op.LTE ? List.of(Span.point(v)) : List.of();
        }
        boolean greater = compare.op() == Op.GT || compare.op() == Op.GTE;
        if (BsonOrder.compare(v, greater ? MIN : MAX) == 0) {
            return EVERYTHING;
        }
        Span limits = ClassLimits.of(BsonOrder.typeClass(v));
        BsonValue bottom = BsonOrder.typeClass(v) == 10 ? ClassLimits.MINUS_INFINITY : limits.low();
        return Span.listOf(
                greater
                        ? new Span(v, compare.op() == Op.GTE, limits.high(), limits.highIn())
                        : new Span(bottom, true, v, compare.op() == Op.LTE));
    }

    private List<Span> array(Op op, BsonArray array) {
        if (array.isEmpty()) {
            return op == Op.GT || op == Op.GTE ? EVERYTHING : List.of(Span.closed(MIN, array));
        }
        BsonValue first = array.get(0);
        int order = Integer.compare(BsonOrder.typeClass(first), BsonOrder.typeClass(array));
        if (op == Op.GT || op == Op.GTE) {
            return List.of(Span.closed(order < 0 ? first : array, MAX));
        }
        return List.of(Span.closed(MIN, order > 0 ? first : array));
    }

    /** Without type bracketing. */
    private static List<Span> ofExpr(Compare compare) {
        BsonValue v = compare.value();
        return switch (compare.op()) {
            case EQ -> isNullish(v) ? NULLS : List.of(Span.point(v));
            case GT -> Span.listOf(new Span(v, false, MAX, true));
            case GTE -> Span.listOf(new Span(v, true, MAX, true));
            case LT -> Span.listOf(new Span(MIN, true, v, v.isNull()));
            case LTE -> Span.listOf(new Span(MIN, true, v, true));
        };
    }

    private @Nullable List<Span> in(In in) {
        List<Span> union = List.of();
        for (BsonValue value : in.values()) {
            if (refused(value)) {
                return null;
            }
            union = Span.union(union, equal(value));
        }
        for (var regex : in.regexes()) {
            union = Span.union(union, RegexSpans.of(regex));
        }
        return union;
    }

    private static List<Span> typed(Node.TypeIs type) {
        if (type.classes().contains(25)) {
            return EVERYTHING;
        }
        List<Span> union = List.of();
        for (int typeClass : type.classes()) {
            union = Span.union(union, List.of(ClassLimits.of(typeClass)));
        }
        return union;
    }

    private @Nullable List<Span> elemValue(Node.ElemValue elem) {
        List<Span> common = EVERYTHING;
        for (Node member : elem.members()) {
            List<Span> spans = ranged(member);
            if (spans == null) {
                return null;
            }
            common = Span.intersection(common, spans);
        }
        return common;
    }

    private @Nullable List<Span> negated(Node member) {
        if (member instanceof Node.Exists) {
            return List.of(Span.point(BsonNull.VALUE));
        } else if (member instanceof Compare compare && compare.typed()) {
            if (compare.value().isArray() || refused(compare.value())) {
                return null;
            }
            return Span.complement(compared(compare));
        } else if (member instanceof In in && in.regexes().isEmpty()) {
            if (in.values().stream().anyMatch(BsonValue::isArray)) {
                open = true;
            }
            List<Span> positive = in(in);
            return positive == null ? null : Span.complement(positive);
        } else if (member instanceof Not) {
            open = true;
        }
        return null;
    }

    private @Nullable List<Span> hashed(Node node) {
        if (node instanceof Compare compare && compare.op() == Op.EQ) {
            return refused(compare.value()) ? null : hashes(compare.value());
        } else if (node instanceof In in && in.regexes().isEmpty()) {
            List<Span> union = List.of();
            for (BsonValue value : in.values()) {
                if (refused(value)) {
                    return null;
                }
                union = Span.union(union, hashes(value));
            }
            return union;
        } else if (node instanceof Node.Exists) {
            return EVERYTHING;
        } else if (node instanceof Not not && not.member() instanceof Node.Exists) {
            return List.of(Span.point(BsonHash.of(BsonNull.VALUE)));
        } else if (node instanceof Not not && not.member() instanceof Not) {
            open = true;
        }
        return null;
    }

    private List<Span> hashes(BsonValue value) {
        List<Span> hashes = new ArrayList<>();
        if (isNullish(value)) {
            hashes.addAll(Span.union(
                    List.of(Span.point(BsonHash.of(new BsonUndefined()))),
                    List.of(Span.point(BsonHash.of(BsonNull.VALUE)))));
        } else if (value.isArray()) {
            open = true;
        } else {
            hashes.add(Span.point(BsonHash.of(value)));
        }
        return hashes;
    }
}
