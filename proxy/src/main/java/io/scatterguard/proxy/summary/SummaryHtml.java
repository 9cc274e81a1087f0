package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.policy.ExemptionState;
import io.scatterguard.proxy.reports.Finding;
import io.scatterguard.proxy.reports.HtmlPage;
import io.scatterguard.proxy.reports.HtmlPage.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A summary as a page in one file, with charts. Whatever a chart shows stands in a table too. */
public final class SummaryHtml {
    private static final String STYLE = """
            .bar { display: block; width: 100%; min-width: 6rem; height: .6rem; margin-top: .3rem; }
            .bar .ground { fill: var(--raised); }
            .shape { margin: .15rem 0; }
            .cost, #days td.text { white-space: nowrap; }
            #shapes td:first-child, #new td:first-child { min-width: 16rem; }
            """;
    private static final List<Column> SUMS = List.of(
            Column.text("name"),
            Column.number("findings"),
            Column.number("refused"),
            Column.number("would refuse"),
            Column.number("exempted"),
            Column.number("shard time"),
            Column.number("of the cost"));

    private final HtmlPage page = HtmlPage.titled("Scatterguard: audit report").style(DayChart.STYLE + STYLE);
    private final Summary summary;

    private SummaryHtml(Summary summary) {
        this.summary = summary;
    }

    /** The document. */
    public static String of(Summary summary) {
        SummaryHtml html = new SummaryHtml(summary);
        html.head();
        html.days();
        html.shapes(
                "shapes",
                "Shapes by cost",
                summary.shapes().top(),
                summary.shapes().all());
        if (summary.period().since() != null) {
            String heading = "New since " + summary.period().since();
            html.shapes(
                    "new", heading, summary.shapes().fresh(), summary.shapes().allFresh());
        }
        Summary.Parts parts = summary.parts();
        html.ranking("apps", "By application", parts.apps());
        html.ranking("users", "By user", parts.users());
        html.ranking("owners", "By owner", parts.owners());
        html.ranking("collections", "By collection", parts.collections());
        html.ranking("rules", "By rule", parts.rules());
        html.exemptions();
        html.sources();
        return html.page.toHtml();
    }

    private void head() {
        page.heading(1, "Audit report");
        SummaryWords.head(summary).forEach(line -> page.element("p", line));
        SummaryWords.warnings(summary).forEach(line -> page.element("p", line, "class", "alarm"));
    }

    private void days() {
        page.section("days", "Per day");
        new DayChart(
                        page,
                        List.of(
                                new DayChart.Part("refused", 2, Sums::refused),
                                new DayChart.Part("logged", 1, Sums::logged),
                                new DayChart.Part("exempted", 3, Sums::exempted)),
                        Figures::count)
                .write("Findings and exempted commands per day", summary.days());
        new DayChart(page, List.of(new DayChart.Part("shard time", 1, Sums::shardMicros)), Figures::time)
                .write("Cost per day", summary.days());
        List<List<String>> rows = new ArrayList<>();
        for (Summary.Day day : summary.days()) {
            Sums sums = day.sums();
            rows.add(List.of(
                    day.day() == null ? "(other)" : day.day().toString(),
                    Figures.count(day.commands()),
                    Figures.count(sums.findings()),
                    Figures.count(sums.refused()),
                    Figures.count(sums.wouldRefuse()),
                    Figures.count(sums.exempted()),
                    Figures.time(sums.shardMicros()),
                    Figures.count(day.lost())));
        }
        page.table(
                "Per day, in UTC",
                List.of(
                        Column.text("day"),
                        Column.number("commands"),
                        Column.number("findings"),
                        Column.number("refused"),
                        Column.number("would refuse"),
                        Column.number("exempted"),
                        Column.number("shard time"),
                        Column.number("lost records")),
                rows);
        page.close();
    }

    private void shapes(String anchor, String heading, List<Finding> shapes, int all) {
        page.section(anchor, heading);
        List<Column> columns = List.of(
                Column.text("shape"),
                Column.number("times"),
                Column.number("shards"),
                Column.number("each"),
                Column.text("cost"));
        String which = shapes.size() < all ? "the first " + shapes.size() + " of " + all : String.valueOf(all);
        page.openTable(heading + ": " + which, columns);
        long most = shapes.stream()
                .mapToLong(finding -> finding.seen().shardMicros())
                .max()
                .orElse(0);
        for (Finding finding : shapes) {
            page.open("tr");
            page.cell(columns.get(0));
            shape(finding);
            page.close();
            Finding.Seen seen = finding.seen();
            page.cell(columns.get(1)).text(Figures.count(seen.times())).close();
            page.cell(columns.get(2)).text(shards(finding.reach())).close();
            page.cell(columns.get(3))
                    .text(Figures.time(seen.serverMicros() / Math.max(1, seen.times())))
                    .close();
            page.cell(columns.get(4));
            bar(seen.shardMicros(), most);
            page.close().close();
        }
        page.closeTable().close();
    }

    private void shape(Finding finding) {
        Finding.Subject subject = finding.subject();
        page.element("strong", subject.namespace()).text(" " + subject.command() + " ");
        page.element("span", finding.kind().text(), "class", "badge");
        page.open("p", "class", "shape").element("code", subject.shape()).close();
        List<String> apps = finding.clients().apps();
        page.element(
                "p",
                finding.id() + "; owner: " + finding.owner()
                        + (apps.isEmpty() ? "" : "; app: " + String.join(", ", apps)),
                "class",
                "quiet shape");
    }

    private static String shards(Finding.Reach reach) {
        return reach.shards() < 0 ? "–" : (reach.exact() ? "" : "≤ ") + reach.shards();
    }

    private void bar(long cost, long most) {
        long all = summary.totals().sums().shardMicros();
        page.element("span", Figures.time(cost) + ", " + Figures.percent(Figures.share(cost, all)), "class", "cost");
        page.open("svg", "class", "bar", "viewBox", "0 0 100 10", "preserveAspectRatio", "none", "aria-hidden", "true");
        page.open("rect", "width", "100", "height", "10", "class", "ground").close();
        String width = String.format(Locale.ROOT, "%.2f", 100 * Figures.share(cost, most));
        page.open("rect", "width", width, "height", "10", "class", "part-1").close();
        page.close();
    }

    private void ranking(String anchor, String heading, Ranking ranking) {
        List<List<String>> rows = new ArrayList<>();
        ranking.rows().forEach(row -> rows.add(SummaryWords.cells(summary, row.name(), row.sums())));
        if (!ranking.other().isNothing()) {
            rows.add(SummaryWords.cells(summary, SummaryWords.other(ranking), ranking.other()));
        }
        if (!ranking.unnamed().isNothing()) {
            rows.add(SummaryWords.cells(summary, SummaryWords.UNNAMED, ranking.unnamed()));
        }
        if (!rows.isEmpty()) {
            page.section(anchor, heading)
                    .table("Findings " + heading.toLowerCase(Locale.ROOT), SUMS, rows)
                    .close();
        }
    }

    private void exemptions() {
        Summary.Exemptions exemptions = summary.exemptions();
        if (exemptions.all().isEmpty() && exemptions.unnamed() == 0) {
            return;
        }
        page.section("exemptions", "Exemptions");
        long expiring = exemptions.all().stream()
                .filter(exemption -> exemption.state() == ExemptionState.EXPIRING)
                .count();
        if (expiring > 0) {
            page.element("p", Figures.count(expiring) + " about to expire", "class", "alarm");
        }
        if (exemptions.unnamed() > 0) {
            page.element("p", "Counted, by exemptions that are not recorded: " + Figures.count(exemptions.unnamed()));
        }
        page.table(
                "In use" + (exemptions.known() ? ", and in the configuration" : ""),
                List.of(
                        Column.text("id"),
                        Column.text("state"),
                        Column.text("until"),
                        Column.text("owner"),
                        Column.number("times"),
                        Column.text("last"),
                        Column.number("shard time")),
                exemptions.all().stream()
                        .map(exemption -> SummaryWords.cells(exemption, exemptions.known()))
                        .toList());
        page.close();
    }

    private void sources() {
        List<List<String>> rows = new ArrayList<>();
        for (Summary.Source source : summary.sources()) {
            rows.add(List.of(
                    SummaryWords.name(source),
                    Figures.count(source.records()),
                    Figures.count(source.gaps()),
                    Figures.count(source.lost()),
                    Figures.count(source.missing()),
                    Figures.count(source.repeated())));
        }
        List<Column> columns = List.of(
                Column.text("proxy"),
                Column.number("records"),
                Column.number("gaps"),
                Column.number("lost"),
                Column.number("missing"),
                Column.number("repeated"));
        page.section("sources", "Written by")
                .table("Proxies, and what is missing of each", columns, rows)
                .close();
    }
}
