package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.proxy.offline.AuditLine;
import io.scatterguard.proxy.offline.PolicyCase;
import io.scatterguard.proxy.offline.PolicyTrial;
import io.scatterguard.proxy.offline.PolicyTrial.Result;
import io.scatterguard.proxy.offline.TrialTally;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What came of testing a policy, and of comparing it with another. */
final class PolicyTestReport {
    private static final int SHOWN_SHAPES = 5;
    private static final int LISTED_SHAPES = 100;

    /** From what to what the treatment of a case changes. */
    record Change(Result from, Result to) {}

    private final PolicyTrial trial;
    private final @Nullable PolicyTrial before;
    private final TrialTally<Result> results = new TrialTally<>();
    private final TrialTally<Change> changes = new TrialTally<>();
    private final Set<String> idle;
    private final LeftOut leftOut = new LeftOut();
    private long tested;
    private long unreadable;

    /** @param before the policy to compare with; null for none */
    PolicyTestReport(PolicyTrial trial, @Nullable PolicyTrial before) {
        this.trial = trial;
        this.before = before;
        this.idle = new HashSet<>(trial.rules());
    }

    void add(PolicyCase tried) {
        Result result = trial.result(tried);
        tested++;
        idle.remove(result.by());
        results.add(result, tried);
        if (before != null) {
            Result previous = before.result(tried);
            if (previous.done() != result.done()) {
                changes.add(new Change(previous, result), tried);
            }
        }
    }

    /** A line of an audit log that tells too little. */
    void addLeftOut(AuditLine line) {
        leftOut.add(line);
    }

    void addUnreadable() {
        unreadable++;
    }

    long tested() {
        return tested;
    }

    long unreadable() {
        return unreadable;
    }

    /** Whether any case is treated differently. */
    boolean changes() {
        return !changes.isEmpty();
    }

    /** The rules that decided on nothing, in their order. */
    private List<String> idleRules() {
        return trial.rules().stream().filter(idle::contains).toList();
    }

    String text() {
        StringBuilder text = new StringBuilder("tested: " + tested + ", unreadable: " + unreadable + "\n");
        text.append(leftOut.text());
        for (TrialTally.Row<Result> row : results.rows(SHOWN_SHAPES)) {
            text.append(row.count()).append(' ').append(row.what()).append('\n');
            shapes(text, row.shapes());
        }
        idleRules().forEach(rule -> text.append("0 by ").append(rule).append('\n'));
        if (before != null) {
            text.append(changes.isEmpty() ? "nothing changes\n" : "changes:\n");
            for (TrialTally.Row<Change> row : changes.rows(SHOWN_SHAPES)) {
                text.append(row.count()).append(" from ").append(row.what().from());
                text.append(" to ").append(row.what().to()).append('\n');
                shapes(text, row.shapes());
            }
        }
        return text.toString();
    }

    private static void shapes(StringBuilder text, List<TrialTally.Seen> shapes) {
        for (TrialTally.Seen seen : shapes) {
            text.append("    ")
                    .append(seen.count())
                    .append(" x ")
                    .append(seen.namespace())
                    .append(": ")
                    .append(seen.shape().text())
                    .append(" (")
                    .append(seen.shape().hash())
                    .append(")\n");
        }
    }

    /** One document. */
    String json() {
        ObjectNode report = new ObjectMapper().createObjectNode();
        report.put("tested", tested).put("unreadable", unreadable);
        leftOut.write(report.putObject("leftOut"));
        ArrayNode decisions = report.putArray("decisions");
        for (TrialTally.Row<Result> row : results.rows(LISTED_SHAPES)) {
            ObjectNode decision = decisions.addObject();
            decision.put("by", row.what().by()).put("action", row.what().text()).put("count", row.count());
            shapes(decision.putArray("shapes"), row.shapes());
        }
        ArrayNode unused = report.putArray("rulesWithoutEffect");
        idleRules().forEach(unused::add);
        if (before != null) {
            ArrayNode changed = report.putArray("changes");
            for (TrialTally.Row<Change> row : changes.rows(LISTED_SHAPES)) {
                ObjectNode change = changed.addObject();
                change.put("fromAction", row.what().from().text())
                        .put("fromBy", row.what().from().by())
                        .put("toAction", row.what().to().text())
                        .put("toBy", row.what().to().by())
                        .put("count", row.count());
                shapes(change.putArray("shapes"), row.shapes());
            }
        }
        return report + "\n";
    }

    private static void shapes(ArrayNode array, List<TrialTally.Seen> shapes) {
        for (TrialTally.Seen seen : shapes) {
            array.addObject()
                    .put("namespace", seen.namespace())
                    .put("text", seen.shape().text())
                    .put("hash", seen.shape().hash())
                    .put("count", seen.count());
        }
    }
}
