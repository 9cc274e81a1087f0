package io.scatterguard.protocol.codec;

import java.util.concurrent.Executor;

/** A share of a {@link RequestBudget}, or a place in its queue. Thread-safe. */
public final class Reservation {
    enum State {
        WAITING,
        GRANTED,
        RELEASED
    }

    final long bytes;
    final Executor executor;
    final Runnable granted;
    private final RequestBudget budget;
    /** Guarded by the budget. */
    State state = State.WAITING;

    Reservation(RequestBudget budget, long bytes, Executor executor, Runnable granted) {
        this.budget = budget;
        this.bytes = bytes;
        this.executor = executor;
        this.granted = granted;
    }

    /** Whether the share may be used now. */
    public boolean isGranted() {
        return budget.isGranted(this);
    }

    /** Gives the share, or the place in the queue, back; does nothing the second time. */
    public void release() {
        budget.release(this);
    }
}
