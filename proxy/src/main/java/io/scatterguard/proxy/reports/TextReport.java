package io.scatterguard.proxy.reports;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Findings for a terminal. The first line of each can be searched for: id, new or known, kind, namespace, command. */
public final class TextReport {
    private static final String DOCUMENTATION = "docs/findings.md#";

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
        String what = (finding.known() ? "known " : "new ") + finding.kind().text();
        text.append(finding.id()).append(' ');
        text.append(finding.known() ? what : colours.alarming(what));
        text.append(' ').append(colours.strong(subject.namespace())).append(' ').append(subject.command());
        text.append('\n');
        line("", subject.shape());
        key(finding);
        line("", reach(finding));
        line("why", finding.cause().why());
        rule(finding.cause());
        line("fix", finding.cause().fix());
        line("", finding.cause().fixFilter());
        DriverHint.of(finding).ifPresent(hint -> line("", hint));
        line("notes", String.join(", ", finding.cause().notes()));
        line("test", String.join(", ", finding.clients().tests()));
        line("app", String.join(", ", finding.clients().apps()));
        line("owner", finding.owner());
        if (!finding.known()) {
            line("accept", "scatterguard baseline accept " + finding.id() + " --owner TEAM --until DATE");
        }
        line("docs", DOCUMENTATION + finding.kind().anchor());
        text.append('\n');
    }

    private void line(String label, String value) {
        if (!value.isEmpty()) {
            text.append("  ");
            if (!label.isEmpty()) {
                text.append(label).append(": ");
            }
            text.append(value).append('\n');
        }
    }

    private void key(Finding finding) {
        Finding.KeyUse key = finding.key();
        if (key == null) {
            return;
        }
        String fields = key.fields().stream().map(TextReport::field).collect(Collectors.joining(", "));
        line("shard key", key.pattern() + "   " + fields);
    }

    private static String field(Finding.KeyField field) {
        return field.by() == null ? "✗ " + field.name() + " missing" : "✓ " + field.name() + " (" + field.by() + ")";
    }

    private static String reach(Finding finding) {
        Finding.Reach reach = finding.reach();
        Finding.Seen seen = finding.seen();
        String shards;
        if (reach.shards() < 0) {
            shards = "shards not known";
        } else {
            shards = (reach.exact() ? "" : "at most ")
                    + (reach.total() > 0 ? reach.shards() + " of " + reach.total() : String.valueOf(reach.shards()))
                    + " shards";
        }
        String times = seen.times() == 1 ? "once" : seen.times() + " times";
        String refused = seen.refused() == 0 ? "" : ", refused or to be refused " + seen.refused();
        String cost = seen.serverMicros() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", %.1f ms each, %.1f s of shards in all",
                        seen.serverMicros() / 1_000.0 / seen.times(),
                        seen.shardMicros() / 1_000_000.0);
        return shards + ", " + times + refused + cost;
    }

    private void rule(Finding.Cause cause) {
        if (cause.rule() != null) {
            line("rule", cause.rule() + (cause.ruleReason() == null ? "" : " (" + cause.ruleReason() + ")"));
        }
    }

    private void totals(Findings findings) {
        List<Finding> fresh = findings.fresh();
        long times = fresh.stream().mapToLong(finding -> finding.seen().times()).sum();
        Set<String> owners = fresh.stream().map(Finding::owner).collect(Collectors.toSet());
        String summary = fresh.size() + " new, " + (findings.all().size() - fresh.size()) + " known; "
                + findings.totals().commands() + " commands, "
                + findings.totals().exempted() + " exempted";
        text.append(fresh.isEmpty() ? summary : colours.strong(summary));
        if (!fresh.isEmpty()) {
            text.append(" (new ones came ").append(times).append(" times; owners: ");
            text.append(owners.stream().sorted().collect(Collectors.joining(", ")))
                    .append(')');
        }
        text.append('\n');
        if (findings.totals().beyond() > 0) {
            text.append("not listed: ").append(findings.totals().beyond());
            text.append(" findings of no known shape, or of shapes beyond ")
                    .append(FindingsTally.MAX_SHAPES)
                    .append('\n');
        }
    }
}
