package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the audit record of a command away from a running proxy, as a proxy in front of the cluster would have written it. */
public final class RecordMaker {
    private final AuditSettings settings;
    private final JsonLines json = new JsonLines();

    /**
     * @param cluster on every record
     * @param instance likewise
     */
    public RecordMaker(String cluster, String instance) {
        this.settings = new AuditSettings(
                cluster, instance, AuditSettings.Recording.FINDINGS, AuditSettings.Findings.EVERY, 1, Duration.ZERO);
    }

    /** A command that was judged. */
    public record Judged(
            CommandView command, Route route, @Nullable WouldFail wouldFail, Verdict verdict) {}

    /** Whether {@code command} carries credentials, so that there is no record of it. */
    public static boolean isSensitive(CommandView command) {
        return Subjects.isSensitive(command);
    }

    /** What {@code command}, which is borrowed, is about, as far as it may be shown. */
    public static AuditEvent.Subject subject(CommandView command, Route route) {
        return Subjects.of(command, route);
    }

    /**
     * The record, with its line feed.
     *
     * @param judged the command in it is borrowed
     * @param why one sentence
     */
    public byte[] line(Judged judged, String why, List<Note> notes, AuditSource source, Outcome outcome, Instant at) {
        RecordedFix fix = RecordedFix.of(judged.command(), judged.route(), judged.verdict(), notes, judged.wouldFail());
        RecordedRoute route = RecordedRoute.of(judged.route(), why, fix, notes, judged.wouldFail());
        AuditEvent.Subject subject = Subjects.of(judged.command(), judged.route());
        PendingEvent pending = new PendingEvent(at, source, subject, route, judged.verdict(), null);
        return json.event(pending.complete(1, outcome, settings));
    }
}
