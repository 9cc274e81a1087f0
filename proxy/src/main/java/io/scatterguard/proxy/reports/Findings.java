package io.scatterguard.proxy.reports;

import java.util.Comparator;
import java.util.List;

/** What audit records added up to. */
public record Findings(List<Finding> all, Totals totals) {
    static final Comparator<Finding> ORDER = Comparator.comparing(Finding::known)
            .thenComparing(
                    Comparator.<Finding>comparingLong(finding -> finding.seen().shardMicros())
                            .reversed())
            .thenComparing(
                    Comparator.<Finding>comparingLong(finding -> finding.seen().times())
                            .reversed())
            .thenComparing(Finding::id);

    public Findings {
        all = List.copyOf(all);
    }

    /**
     * @param commands how many were judged, or records read
     * @param exempted how many commands an exemption let pass
     * @param beyond how many findings are of shapes that are not listed, because there are too many
     */
    public record Totals(long commands, long exempted, long beyond) {}

    /** Those that are not in the baseline. */
    public List<Finding> fresh() {
        return all.stream().filter(finding -> !finding.known()).toList();
    }
}
