package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.policy.Rationale;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * The error document that a refused command is answered with: an error of ours, or where a cluster sharded by the declared
 * keys would refuse it, that cluster's.
 */
final class Refusal {
    /** The error code of a refusal that is ours; outside every range the server uses. */
    static final int CODE = 61001;

    static final String CODE_NAME = "ScatterGatherRefused";
    /** Not a label any driver retries on. */
    static final String LABEL = "ScatterguardRefused";

    /** Where the key is given, but so that the router cannot use it. */
    private static final Set<Note.Name> NEARER =
            EnumSet.of(Note.Name.KEY_UNDER_WRONG_PATH, Note.Name.MATCH_AFTER_LIMIT);

    private Refusal() {}

    /**
     * The reply to {@code command}, which is borrowed.
     *
     * @param judgement its route is about the statement that is refused
     * @param notes those on that statement
     */
    static BsonDocument document(CommandView command, Judgement judgement, List<Note> notes) {
        WouldFail failure = judgement.failure();
        String message = failure == null
                ? message(command, judgement, notes)
                : FailureText.of(command, judgement.route(), failure);
        return new BsonDocument("ok", new BsonDouble(0))
                .append(
                        "code",
                        new BsonInt32(failure == null ? CODE : failure.error().code()))
                .append(
                        "codeName",
                        new BsonString(
                                failure == null ? CODE_NAME : failure.error().codeName()))
                .append("errmsg", new BsonString(message))
                .append("errorLabels", new BsonArray(List.of(new BsonString(LABEL))))
                .append("scatterguard", details(command, judgement, notes));
    }

    private static String message(CommandView command, Judgement judgement, List<Note> notes) {
        Route route = judgement.route();
        Verdict verdict = judgement.verdict();
        StringBuilder text = new StringBuilder("Scatterguard refused ")
                .append(command.name())
                .append(" on ")
                .append(route.namespace());
        String why = RouteText.why(route);
        RoutingTable table = route.table();
        if (table != null && !why.contains(table.shardKey().toString())) {
            text.append(" with shard key ").append(table.shardKey());
        }
        if (verdict.rule() != null) {
            text.append(" by rule ").append(verdict.rule());
        }
        text.append(told(verdict));
        return text.append(": ")
                .append(why)
                .append(" To fix it, ")
                .append(fix(route, notes))
                .append("; or have it exempted and give it the comment \"scatterguard:allow=<exemption id>\".")
                .toString();
    }

    private static BsonDocument details(CommandView command, Judgement judgement, List<Note> notes) {
        Route route = judgement.route();
        WouldFail failure = judgement.failure();
        BsonDocument details = new BsonDocument(
                        "namespace", new BsonString(route.namespace().fullName()))
                .append("command", new BsonString(command.name()));
        RoutingTable table = route.table();
        if (table != null) {
            details.append("shardKey", new BsonString(table.shardKey().toString()));
            details.append(
                    "constrained",
                    strings(RouteText.constrained(route).stream()
                            .map(RouteText.Constrained::field)
                            .toList()));
            details.append("missing", strings(RouteText.missing(route)));
            if (route.isPlaced()) {
                details.append("shardTotal", new BsonInt32(table.owningShards().size()));
            }
        }
        Shape shape = route.shape();
        if (shape != null) {
            details.append("shape", new BsonString(shape.text()));
        }
        if (route.isPlaced()) {
            details.append("placement", new BsonString(route.placement().text()))
                    .append("shards", strings(route.registry().names(route.shards())));
        }
        details.append("statement", new BsonInt32(failure == null ? route.worstIndex() : failure.statement()))
                .append("shapeHash", new BsonString(QueryShapes.of(command).hash()))
                .append("reason", new BsonString(judgement.verdict().reason()));
        if (failure != null) {
            details.append("wouldFail", BsonBoolean.TRUE)
                    .append("cause", new BsonString(failure.cause().text()));
        }
        if (!notes.isEmpty()) {
            details.append(
                    "notes",
                    strings(notes.stream()
                            .map(note -> note.name().text())
                            .distinct()
                            .toList()));
        }
        if (judgement.verdict().rule() != null) {
            details.append("rule", new BsonString(judgement.verdict().rule()));
        }
        Rationale rationale = judgement.verdict().rationale();
        if (rationale.owner() != null) {
            details.append("owner", new BsonString(rationale.owner()));
        }
        if (rationale.reason() != null) {
            details.append("ruleReason", new BsonString(rationale.reason()));
        }
        return details;
    }

    /** In brackets what a rule says about itself, and that there were too many; nothing if there is nothing to say. */
    private static String told(Verdict verdict) {
        Rationale rationale = verdict.rationale();
        String told = Stream.of(
                        verdict.reason().equals(Reasons.THROTTLED) ? "above its rate" : null,
                        rationale.reason(),
                        rationale.owner() == null ? null : "ask " + rationale.owner())
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
        return told.isEmpty() ? "" : " (" + told + ")";
    }

    /** A note may know better than the route what to do. */
    private static String fix(Route route, List<Note> notes) {
        return notes.stream()
                .filter(note -> NEARER.contains(note.name()))
                .findFirst()
                .map(Note::fix)
                .orElseGet(() -> RouteText.fix(route));
    }

    private static BsonArray strings(List<String> values) {
        return new BsonArray(values.stream().map(BsonString::new).toList());
    }
}
