package io.scatterguard.proxy.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The findings of one shape and one application that have no record of their own.
 *
 * @param subject what they were, the namespace, the command and the shape; null for those of all shapes that found no room
 * @param app the application's name; null if it has none, and where {@code subject} is null
 * @param tally how many
 */
record FindingCounts(
        AuditEvent.@Nullable Subject subject, @Nullable String app, Tally tally) implements QueuedRecord {
    /**
     * How many.
     *
     * @param from when counting began
     * @param to when it ended
     * @param wouldRefuse those that enforce mode would have refused
     * @param exempted those that an exemption let pass
     * @param serverMicros the sum of their times from being forwarded to the end of the reply
     */
    record Tally(Instant from, Instant to, long findings, long wouldRefuse, long exempted, long serverMicros) {}

    @Override
    public byte[] line(JsonLines json, long seq, Instant now, AuditSettings settings) {
        AuditEvent.Stamp stamp = new AuditEvent.Stamp(seq, tally.to(), settings.cluster(), settings.instance());
        return json.counts(stamp, this);
    }
}
