package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;

/**
 * How much may still be done for one command, over all its statements. Pushing a list of m values into n branches handles
 * m·n intervals, moving n conjuncts over stages that change m paths compares n·m of them, and a batch of 48 MB may hold
 * thousands of such statements: what comes after a budget is spent is not understood.
 */
final class IntervalBudget {
    /** Enough for a batch of the largest size with an interval for each statement. */
    static final int MAX_INTERVALS = 100_000;

    /** Comparisons of paths and of predicates, and {@value #BYTES_PER_STEP} bytes each of large values that are copied. */
    static final int MAX_STEPS = 2_000_000;

    /** A larger value, or in a list one of its values, is not followed to the shard key. */
    static final int MAX_KEY_VALUE_BYTES = 64 * 1024;

    private static final int BYTES_PER_STEP = 8;
    private static final int SMALL_VALUE_BYTES = 64;

    private int left = MAX_INTERVALS;
    private int stepsLeft = MAX_STEPS;

    /**
     * Takes {@code count} intervals out of the budget.
     *
     * @throws FilterException if there are not as many left; from then on there are none
     */
    void spend(int count) {
        if (count < 0 || count > left) {
            left = 0;
            throw FilterException.notUnderstood();
        }
        left -= count;
    }

    /**
     * Takes {@code count} steps out of the budget.
     *
     * @throws FilterException if there are not as many left; from then on there are none
     */
    void step(int count) {
        if (count > stepsLeft) {
            stepsLeft = 0;
            throw FilterException.notUnderstood();
        }
        stepsLeft -= count;
    }

    /**
     * Takes the steps for a copy of {@code bytes}; a small one costs none.
     *
     * @throws FilterException as {@link #step}
     */
    void copy(int bytes) {
        if (bytes > SMALL_VALUE_BYTES) {
            step((bytes - SMALL_VALUE_BYTES) / BYTES_PER_STEP);
        }
    }

    /**
     * Takes the steps for a value that becomes key bytes.
     *
     * @throws FilterException if it is too large, or as {@link #step}
     */
    void keyValue(BsonValueView value) {
        requireKeyValue(value);
        copy(value.length());
    }

    /** @throws FilterException if the value is larger than {@link #MAX_KEY_VALUE_BYTES} */
    static void requireKeyValue(BsonValueView value) {
        if (value.length() > MAX_KEY_VALUE_BYTES) {
            throw FilterException.notUnderstood();
        }
    }

    /** Whether a step was refused. */
    boolean isSpent() {
        return stepsLeft == 0;
    }

    int intervalsSpent() {
        return MAX_INTERVALS - left;
    }

    int stepsSpent() {
        return MAX_STEPS - stepsLeft;
    }
}
