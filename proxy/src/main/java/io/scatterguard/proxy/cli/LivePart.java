package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ScatterguardConfig;
import java.util.function.Consumer;

/** A part of a running proxy that an edit of the configuration changes without a start. */
interface LivePart {
    /**
     * Finds out whether it can do what {@code changed} asks for; changes nothing yet.
     *
     * @return does it; run at most once, and only if all parts can
     * @throws ConfigException if it cannot
     */
    Runnable prepare(ScatterguardConfig changed);

    /** One that can do whatever a configuration may ask for. */
    static LivePart of(Consumer<ScatterguardConfig> change) {
        return changed -> () -> change.accept(changed);
    }
}
