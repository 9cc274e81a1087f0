package io.scatterguard.proxy.explain;

import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.KeyLookup;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.SecondaryRoute;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementExplanation;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.ArrayList;
import java.util.List;

/** An explanation for people: the verdict first, then the reasoning; lines of at most {@link Rows#WIDTH} columns. */
public final class ExplanationText {
    private static final int MAX_SHARD_NAMES = 10;

    private final Explanation explanation;
    private final Route route;
    private final Rows rows = new Rows();

    private ExplanationText(Explanation explanation) {
        this.explanation = explanation;
        this.route = explanation.route();
    }

    /**
     * The text, ended by a line break.
     *
     * @param hints what else is to be said of the command, one sentence each
     */
    public static String of(Explanation explanation, List<String> hints) {
        ExplanationText text = new ExplanationText(explanation);
        text.write(hints);
        return text.rows.toString();
    }

    private void write(List<String> hints) {
        int total = route.statements().size();
        String subject =
                explanation.command() + (route.namespace().fullName().isEmpty() ? "" : " on " + route.namespace());
        rows.line(subject + ": " + (total == 1 ? "" : total + " statements, the worst: ") + verdict(route))
                .blank()
                .row("hint", hints)
                .row("fails", failure(total));
        if (total == 1) {
            statement(explanation.statements().get(0));
        }
        basis();
        if (total > 1) {
            batch(total);
        }
    }

    private String failure(int total) {
        WouldFail failure = explanation.wouldFail();
        return failure == null
                ? ""
                : (total == 1 ? "" : "Statement " + failure.statement() + ": ") + failure.sentence() + " To fix it, "
                        + failure.cause().fix() + ".";
    }

    /** What the whole command was predicted by. */
    private void basis() {
        if (route.kind() != Route.Kind.NOT_ROUTED) {
            ShardSet all = route.shards().union(route.contacted());
            String known = all.isEmpty() ? "none" : names(all);
            rows.row("shards", route.isPlaced() ? known : "not known: of the collection only the key was read");
            rows.row(
                    "besides",
                    route.contacted().isEmpty() || !route.isPlaced()
                            ? ""
                            : names(route.contacted()) + " (a merge, or a first hop)");
            rows.row(
                    "then",
                    explanation.secondary().stream().map(this::secondary).toList());
            rows.row("labels", labels(route));
        }
        RoutingTable used = route.table();
        String table = used == null || !route.isPlaced()
                ? ""
                : used.collection().declared()
                        ? ", a declared shard key"
                        : ", routing table of version " + used.version();
        rows.row("basis", "rules of mongos " + route.release() + table);
        rows.row("", RouteText.ofRelease(route));
    }

    /** For instance {@code $lookup on shop.customers: singleShard for each document, at most 3 shards}. */
    private String secondary(SecondaryRoute secondary) {
        Shape shape = secondary.shape();
        int count = secondary.shards().size();
        if (count == 0) {
            return secondary.stage() + " on " + secondary.namespace() + ": "
                    + (shape == null ? "" : shape.text() + (secondary.perDocument() ? " for each document, " : ", "))
                    + "shards not known";
        }
        return secondary.stage() + " on " + secondary.namespace() + ": "
                + (shape == null ? "" : shape.text() + (secondary.perDocument() ? " for each document, " : ", "))
                + (secondary.certainty() == Certainty.UPPER_BOUND ? "at most " : "")
                + (count == 1 ? "1 shard: " + names(secondary.shards()) : count + " shards");
    }

    private void batch(int total) {
        for (StatementExplanation statement : explanation.statements()) {
            rows.blank();
            String document = statement.document() == null ? "" : ", " + ShellText.of(statement.document());
            rows.line("statement " + statement.index() + document);
            rows.line("-> " + verdict(statement.route())).blank();
            statement(statement);
        }
        int hidden = total - explanation.statements().size();
        if (hidden > 0) {
            rows.blank().line(hidden + " more statements are not shown.");
        }
    }

    private void statement(StatementExplanation statement) {
        Route its = statement.route();
        rows.row("why", RouteText.why(its));
        rows.row("fix", RouteText.fix(its));
        rows.row(
                "note",
                explanation.notes().stream()
                        .filter(note -> note.statement() == statement.index())
                        .map(Note::sentence)
                        .toList());
        boolean keyed = its.worst().shape() != null || its.worst().error() != null;
        rows.row(
                "shard key",
                its.table() == null || !keyed ? "" : its.table().shardKey().toString());
        rows.row("pipeline", statement.pipeline());
        for (KeyLookup lookup : statement.lookups()) {
            LookupText.write(lookup, rows);
        }
    }

    /** For instance {@code scatter-gather, 3 of 3 shards}. */
    private String verdict(Route route) {
        StatementRoute worst = route.worst();
        PredictedError error = worst.error();
        if (route.kind() == Route.Kind.NOT_ROUTED) {
            return "not routed";
        }
        if (error != null) {
            return "error " + error.codeName() + " (" + error.code() + ")";
        }
        if (!route.isPlaced()) {
            Shape shape = worst.shape();
            return character(route, worst) + (shape == null ? "placement not known" : "shape " + shape.text());
        }
        ShardSet all = route.shards().union(route.contacted());
        int total = route.shardTotal();
        boolean bound = route.certainty() == Certainty.UPPER_BOUND || route.isMostPlacement();
        return character(route, worst) + (bound ? "at most " : "") + all.size() + " of " + total
                + (total == 1 ? " shard" : " shards") + (all.size() == 1 ? ": " + names(all) : "");
    }

    private static String character(Route route, StatementRoute worst) {
        if (route.isIntrinsic()) {
            return "by its nature, ";
        } else if (worst.reason() == Reason.EXACT_ID_BROADCAST || worst.reason() == Reason.WRITE_BROADCAST) {
            return "broadcast, ";
        } else if (worst.shape() == Shape.SCATTER_GATHER) {
            return "scatter-gather, ";
        }
        return worst.reason() == Reason.UNSHARDED ? "unsharded, " : "";
    }

    private static String labels(Route route) {
        List<String> labels = new ArrayList<>();
        if (route.isPlaced()) {
            labels.add("placement " + route.placement().text());
        }
        Shape shape = route.shape();
        if (shape != null) {
            labels.add("shape " + shape.text());
        }
        labels.add("certainty " + route.certainty().text());
        if (route.isIntrinsic()) {
            labels.add("intrinsic");
        }
        return String.join(", ", labels);
    }

    private String names(ShardSet shards) {
        List<String> names = route.registry().names(shards);
        int more = names.size() - MAX_SHARD_NAMES;
        return more <= 0
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MAX_SHARD_NAMES)) + " and " + more + " more";
    }
}
