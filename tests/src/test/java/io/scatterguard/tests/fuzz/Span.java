package io.scatterguard.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonValue;

/** All values from one to another; lists of them are sorted and do not overlap. */
record Span(BsonValue low, boolean lowIn, BsonValue high, boolean highIn) {
    static final BsonValue MIN = new BsonMinKey();
    static final BsonValue MAX = new BsonMaxKey();
    static final List<Span> EVERYTHING = List.of(closed(MIN, MAX));

    static Span closed(BsonValue low, BsonValue high) {
        return new Span(low, true, high, true);
    }

    static Span point(BsonValue value) {
        return closed(value, value);
    }

    boolean isEmpty() {
        int order = BsonOrder.compare(low, high);
        return order > 0 || (order == 0 && !(lowIn && highIn));
    }

    boolean isPoint() {
        return BsonOrder.compare(low, high) == 0;
    }

    /** The list of one span, or of none if it is empty. */
    static List<Span> listOf(Span span) {
        return span.isEmpty() ? List.of() : List.of(span);
    }

    static List<Span> intersection(List<Span> a, List<Span> b) {
        List<Span> both = new ArrayList<>();
        for (Span x : a) {
            for (Span y : b) {
                Span common = x.startsAfter(y) ? x.from(x, y) : x.from(y, y);
                if (!common.isEmpty()) {
                    both.add(common);
                }
            }
        }
        both.sort((x, y) -> x.startsAfter(y) ? 1 : -1);
        return both;
    }

    /** From the start of {@code start} to the nearer end of this and {@code other}. */
    private Span from(Span start, Span other) {
        Span end = endsAfter(other) ? other : this;
        return new Span(start.low, start.lowIn, end.high, end.highIn);
    }

    static List<Span> union(List<Span> a, List<Span> b) {
        List<Span> all = new ArrayList<>(a);
        all.addAll(b);
        all.sort((x, y) -> x.startsAfter(y) ? 1 : y.startsAfter(x) ? -1 : 0);
        List<Span> merged = new ArrayList<>();
        for (Span next : all) {
            Span last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last == null || !last.meets(next)) {
                merged.add(next);
            } else if (next.endsAfter(last)) {
                merged.set(merged.size() - 1, new Span(last.low, last.lowIn, next.high, next.highIn));
            }
        }
        return merged;
    }

    /** What is not in {@code spans}; not the gap between undefined and null, as in the row of {@code $ne: null} (§6.4). */
    static List<Span> complement(List<Span> spans) {
        List<Span> rest = new ArrayList<>();
        BsonValue from = MIN;
        boolean fromIn = true;
        for (Span span : spans) {
            boolean nothing = BsonOrder.typeClass(from) == 0 && span.low.isNull();
            rest.addAll(nothing ? List.of() : listOf(new Span(from, fromIn, span.low, !span.lowIn)));
            from = span.high;
            fromIn = !span.highIn;
        }
        rest.addAll(listOf(new Span(from, fromIn, MAX, true)));
        return rest;
    }

    private boolean startsAfter(Span other) {
        int order = BsonOrder.compare(low, other.low);
        return order > 0 || (order == 0 && !lowIn && other.lowIn);
    }

    private boolean endsAfter(Span other) {
        int order = BsonOrder.compare(high, other.high);
        return order > 0 || (order == 0 && highIn && !other.highIn);
    }

    /** Whether {@code next}, which does not start before this, leaves no value between. */
    private boolean meets(Span next) {
        int order = BsonOrder.compare(next.low, high);
        return order < 0 || (order == 0 && (next.lowIn || highIn));
    }
}
