package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.policy.Rationale;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The field {@code scatterguard} of a refusal: what its text says, for programs. Each is described in docs/refusals.md. */
final class RefusalDetails {
    private RefusalDetails() {}

    /** All of them; the parameters are those of {@link Refusal#document}. */
    static BsonDocument all(CommandView command, Judgement judgement, List<Note> notes, RefusalTerms terms) {
        Route route = judgement.route();
        WouldFail failure = judgement.failure();
        BsonDocument details = new BsonDocument(
                        "namespace", new BsonString(route.namespace().fullName()))
                .append("command", new BsonString(command.name()));
        key(details, route);
        placement(details, route);
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
        rule(details, judgement);
        rationale(details, judgement.verdict().rationale());
        String fix = RefusalText.fix(judgement, notes);
        if (!fix.isEmpty()) {
            details.append("fix", new BsonString(fix));
        }
        details.append("exemptible", BsonBoolean.valueOf(terms.exemptible()));
        return details;
    }

    /** Those that only name what the application knows by itself: where it went, by which rule, and what is missing. */
    static BsonDocument names(Judgement judgement) {
        Route route = judgement.route();
        BsonDocument details =
                new BsonDocument("namespace", new BsonString(route.namespace().fullName()));
        if (route.table() != null) {
            details.append("missing", strings(RouteText.missing(route)));
        }
        if (judgement.failure() != null) {
            details.append("wouldFail", BsonBoolean.TRUE);
        }
        rule(details, judgement);
        return details;
    }

    private static void key(BsonDocument details, Route route) {
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
    }

    private static void placement(BsonDocument details, Route route) {
        Shape shape = route.shape();
        if (shape != null) {
            details.append("shape", new BsonString(shape.text()));
        }
        if (route.isPlaced()) {
            details.append("placement", new BsonString(route.placement().text()))
                    .append("shards", strings(route.registry().names(route.shards())));
        }
    }

    private static void rule(BsonDocument details, Judgement judgement) {
        if (judgement.verdict().rule() != null) {
            details.append("rule", new BsonString(judgement.verdict().rule()));
        }
    }

    private static void rationale(BsonDocument details, Rationale rationale) {
        if (rationale.owner() != null) {
            details.append("owner", new BsonString(rationale.owner()));
        }
        if (rationale.reason() != null) {
            details.append("ruleReason", new BsonString(rationale.reason()));
        }
    }

    private static BsonArray strings(List<String> values) {
        return new BsonArray(values.stream().map(BsonString::new).toList());
    }
}
