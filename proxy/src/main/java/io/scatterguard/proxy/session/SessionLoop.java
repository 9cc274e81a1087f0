package io.scatterguard.proxy.session;

import java.time.Duration;

/** The event loop that a session runs on. */
public interface SessionLoop {
    /** Runs {@code task} on the loop soon, never within this call; may be called on any thread. */
    void execute(Runnable task);

    /**
     * Runs {@code task} on the loop after {@code delay}. Called on the loop.
     *
     * @return cancels it; does nothing once it has run
     */
    Runnable after(Duration delay, Runnable task);
}
