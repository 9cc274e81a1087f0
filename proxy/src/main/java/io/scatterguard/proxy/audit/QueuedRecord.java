package io.scatterguard.proxy.audit;

import java.time.Instant;

/** What becomes one line of the log: a command that has ended, or the counts of some. Values only. */
interface QueuedRecord {
    /** The line, with its line feed. */
    byte[] line(JsonLines json, long seq, Instant now, AuditSettings settings);

    /** A command that has ended. */
    record Ended(PendingEvent pending, Outcome outcome) implements QueuedRecord {
        @Override
        public byte[] line(JsonLines json, long seq, Instant now, AuditSettings settings) {
            return json.event(pending.complete(seq, outcome, settings));
        }
    }
}
