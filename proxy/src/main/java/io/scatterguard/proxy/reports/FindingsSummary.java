package io.scatterguard.proxy.reports;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What all findings come to, in a line or two. */
final class FindingsSummary {
    private FindingsSummary() {}

    /** How many there are. */
    static String counts(Findings findings) {
        int fresh = findings.fresh().size();
        return fresh + " new, " + (findings.all().size() - fresh) + " known; "
                + findings.totals().commands() + " commands, "
                + findings.totals().exempted() + " exempted";
    }

    /** How often the new ones came and whose they are; empty if there are none. */
    static String ofNew(Findings findings) {
        List<Finding> fresh = findings.fresh();
        if (fresh.isEmpty()) {
            return "";
        }
        long times = fresh.stream().mapToLong(finding -> finding.seen().times()).sum();
        Set<String> owners = fresh.stream().map(Finding::owner).collect(Collectors.toSet());
        return VisibleText.of("new ones came " + times + " times; owners: "
                + owners.stream().sorted().collect(Collectors.joining(", ")));
    }

    /** What is not listed; empty if all is. */
    static String beyond(Findings findings) {
        return findings.totals().beyond() == 0
                ? ""
                : "not listed: " + findings.totals().beyond() + " findings of no known shape, or of shapes beyond "
                        + FindingsTally.MAX_SHAPES;
    }
}
