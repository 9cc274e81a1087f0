package io.scatterguard.proxy.changes;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.audit.AuditEvent;
import io.scatterguard.proxy.audit.QueryShape;
import io.scatterguard.proxy.audit.RecordMaker;
import io.scatterguard.proxy.logs.LoggedCommand;
import io.scatterguard.proxy.offline.LineFormatException;
import io.scatterguard.proxy.offline.PolicyCase;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import org.bson.BsonSerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Judges recorded commands on two sides. Thread-safe if their policies are.
 *
 * @param clock says when a command came of which that is not recorded: now
 */
public record Comparison(Side before, Side after, Clock clock) {
    /**
     * What changes for {@code logged}; null for a command with credentials.
     *
     * @throws LineFormatException if it is no command that a server could have got; the message
     *     holds no values
     */
    public @Nullable Compared compare(LoggedCommand logged) {
        try {
            return compare(PolicyCase.view(logged.database(), logged.command()), logged);
        } catch (MalformedBsonException | ProtocolException | BsonSerializationException e) {
            throw new LineFormatException("not a command that a server takes");
        }
    }

    private @Nullable Compared compare(CommandView command, LoggedCommand logged) {
        if (RecordMaker.isSensitive(command)) {
            return null;
        }
        Instant at = Objects.requireNonNullElse(logged.at(), clock.instant());
        Side.Judged earlier = before.judge(command, logged.client(), at);
        Side.Judged later = after.judge(command, logged.client(), at);
        Change change = Change.between(earlier.fate(), later.fate());
        String owner = after.policy().owner(later.route().about(later.verdict().statement()), logged.client());
        Compared.Advice advice = change == Change.UNCHANGED
                ? new Compared.Advice("", "", owner)
                : new Compared.Advice(later.why(), later.fix(command), owner);
        return new Compared(
                subject(RecordMaker.subject(command, later.route())),
                change,
                earlier.fate(),
                later.fate(),
                advice,
                logged.at(),
                logged.serverMicros(),
                logged.continued());
    }

    private static Compared.Subject subject(AuditEvent.Subject subject) {
        QueryShape shape = subject.shape();
        Namespace namespace = subject.namespace();
        String name = namespace.collection().isEmpty() ? namespace.database() : namespace.fullName();
        return new Compared.Subject(
                shape == null ? "" : shape.hash(), name, subject.command(), shape == null ? "" : shape.text());
    }
}
