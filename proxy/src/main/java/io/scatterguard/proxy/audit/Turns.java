package io.scatterguard.proxy.audit;

/** The life of a thread of the pipeline: it takes one turn after another, and an error ends the turn, never the thread. */
final class Turns {
    /** One turn. */
    @FunctionalInterface
    interface Turn {
        /** Returns false if nothing is left to be done, ever. */
        boolean take() throws InterruptedException;
    }

    private Turns() {}

    /**
     * Takes turns until nothing is left, or the thread is interrupted: closing took too long then, and who interrupts counts
     * what is left. An error of a turn, an {@code OutOfMemoryError} included, is counted; the next turn finds what the one
     * before left in hand.
     *
     * @param doing what a turn does, for the log
     */
    static void run(Turn turn, String doing, AuditCounters counters) {
        boolean more = true;
        while (more) {
            try {
                more = turn.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                more = false;
            } catch (RuntimeException | Error e) {
                counters.internalError(doing, e);
            }
        }
    }
}
