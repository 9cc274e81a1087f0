package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.CommandView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the rulings on one command are asked about it. Its shape is made at most once, and only where one of them asks. */
final class Question {
    private final CommandView command;
    private final Instant now;
    private final boolean counts;
    private @Nullable String shape;

    /**
     * @param command is borrowed for as long as this is used
     * @param counts whether the command takes from the rates that it is measured by; not if it is only looked at
     */
    Question(CommandView command, Instant now, boolean counts) {
        this.command = command;
        this.now = now;
        this.counts = counts;
    }

    CommandView command() {
        return command;
    }

    Instant now() {
        return now;
    }

    boolean counts() {
        return counts;
    }

    /** The hash of the command's shape, as {@code evidence} tells it. */
    String shape(Evidence evidence) {
        if (shape == null) {
            shape = evidence.shapeHash(command);
        }
        return shape;
    }
}
