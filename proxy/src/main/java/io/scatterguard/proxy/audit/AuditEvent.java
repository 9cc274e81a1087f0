package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.policy.Verdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One command as it is recorded; {@link JsonLines} flattens it into the fields of the audit log. It holds values only:
 * nothing of the command's bytes, and of its literals nothing but the recognised parts of its comment, unless it is
 * configured to.
 *
 * @param route null for a command that is not routed
 * @param literals null unless values are recorded as well
 */
public record AuditEvent(
        Stamp stamp,
        AuditSource source,
        Subject subject,
        @Nullable RecordedRoute route,
        Verdict verdict,
        Outcome outcome,
        @Nullable Literals literals) {
    /** Without values. */
    AuditEvent(
            Stamp stamp,
            AuditSource source,
            Subject subject,
            @Nullable RecordedRoute route,
            Verdict verdict,
            Outcome outcome) {
        this(stamp, source, subject, route, verdict, outcome, null);
    }

    /**
     * Which record this is.
     *
     * @param seq the number of the record in this process, from 1; every number is a record or inside a gap
     * @param at when the command was judged
     */
    public record Stamp(long seq, Instant at, String cluster, String instance) {}

    /**
     * What the command was.
     *
     * @param namespace the namespace it is about; empty parts where it names none
     * @param command its name, spelt as of today
     * @param comment the recognised parts of its comment; null if there are none
     * @param shape null for a handshake, and where the command was malformed
     */
    public record Subject(
            Namespace namespace,
            String command,
            @Nullable String comment,
            @Nullable QueryShape shape) {}
}
