package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
    @Test
    void theOverviewLeadsToEachFinding() {
        String html = HtmlReport.of(SampleFindings.both());
        assertThat(html)
                .contains("<a href=\"#finding-" + SampleFindings.ID + "\"><code>" + SampleFindings.ID + "</code></a>")
                .contains("<article id=\"finding-" + SampleFindings.ID + "\">")
                .contains("<td class=\"number\">at most 3 of 4</td>", "<td class=\"number\">not known</td>")
                .contains("<strong class=\"alarm\">1</strong>new", "<div id=\"kind-by-rule\">")
                .doesNotContain("<div id=\"kind-multi-shard\">");
    }

    @Test
    void withoutFindingsThereIsTheSummaryAlone() {
        assertThat(HtmlReport.of(SampleFindings.none()))
                .contains("There are no new findings.", "<strong class=\"good\">0</strong>new")
                .doesNotContain("<section");
    }

    /** A page of any number of findings would be none that a browser opens. */
    @Test
    void whatIsTooMuchForAPageIsSaid() {
        List<Finding> many = IntStream.range(0, HtmlReport.MAX_FINDINGS + 5)
                .mapToObj(number -> SampleFindings.bare())
                .toList();
        String html = HtmlReport.of(new Findings(many, new Findings.Totals(1, 0, 0)));
        assertThat(html).contains("Not on this page: 5 more findings.");
        assertThat(html.split("<article", -1)).hasSize(HtmlReport.MAX_FINDINGS + 1);
    }
}
