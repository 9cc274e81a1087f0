package io.scatterguard.proxy.reports;

/** Findings for a terminal. The first line of each can be searched for: id, new or known, kind, namespace, command. */
public final class TextReport {
    private final StringBuilder text = new StringBuilder();
    private final Colours colours;

    private TextReport(Colours colours) {
        this.colours = colours;
    }

    /** @param colours how to write on the terminal */
    public static String of(Findings findings, Colours colours) {
        TextReport report = new TextReport(colours);
        findings.all().forEach(report::finding);
        report.totals(findings);
        return report.text.toString();
    }

    private void finding(Finding finding) {
        Finding.Subject subject = finding.subject();
        String state = FindingText.state(finding);
        text.append(VisibleText.of(finding.id())).append(' ');
        text.append(finding.known() ? state : colours.alarming(state));
        text.append(' ').append(colours.strong(VisibleText.of(subject.namespace())));
        text.append(' ').append(VisibleText.of(subject.command())).append('\n');
        FindingText.of(finding)
                .lines()
                .forEach(line -> text.append("  ").append(line).append('\n'));
        text.append('\n');
    }

    private void totals(Findings findings) {
        String counts = FindingsSummary.counts(findings);
        String fresh = FindingsSummary.ofNew(findings);
        String beyond = FindingsSummary.beyond(findings);
        text.append(fresh.isEmpty() ? counts : colours.strong(counts) + " (" + fresh + ")")
                .append('\n');
        text.append(beyond.isEmpty() ? "" : beyond + "\n");
    }
}
