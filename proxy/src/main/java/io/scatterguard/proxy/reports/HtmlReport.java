package io.scatterguard.proxy.reports;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Findings as one HTML page: a summary, a table of all, and each with everything that {@link TextReport} says of it. */
public final class HtmlReport {
    /** Browsers show so many without delay; the page says how many it leaves out, the least costly ones. */
    static final int MAX_FINDINGS = 2_000;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final List<HtmlPage.Column> COLUMNS = List.of(
            HtmlPage.Column.text("finding"),
            HtmlPage.Column.text("namespace"),
            HtmlPage.Column.text("command"),
            HtmlPage.Column.text("owner"),
            HtmlPage.Column.number("shards"),
            HtmlPage.Column.number("times"),
            HtmlPage.Column.number("shard seconds"));
    private static final String STYLE = """
            td .badge { white-space: nowrap; }
            td:first-child { min-width: 11rem; }
            article { border: 1px solid var(--line); border-radius: .4rem; padding: 1rem; margin: 1rem 0; }
            article h3 code { font-weight: 400; }
            .totals { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; padding: 0; list-style: none; }
            .totals li { background: var(--raised); border-radius: .4rem; padding: .5rem 1rem; min-width: 7rem; }
            .totals strong { display: block; font-size: 1.5rem; line-height: 1.3; }
            .facts { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .3rem .75rem; margin: .75rem 0 0; }
            .facts dt { color: var(--quiet); }
            .facts dd { margin: 0; }
            .facts pre { margin: 0; }
            .fix { font-weight: 600; }
            @media (max-width: 40rem) {
              .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
              .facts dt { margin-top: .5rem; font-size: .9rem; }
            }
            @media print { article { break-inside: auto; } }
            """;

    private final HtmlPage page = HtmlPage.titled("Scatterguard findings").style(STYLE);
    private final Findings findings;
    private final List<Finding> shown;

    private HtmlReport(Findings findings) {
        this.findings = findings;
        this.shown =
                findings.all().subList(0, Math.min(MAX_FINDINGS, findings.all().size()));
    }

    /** The page, with a line feed. The encoding is UTF-8. */
    public static String of(Findings findings) {
        HtmlReport report = new HtmlReport(findings);
        report.summary();
        if (!findings.all().isEmpty()) {
            report.overview();
            report.details();
            report.kinds();
        }
        return report.page.toHtml();
    }

    private void summary() {
        int fresh = findings.fresh().size();
        page.heading(1, "Scatterguard findings").open("ul", "class", "totals");
        total(fresh, "new", fresh > 0 ? "alarm" : "good");
        total(findings.all().size() - fresh, "known", "");
        total(findings.totals().commands(), "commands", "");
        total(findings.totals().exempted(), "exempted", "");
        page.close();
        String ofNew = FindingsSummary.ofNew(findings);
        paragraph(ofNew.isEmpty() ? "There are no new findings." : "The " + ofNew + ".");
        paragraph(FindingsSummary.beyond(findings));
        int more = findings.all().size() - shown.size();
        paragraph(more == 0 ? "" : "Not on this page: " + more + " more findings. The other formats have them all.");
    }

    private void total(long number, String what, String mark) {
        page.open("li").element("strong", String.valueOf(number), "class", mark);
        page.text(what).close();
    }

    private void paragraph(String text) {
        if (!text.isEmpty()) {
            page.element("p", text);
        }
    }

    private void overview() {
        page.section("overview", "Overview").openTable("New ones first, then by cost", COLUMNS);
        for (int i = 0; i < shown.size(); i++) {
            Finding finding = shown.get(i);
            page.open("tr").cell(COLUMNS.get(0));
            badge(finding);
            page.text(" ").open("a", "href", "#" + anchor(i)).element("code", finding.id());
            page.close().close();
            List<String> rest = List.of(
                    finding.subject().namespace(),
                    finding.subject().command(),
                    finding.owner(),
                    shards(finding.reach()),
                    String.valueOf(finding.seen().times()),
                    String.format(Locale.ROOT, "%.3f", finding.seen().shardMicros() / 1_000_000.0));
            IntStream.range(0, rest.size())
                    .forEach(at ->
                            page.cell(COLUMNS.get(at + 1)).text(rest.get(at)).close());
            page.close();
        }
        page.closeTable().close();
    }

    private static String shards(Finding.Reach reach) {
        String text = FindingText.shards(reach);
        return reach.shards() < 0 ? "not known" : text.substring(0, text.lastIndexOf(' '));
    }

    private void badge(Finding finding) {
        page.element("span", FindingText.state(finding), "class", finding.known() ? "badge" : "badge alarm");
    }

    /** The id is a hash, but an audit log may say anything. */
    private String anchor(int index) {
        String id = shown.get(index).id();
        return WORD.matcher(id).matches() ? "finding-" + id : "finding-no-" + index;
    }

    private void details() {
        page.section("findings", "Findings");
        for (int i = 0; i < shown.size(); i++) {
            Finding finding = shown.get(i);
            page.open("article", "id", anchor(i)).open("h3");
            badge(finding);
            page.text(" " + finding.subject().namespace() + " "
                    + finding.subject().command() + " ");
            page.element("code", finding.id(), "class", "quiet").close();
            page.open("dl", "class", "facts");
            FindingText.of(finding).lines().forEach(line -> fact(finding, line));
            page.close().close();
        }
        page.close();
    }

    private void fact(Finding finding, FindingText.Line line) {
        page.element("dt", line.part().title()).open("dd");
        switch (line.part()) {
            case COMMAND, ACCEPT -> page.element("pre", line.value());
            case FIX -> page.element("span", line.value(), "class", "fix");
            case DOCS -> page.element("a", line.value(), "href", "#" + kind(finding.kind()));
            default -> page.text(line.value());
        }
        page.close();
    }

    private static String kind(Finding.Kind kind) {
        return "kind-" + kind.anchor();
    }

    /** What the findings' documentation says of their kinds: the page is read where that is not at hand. */
    private void kinds() {
        page.section("kinds", "Kinds");
        for (Finding.Kind kind : shown.stream().map(Finding::kind).collect(Collectors.toCollection(TreeSet::new))) {
            page.open("div", "id", kind(kind)).heading(3, kind.text());
            page.element("p", KindHelp.plain(kind)).close();
        }
        page.close();
    }
}
