package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.policy.ExemptionState;
import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.Finding;
import io.scatterguard.proxy.reports.VisibleText;
import java.util.List;
import java.util.function.Supplier;

/** A summary for a terminal. */
public final class SummaryText {
    private static final String[] SUMS = {"findings", "refused", "would refuse", "exempted", "shard time", "of cost"};

    private final StringBuilder text = new StringBuilder();
    private final Summary summary;
    private final Colours colours;

    private SummaryText(Summary summary, Colours colours) {
        this.summary = summary;
        this.colours = colours;
    }

    /** @param colours how to write on the terminal */
    public static String of(Summary summary, Colours colours) {
        SummaryText report = new SummaryText(summary, colours);
        report.head();
        report.days();
        report.shapes("Shapes by cost", summary.shapes().top(), summary.shapes().all());
        if (summary.period().since() != null) {
            report.shapes(
                    "New since " + summary.period().since(),
                    summary.shapes().fresh(),
                    summary.shapes().allFresh());
        }
        Summary.Parts parts = summary.parts();
        report.ranking("By application", parts.apps());
        report.ranking("By user", parts.users());
        report.ranking("By owner", parts.owners());
        report.ranking("By collection", parts.collections());
        report.ranking("By rule", parts.rules());
        report.exemptions();
        report.sources();
        return report.text.toString();
    }

    private void head() {
        for (String line : SummaryWords.head(summary)) {
            boolean first = text.length() == 0;
            text.append(first ? colours.strong(line) : line).append('\n');
        }
        for (String line : SummaryWords.warnings(summary)) {
            text.append(colours.alarming(line)).append('\n');
        }
    }

    private void title(String title) {
        text.append('\n').append(colours.strong(title)).append('\n');
    }

    private void days() {
        if (summary.days().isEmpty()) {
            return;
        }
        title("Per day (UTC)");
        TextTable table = new TextTable(
                "day", "commands", "findings", "refused", "would refuse", "exempted", "shard time", "lost");
        for (Summary.Day day : summary.days()) {
            Sums sums = day.sums();
            table.row(
                    day.day() == null ? "(other)" : day.day().toString(),
                    Figures.count(day.commands()),
                    Figures.count(sums.findings()),
                    Figures.count(sums.refused()),
                    Figures.count(sums.wouldRefuse()),
                    Figures.count(sums.exempted()),
                    Figures.time(sums.shardMicros()),
                    Figures.count(day.lost()));
        }
        table.writeTo(text, colours);
    }

    private void shapes(String heading, List<Finding> shapes, int all) {
        title(heading + " (" + (shapes.size() < all ? "the first " + shapes.size() + " of " : "") + all + ")");
        for (Finding finding : shapes) {
            Finding.Subject subject = finding.subject();
            text.append("  ").append(VisibleText.of(finding.id())).append(' ');
            text.append(finding.kind().text()).append(' ');
            text.append(colours.strong(VisibleText.of(subject.namespace()))).append(' ');
            text.append(VisibleText.of(subject.command())).append('\n');
            text.append("    ").append(VisibleText.of(subject.shape())).append('\n');
            text.append("    ").append(SummaryWords.cost(summary, finding)).append('\n');
            text.append("    owner: ").append(VisibleText.of(finding.owner()));
            if (!finding.clients().apps().isEmpty()) {
                text.append("; app: ")
                        .append(VisibleText.of(
                                String.join(", ", finding.clients().apps())));
            }
            text.append('\n');
        }
    }

    private void ranking(String heading, Ranking ranking) {
        TextTable table = new TextTable(columns("name"));
        ranking.rows().forEach(row -> table.row(cells(row::name, row.sums())));
        if (!ranking.other().isNothing()) {
            table.row(cells(() -> SummaryWords.other(ranking), ranking.other()));
        }
        if (!ranking.unnamed().isNothing()) {
            table.row(cells(() -> SummaryWords.UNNAMED, ranking.unnamed()));
        }
        if (!table.isEmpty()) {
            title(heading);
            table.writeTo(text, colours);
        }
    }

    private static String[] columns(String first) {
        String[] columns = new String[SUMS.length + 1];
        columns[0] = first;
        System.arraycopy(SUMS, 0, columns, 1, SUMS.length);
        return columns;
    }

    private String[] cells(Supplier<String> name, Sums sums) {
        return SummaryWords.cells(summary, name.get(), sums).toArray(String[]::new);
    }

    private void exemptions() {
        Summary.Exemptions exemptions = summary.exemptions();
        TextTable table = new TextTable("id", "state", "until", "owner", "times", "last", "shard time");
        for (Summary.Exemption exemption : exemptions.all()) {
            List<String> cells = SummaryWords.cells(exemption, exemptions.known());
            table.row(cells.toArray(String[]::new));
        }
        if (!table.isEmpty() || exemptions.unnamed() > 0) {
            title("Exemptions");
            table.writeTo(text, colours);
            long expiring = exemptions.all().stream()
                    .filter(exemption -> exemption.state() == ExemptionState.EXPIRING)
                    .count();
            if (expiring > 0) {
                text.append(colours.alarming("  " + expiring + " about to expire"))
                        .append('\n');
            }
            if (exemptions.unnamed() > 0) {
                text.append("  counted, by exemptions that are not recorded: ")
                        .append(Figures.count(exemptions.unnamed()))
                        .append('\n');
            }
        }
    }

    private void sources() {
        TextTable table = new TextTable("proxy", "records", "gaps", "lost", "missing", "repeated");
        for (Summary.Source source : summary.sources()) {
            table.row(
                    SummaryWords.name(source),
                    Figures.count(source.records()),
                    Figures.count(source.gaps()),
                    Figures.count(source.lost()),
                    Figures.count(source.missing()),
                    Figures.count(source.repeated()));
        }
        if (!table.isEmpty()) {
            title("Written by");
            table.writeTo(text, colours);
        }
    }
}
