package io.scatterguard.proxy.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * One object for each of a bounded number of values of a label, those that come first, and one for all others. What a value
 * got once it keeps. Thread-safe; a value that is known is found without a lock, and once all are given, any is.
 */
final class BoundedLabels<T> {
    /** The value that stands for all others. */
    static final String OTHER = "other";

    private final ConcurrentMap<String, T> given = new ConcurrentHashMap<>();
    private final int limit;
    private final Function<String, T> maker;
    private final T other;
    private final LongAdder folded = new LongAdder();
    private volatile boolean full;

    /**
     * @param limit how many values get an object of their own, {@link #OTHER} besides
     * @param maker makes the object of a value
     */
    BoundedLabels(int limit, Function<String, T> maker) {
        this.limit = limit;
        this.maker = maker;
        this.other = maker.apply(OTHER);
    }

    T of(String value) {
        T known = given.get(value);
        if (known != null) {
            return known;
        } else if (value.equals(OTHER)) {
            return other;
        }
        return full ? fold() : admit(value);
    }

    private synchronized T admit(String value) {
        T known = given.get(value);
        if (known != null) {
            return known;
        } else if (given.size() >= limit) {
            return fold();
        }
        T made = maker.apply(value);
        given.put(value, made);
        full = given.size() >= limit;
        return made;
    }

    private T fold() {
        folded.increment();
        return other;
    }

    /** How often {@link #OTHER} stood for a value. */
    long folded() {
        return folded.sum();
    }
}
