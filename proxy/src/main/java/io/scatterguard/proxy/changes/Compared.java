package io.scatterguard.proxy.changes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command that was judged on both sides. Holds no values of it.
 *
 * @param subject what it is
 * @param advice what to do, of what has changed
 * @param at when it ended; null if that is not recorded
 * @param serverMicros how long a server took
 * @param continued whether it is but a further batch of a command that came before
 */
public record Compared(
        Subject subject,
        Change change,
        Fate before,
        Fate after,
        Advice advice,
        @Nullable Instant at,
        long serverMicros,
        boolean continued) {
    /**
     * @param id hash of the query shape
     * @param shape the normalised command
     */
    public record Subject(String id, String namespace, String command, String shape) {}

    /**
     * @param why one sentence about where it goes afterwards
     * @param fix what to do about that, a clause; empty if there is nothing
     * @param owner exactly one, {@code unowned} included
     */
    public record Advice(String why, String fix, String owner) {}

    /** What decides which row of the report it belongs to: all but the number of shards. */
    record Row(
            String id, Change change, Way before, String beforeError, Way after, String afterError, String verdicts) {}

    Row row() {
        return new Row(
                subject.id(),
                change,
                before.way(),
                String.valueOf(before.error()),
                after.way(),
                String.valueOf(after.error()),
                before.action().text() + " " + after.action().text());
    }
}
