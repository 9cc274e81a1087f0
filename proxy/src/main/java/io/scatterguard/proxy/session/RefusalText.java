package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.policy.Rationale;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Fix;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the developer of a refused command reads: what is wrong and what to do. Names only, never values. */
final class RefusalText {
    /** The comment that names an exemption. */
    static final String EXEMPTING_COMMENT = "scatterguard:allow=<exemption id>";

    /** Nothing was found out about the command, so that nothing about it can be put right. */
    private static final String OUR_FAULT = "a fault of the proxy kept it from being judged, and policy.onInternalError"
            + " refuses what it could not judge. It cannot pass: no exemption is looked at. The proxy's log has the fault.";

    private RefusalText() {}

    /** The text on {@code command}, which is borrowed; the parameters are those of {@link Refusal#document}. */
    static String of(CommandView command, Judgement judgement, List<Note> notes, RefusalTerms terms) {
        return switch (terms.detail()) {
            case FULL -> full(command, judgement, notes, terms);
            case NAMES_ONLY -> head(command, judgement, "", false) + leftOut(judgement.route());
            case CODE_ONLY -> "Scatterguard refused the command.";
        };
    }

    private static String full(CommandView command, Judgement judgement, List<Note> notes, RefusalTerms terms) {
        Route route = judgement.route();
        if (judgement.verdict().reason().equals(Reasons.INTERNAL_ERROR)) {
            return head(command, judgement, "", true) + ": " + OUR_FAULT;
        }
        WouldFail failure = judgement.failure();
        RoutingTable table = route.table();
        String problem = failure == null ? RouteText.why(route) : problem(route, failure);
        String key = table == null ? "" : table.shardKey().toString();
        return head(command, judgement, problem.contains(key) ? "" : " with shard key " + key, true) + ": " + problem
                + (failure == null ? constrained(route) : "")
                + advice(fix(judgement, notes), terms);
    }

    private static String head(CommandView command, Judgement judgement, String key, boolean full) {
        String rule = judgement.verdict().rule();
        return "Scatterguard refused " + command.name() + " on "
                + judgement.route().namespace()
                + key
                + (rule == null ? "" : " by rule " + rule)
                + told(judgement.verdict(), full);
    }

    /** In brackets that there were too many, and if {@code full} what a rule says about itself; nothing if there is nothing to say. */
    private static String told(Verdict verdict, boolean full) {
        Rationale rationale = full ? verdict.rationale() : Rationale.NONE;
        String told = Stream.of(
                        verdict.reason().equals(Reasons.THROTTLED) ? "above its rate" : null,
                        rationale.reason(),
                        rationale.owner() == null ? null : "ask " + rationale.owner())
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
        return told.isEmpty() ? "" : " (" + told + ")";
    }

    private static String problem(Route route, WouldFail failure) {
        return "a sharded cluster of release " + route.release() + " answers with "
                + failure.error().codeName() + " (" + failure.error().code() + "), because "
                + failure.cause().problem() + ".";
    }

    private static String leftOut(Route route) {
        List<String> missing = RouteText.missing(route);
        return missing.isEmpty() ? "." : ": it leaves out " + quoted(missing) + ".";
    }

    /** Which fields of the key are given and which are not; empty where no key decides. */
    private static String constrained(Route route) {
        String given = RouteText.constrained(route).stream()
                .map(field -> "\"" + field.field() + "\" by " + field.how())
                .collect(Collectors.joining(" and "));
        List<String> missing = RouteText.missing(route);
        if (given.isEmpty()) {
            return missing.isEmpty() ? "" : " It constrains no field of the key.";
        }
        return " It constrains " + given + (missing.isEmpty() ? "." : ", and leaves out " + quoted(missing) + ".");
    }

    private static String advice(String fix, RefusalTerms terms) {
        String exemption = !terms.exemptible()
                ? "the rule allows no exemption"
                : "have it exempted"
                        + (terms.byComment() ? " and give it the comment \"" + EXEMPTING_COMMENT + "\"" : "");
        if (!fix.isEmpty()) {
            return " To fix it, " + fix + (terms.exemptible() ? "; or " : "; ") + exemption + ".";
        }
        return terms.exemptible() ? " To let it pass, " + exemption + "." : " It cannot pass: " + exemption + ".";
    }

    /** The nearest fix, a clause; empty if there is none. A note may know better than the route what to do. */
    static String fix(Judgement judgement, List<Note> notes) {
        return Fix.of(judgement.route(), judgement.failure(), notes).clause();
    }

    private static String quoted(List<String> fields) {
        return "\"" + String.join("\", \"", fields) + "\"";
    }
}
