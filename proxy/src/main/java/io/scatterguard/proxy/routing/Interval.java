package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import java.util.Arrays;

/** An interval of one key field's values; the ends are key bytes (see {@link KeyBytes}), each included or not. */
final class Interval {
    static final byte[] MIN_KEY = KeyBytes.of(BsonValueView.MIN_KEY);
    static final byte[] MAX_KEY = KeyBytes.of(BsonValueView.MAX_KEY);

    private final byte[] low;
    private final boolean lowIncluded;
    private final byte[] high;
    private final boolean highIncluded;

    Interval(byte[] low, boolean lowIncluded, byte[] high, boolean highIncluded) {
        this.low = low;
        this.lowIncluded = lowIncluded;
        this.high = high;
        this.highIncluded = highIncluded;
    }

    static Interval point(byte[] value) {
        return new Interval(value, true, value, true);
    }

    static Interval closed(byte[] low, byte[] high) {
        return new Interval(low, true, high, true);
    }

    byte[] low() {
        return low;
    }

    boolean lowIncluded() {
        return lowIncluded;
    }

    byte[] high() {
        return high;
    }

    boolean highIncluded() {
        return highIncluded;
    }

    boolean isPoint() {
        return low == high || Arrays.equals(low, high);
    }

    /** Whether there is no value in it. */
    boolean isEmpty() {
        int order = KeyBytes.compare(low, high);
        return order > 0 || (order == 0 && !(lowIncluded && highIncluded));
    }

    /** Where both ends are: an included low end is before an excluded one of the same value. */
    static int compareLows(Interval a, Interval b) {
        int order = KeyBytes.compare(a.low, b.low);
        return order != 0 ? order : Boolean.compare(b.lowIncluded, a.lowIncluded);
    }

    static int compareHighs(Interval a, Interval b) {
        int order = KeyBytes.compare(a.high, b.high);
        return order != 0 ? order : Boolean.compare(a.highIncluded, b.highIncluded);
    }

    /** Whether {@code next}, which does not begin before this one, overlaps or touches it without a gap. */
    boolean joins(Interval next) {
        int order = KeyBytes.compare(high, next.low);
        return order > 0 || (order == 0 && (highIncluded || next.lowIncluded));
    }

    /** The values in both; may be empty. */
    Interval intersect(Interval other) {
        Interval lower = compareLows(this, other) >= 0 ? this : other;
        Interval upper = compareHighs(this, other) <= 0 ? this : other;
        return new Interval(lower.low, lower.lowIncluded, upper.high, upper.highIncluded);
    }

    /** From this one's low end to the farther high end of the two. */
    Interval joinedWith(Interval next) {
        Interval upper = compareHighs(this, next) >= 0 ? this : next;
        return new Interval(low, lowIncluded, upper.high, upper.highIncluded);
    }
}
