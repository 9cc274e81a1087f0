package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one line: the prediction, and whether it is what the line expects.
 *
 * @param id of the line
 * @param release the router's release that was predicted for; null where none matters
 * @param prediction null for a line without a command and for one that was left out
 * @param agree null where the line expects nothing, or was left out
 * @param detail what was expected and what predicted, for a reader; empty where there is nothing to say
 * @param unpredicted an error in the line that a shard raised after the router had targeted the command, which no router
 *     predicts; null in general
 * @param skipped why the line was left out; null in general
 */
public record Outcome(
        String id,
        @Nullable RouterRelease release,
        @Nullable Prediction prediction,
        @Nullable Boolean agree,
        String detail,
        @Nullable Integer unpredicted,
        @Nullable String skipped) {

    /** What was found for one release: empty where all agrees. */
    record Finding(RouterRelease release, Prediction prediction, String disagreement) {}

    static Outcome skipped(String id, String why) {
        return new Outcome(id, null, null, null, "", null, why);
    }

    /** Of a line that expects the same of several releases: that of the first release that disagrees, or of the first. */
    static Outcome of(String id, List<Finding> findings) {
        Finding worst = findings.get(0);
        for (Finding finding : findings) {
            if (!finding.disagreement().isEmpty()) {
                worst = finding;
                break;
            }
        }
        boolean agree = worst.disagreement().isEmpty();
        String detail = agree ? "" : "release " + worst.release() + ": " + worst.disagreement();
        return new Outcome(id, worst.release(), worst.prediction(), agree, detail, null, null);
    }

    /** The outcome as one line of JSON, without a line feed. */
    public String toJson() {
        return OutcomeJson.of(this);
    }
}
