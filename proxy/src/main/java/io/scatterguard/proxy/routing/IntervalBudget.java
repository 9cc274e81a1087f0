package io.scatterguard.proxy.routing;

/**
 * How many intervals may still be handled for one command, over all its statements. Pushing a list of m values into n
 * branches handles m·n of them, and a batch of 48 MB may hold thousands of such statements: what comes after the budget is
 * spent is not understood.
 */
final class IntervalBudget {
    /** Enough for a batch of the largest size with an interval for each statement. */
    static final int MAX_INTERVALS = 100_000;

    private int left = MAX_INTERVALS;

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
}
