package io.scatterguard.proxy.offline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.audit.RecordMaker;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.logs.LoggedCommand;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.records.RecordJson;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.WouldFail;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.bson.BsonSerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Judges recorded commands as a proxy would have, and makes the audit record that it would have written. Thread-safe if the
 * policy is.
 */
public final class OfflineJudge {
    private final Router router;
    private final CatalogSnapshot catalog;
    private final RouterRelease release;
    private final Policy policy;
    private final Clock clock;
    private final ThreadLocal<RecordMaker> records = ThreadLocal.withInitial(() -> new RecordMaker("offline", "check"));

    /** {@code clock} says when a command came of which that is not recorded: now. */
    public OfflineJudge(Router router, CatalogSnapshot catalog, RouterRelease release, Policy policy, Clock clock) {
        this.clock = clock;
        this.router = router;
        this.catalog = catalog;
        this.release = release;
        this.policy = policy;
    }

    /**
     * A command that is a finding.
     *
     * @param brief of its audit record what is added up: {@code ts}, {@code client}, {@code comment}, {@code shape.hash},
     *     {@code route.shardCount}, {@code micros.server} and the verdict
     * @param whole makes the record, which takes several times as long
     */
    public record Found(JsonNode brief, Supplier<JsonNode> whole) {}

    /**
     * What there is to add up of {@code logged}; null if it is no finding.
     *
     * @throws LineFormatException if it is no command that a server could have got; the message holds no values
     */
    public @Nullable Found find(LoggedCommand logged) {
        try {
            CommandView command = PolicyCase.view(logged.database(), logged.command());
            Case judged = judge(command, logged);
            return judged == null
                    ? null
                    : new Found(
                            BriefRecord.of(command, judged.route(), judged.verdict(), logged),
                            () -> Objects.requireNonNull(record(logged), "record"));
        } catch (MalformedBsonException | ProtocolException | BsonSerializationException e) {
            throw new LineFormatException("not a command that a server takes");
        }
    }

    private record Case(Route route, @Nullable WouldFail wouldFail, Verdict verdict, Instant at) {}

    private @Nullable Case judge(CommandView command, LoggedCommand logged) {
        Route route = router.route(command, catalog, release);
        WouldFail wouldFail = router.wouldFail(command, route, catalog);
        Instant at = Objects.requireNonNullElse(logged.at(), clock.instant());
        Verdict verdict = policy.decide(command, route, wouldFail, logged.client(), at);
        return !verdict.isFinding() || RecordMaker.isSensitive(command)
                ? null
                : new Case(route, wouldFail, verdict, at);
    }

    /**
     * The audit record of {@code logged}; null if a proxy would write none with {@code record: findings}.
     *
     * @throws LineFormatException if it is no command that a server could have got; the message holds no values
     */
    public @Nullable JsonNode record(LoggedCommand logged) {
        try {
            CommandView command = PolicyCase.view(logged.database(), logged.command());
            Case judged = judge(command, logged);
            if (judged == null) {
                return null;
            }
            Route route = judged.route();
            Verdict verdict = judged.verdict();
            String owner = policy.owner(route.about(verdict.statement()), logged.client());
            byte[] line = records.get()
                    .line(
                            new RecordMaker.Judged(command, route, judged.wouldFail(), verdict),
                            RouteText.why(route),
                            notes(command, route),
                            new AuditSource("offline", 0, logged.client(), 0, owner),
                            new Outcome(null, null, null, 0, logged.serverMicros(), 0, 0),
                            judged.at());
            ObjectNode record = RecordJson.parse(line);
            if (logged.at() == null) {
                record.remove("ts"); // nobody knows when it came
            }
            return record;
        } catch (MalformedBsonException | ProtocolException | BsonSerializationException e) {
            throw new LineFormatException("not a command that a server takes");
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it is our own
        }
    }

    private static List<Note> notes(CommandView command, Route route) {
        try {
            return Notes.of(command, route);
        } catch (MalformedBsonException e) {
            return List.of();
        }
    }
}
