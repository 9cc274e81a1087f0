package io.scatterguard.testing;

import org.jspecify.annotations.Nullable;

/** What is done in turn, whatever becomes of what is before it. */
final class Steps {
    private Steps() {}

    /** Does each of {@code steps}, then throws what the first that failed threw, with what the others threw suppressed in it. */
    static void all(Runnable... steps) {
        Throwable failure = null;
        for (Runnable step : steps) {
            failure = first(failure, step);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private static @Nullable Throwable first(@Nullable Throwable before, Runnable step) {
        try {
            step.run();
            return before;
        } catch (RuntimeException | Error e) {
            if (before == null) {
                return e;
            }
            before.addSuppressed(e);
            return before;
        }
    }
}
