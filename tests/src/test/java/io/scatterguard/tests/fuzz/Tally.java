package io.scatterguard.tests.fuzz;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a run has seen. */
final class Tally {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void count(String what) {
        counts.computeIfAbsent(what, w -> new LongAdder()).increment();
    }

    long of(String what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }

    /** The share of {@code part} in {@code whole}, in percent. */
    double percent(String part, String whole) {
        return of(whole) == 0 ? 0 : 100.0 * of(part) / of(whole);
    }

    @Override
    public String toString() {
        return new TreeMap<>(counts).toString();
    }
}
