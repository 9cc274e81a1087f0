package io.scatterguard.proxy.routing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bounds of a whole shard key: intervals for each field, null for a field that no predicate constrains. */
final class KeyBounds {
    private final @Nullable Intervals[] fields;

    KeyBounds(int size) {
        this.fields = new Intervals[size];
    }

    private KeyBounds(@Nullable Intervals[] fields) {
        this.fields = fields;
    }

    int size() {
        return fields.length;
    }

    /** The field's intervals; everything where no predicate constrains it. */
    Intervals field(int index) {
        Intervals intervals = fields[index];
        return intervals == null ? Intervals.EVERYTHING : intervals;
    }

    boolean has(int index) {
        return fields[index] != null;
    }

    boolean isEmpty() {
        for (Intervals field : fields) {
            if (field != null) {
                return false;
            }
        }
        return true;
    }

    /** Adds one more predicate on a field. */
    void restrict(int index, Intervals intervals) {
        Intervals present = fields[index];
        fields[index] = present == null ? intervals : present.intersect(intervals);
    }

    /** Both at once. */
    KeyBounds and(KeyBounds other) {
        KeyBounds both = new KeyBounds(fields.clone());
        for (int i = 0; i < fields.length; i++) {
            Intervals more = other.fields[i];
            if (more != null) {
                both.restrict(i, more);
            }
        }
        return both;
    }

    /** Any of them: the union of each field by itself, an over-approximation that the router makes as well (§6.5). */
    static KeyBounds anyOf(List<KeyBounds> alternatives) {
        if (alternatives.size() == 1) {
            return alternatives.get(0);
        }
        KeyBounds union = new KeyBounds(alternatives.get(0).size());
        for (int i = 0; i < union.size(); i++) {
            List<Interval> intervals = new ArrayList<>(alternatives.size());
            boolean everywhere = false;
            for (KeyBounds alternative : alternatives) {
                everywhere |= !alternative.has(i);
                intervals.addAll(alternative.field(i).list());
            }
            union.fields[i] = everywhere ? null : Intervals.union(intervals);
        }
        return union;
    }

    /** How many intervals there are in all. */
    int intervalCount() {
        int count = 0;
        for (Intervals field : fields) {
            count += field == null ? 0 : field.size();
        }
        return count;
    }

    /** Bit i: field i is a list of single values. */
    long pointFields() {
        long bits = 0;
        for (int i = 0; i < Math.min(fields.length, Long.SIZE); i++) {
            if (field(i).isAllPoints()) {
                bits |= 1L << i;
            }
        }
        return bits;
    }

    /** Bit i: field i is narrowed, but not to single values. */
    long rangeFields() {
        long bits = 0;
        for (int i = 0; i < Math.min(fields.length, Long.SIZE); i++) {
            if (!field(i).coversEverything() && !field(i).isAllPoints()) {
                bits |= 1L << i;
            }
        }
        return bits;
    }
}
