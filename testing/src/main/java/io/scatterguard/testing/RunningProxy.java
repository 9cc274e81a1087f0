package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Findings;
import java.util.Map;

/** A proxy that runs in this JVM. */
interface RunningProxy extends AutoCloseable {
    /**
     * Its connection string.
     *
     * @param database in its path; empty for that of the upstream's
     */
    String uri(String database);

    /** What was recorded since the start or the last {@link #take}; everything that was answered by now is in it. */
    Findings findings();

    /** Likewise, and forgets it; whatever is recorded at the same time is in this or in the next. */
    Findings take();

    /** What it has seen since the start. */
    Seen seen();

    @Override
    void close();

    /**
     * What a proxy has seen.
     *
     * @param routed how many commands
     * @param missed how many could not be judged or recorded
     * @param withoutRule collections in front of which nobody knows a shard key, and how many commands each had
     */
    record Seen(long routed, long missed, Map<String, Long> withoutRule) {
        public Seen {
            withoutRule = Map.copyOf(withoutRule);
        }
    }
}
