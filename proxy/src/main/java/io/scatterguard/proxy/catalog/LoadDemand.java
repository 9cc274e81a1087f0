package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import java.util.function.Consumer;

/**
 * Whether tables that are missing may be asked for at present, and of whom. Thread-safe; whoever asks neither waits nor gets
 * an answer.
 */
final class LoadDemand {
    private final Consumer<Namespace> asked;
    private volatile boolean failing;

    /** @param asked takes what is to be loaded; it is told of the same collection as long as that is not there */
    LoadDemand(Consumer<Namespace> asked) {
        this.asked = asked;
    }

    /** Demand that nobody meets. */
    static LoadDemand unmet() {
        return new LoadDemand(namespace -> {});
    }

    /** Whether the last attempt at anything failed: then asking would only make commands wait. */
    boolean isFailing() {
        return failing;
    }

    void setFailing(boolean fails) {
        failing = fails;
    }

    void ask(Namespace namespace) {
        if (!failing) {
            asked.accept(namespace);
        }
    }
}
