package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The values of one key field that can match: intervals in ascending order without overlap. Immutable. */
final class Intervals {
    static final Intervals EVERYTHING = new Intervals(List.of(Interval.closed(Interval.MIN_KEY, Interval.MAX_KEY)));
    static final Intervals NONE = new Intervals(List.of());

    private static final byte[] UNDEFINED = KeyBytes.of(BsonValueView.UNDEFINED);
    private static final byte[] NULL = KeyBytes.of(BsonValueView.NULL);

    /** A missing field is stored as null; an old value could be undefined. */
    static final Intervals NULLISH = new Intervals(List.of(Interval.point(UNDEFINED), Interval.point(NULL)));

    static final Intervals NULL_POINT = new Intervals(List.of(Interval.point(NULL)));

    private final List<Interval> list;

    private Intervals(List<Interval> list) {
        this.list = list;
    }

    static Intervals of(Interval interval) {
        return interval.isEmpty() ? NONE : new Intervals(List.of(interval));
    }

    static Intervals point(byte[] value) {
        return new Intervals(List.of(Interval.point(value)));
    }

    /** The union of intervals in any order; sorts {@code intervals} and takes it. */
    static Intervals union(List<Interval> intervals) {
        intervals.removeIf(Interval::isEmpty);
        if (intervals.size() < 2) {
            return new Intervals(intervals);
        }
        intervals.sort(Interval::compareLows);
        List<Interval> union = new ArrayList<>(intervals.size());
        Interval last = intervals.get(0);
        for (int i = 1; i < intervals.size(); i++) {
            Interval next = intervals.get(i);
            if (last.joins(next)) {
                last = last.joinedWith(next);
            } else {
                union.add(last);
                last = next;
            }
        }
        union.add(last);
        return new Intervals(union);
    }

    Intervals union(Intervals other) {
        List<Interval> both = new ArrayList<>(list.size() + other.list.size());
        both.addAll(list);
        both.addAll(other.list);
        return union(both);
    }

    Intervals intersect(Intervals other) {
        if (this == EVERYTHING) {
            return other;
        }
        if (other == EVERYTHING) {
            return this;
        }
        List<Interval> common = new ArrayList<>(Math.max(list.size(), other.list.size()));
        int i = 0;
        int j = 0;
        while (i < list.size() && j < other.list.size()) {
            Interval mine = list.get(i);
            Interval theirs = other.list.get(j);
            Interval both = mine.intersect(theirs);
            if (!both.isEmpty()) {
                common.add(both);
            }
            if (Interval.compareHighs(mine, theirs) < 0) {
                i++;
            } else {
                j++;
            }
        }
        return new Intervals(common);
    }

    /** Everything else between MinKey and MaxKey; the emptiness between undefined and null is left out. */
    Intervals complement() {
        List<Interval> gaps = new ArrayList<>(list.size() + 1);
        byte[] from = Interval.MIN_KEY;
        boolean fromIncluded = true;
        for (Interval interval : list) {
            boolean nothingBetween = Arrays.equals(from, UNDEFINED) && Arrays.equals(interval.low(), NULL);
            addGap(gaps, nothingBetween, new Interval(from, fromIncluded, interval.low(), !interval.lowIncluded()));
            from = interval.high();
            fromIncluded = !interval.highIncluded();
        }
        addGap(gaps, false, new Interval(from, fromIncluded, Interval.MAX_KEY, true));
        return new Intervals(gaps);
    }

    private static void addGap(List<Interval> gaps, boolean nothingBetween, Interval gap) {
        if (!nothingBetween && !gap.isEmpty()) {
            gaps.add(gap);
        }
    }

    List<Interval> list() {
        return list;
    }

    int size() {
        return list.size();
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    boolean isSinglePoint() {
        return list.size() == 1 && list.get(0).isPoint();
    }

    /** Whether it is a list of single values, at least one. */
    boolean isAllPoints() {
        for (Interval interval : list) {
            if (!interval.isPoint()) {
                return false;
            }
        }
        return !list.isEmpty();
    }

    /** Whether nothing is left out once every end counts as included, as the router counts it (§6.6): {@code $ne: 5}. */
    boolean coversEverything() {
        if (this == EVERYTHING) {
            return true;
        }
        byte[] reached = Interval.MIN_KEY;
        for (Interval interval : list) {
            boolean nullish = Arrays.equals(reached, UNDEFINED) && Arrays.equals(interval.low(), NULL);
            if (!nullish && KeyBytes.compare(interval.low(), reached) > 0) {
                return false;
            }
            reached = interval.high();
        }
        return !list.isEmpty() && Arrays.equals(reached, Interval.MAX_KEY);
    }

    byte[] lowest() {
        return list.get(0).low();
    }

    byte[] highest() {
        return list.get(list.size() - 1).high();
    }
}
