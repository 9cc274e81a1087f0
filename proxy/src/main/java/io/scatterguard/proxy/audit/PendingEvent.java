package io.scatterguard.proxy.audit;

import io.scatterguard.proxy.policy.Verdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is known of a command when it is judged; values only, so that it may outlive the command's bytes. */
record PendingEvent(
        Instant at,
        AuditSource source,
        AuditEvent.Subject subject,
        @Nullable RecordedRoute route,
        Verdict verdict,
        @Nullable Literals literals)
        implements Auditor.PendingRecord {
    @Override
    public @Nullable String shapeHash() {
        QueryShape shape = subject.shape();
        return shape == null ? null : shape.hash();
    }

    AuditEvent complete(long seq, Outcome outcome, AuditSettings settings) {
        AuditEvent.Stamp stamp = new AuditEvent.Stamp(seq, at, settings.cluster(), settings.instance());
        return new AuditEvent(stamp, source, subject, route, verdict, outcome, literals);
    }
}
