package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportFormatTest {
    private static final List<String> ALL = List.of(
            SampleFindings.ID,
            "scatter-gather",
            "shop.orders",
            "find {filter: {userId: ?number}}",
            "{region: 1, userId: 1}",
            "The first field is missing.",
            "add a predicate on \"region\"",
            "PyMongo: add ",
            "note",
            "rule",
            "reason",
            "T#t",
            "/orders/{id}",
            "checkout",
            "PyMongo 4",
            "2026-12-01T10:00:00Z",
            "2026-12-02T10:00:00Z",
            "shop-team",
            "scatterguard baseline accept " + SampleFindings.ID + " --owner shop-team --until DATE",
            "docs/findings.md#scatter-gather");

    private static String written(ReportFormat format, Findings findings) {
        return format.of(findings, Colours.OFF, FailOn.NEW);
    }

    /** What a developer needs is in each: the quotes alone are written in the format's own way. */
    @ParameterizedTest
    @EnumSource
    void everyFormatSaysEverything(ReportFormat format) {
        String text = written(format, SampleFindings.both())
                .replace("&quot;", "\"")
                .replace("&gt;", ">")
                .replace("\\\"", "\"");
        assertThat(text).contains(ALL).contains(SampleFindings.KNOWN, "shop.carts", "by rule");
        assertThat(text)
                .doesNotContain("baseline accept " + SampleFindings.KNOWN)
                .endsWith("\n");
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsAReportToo(ReportFormat format) {
        assertThat(written(format, SampleFindings.none())).contains("7").doesNotContain("accept");
    }

    @Test
    void formatsAreKnownByTheirNamesInAnyCase() {
        assertThat(ReportFormat.named("JUnit")).contains(ReportFormat.JUNIT);
        assertThat(ReportFormat.named("xml")).isEmpty();
        assertThat(ReportFormat.names()).isEqualTo("text, json, junit, sarif, html");
    }

    /** People paste the line into a shell, and an audit log may say anything. */
    @Test
    void onlyWordsGetIntoTheCommandThatAccepts() {
        Finding full = SampleFindings.full();
        Finding odd = new Finding(
                "$(reboot)",
                false,
                full.kind(),
                full.subject(),
                full.key(),
                full.reach(),
                full.cause(),
                full.seen(),
                full.clients(),
                full.owner());
        assertThat(FindingText.accept(odd)).isEmpty();
        Finding owned = new Finding(
                full.id(),
                false,
                full.kind(),
                full.subject(),
                full.key(),
                full.reach(),
                full.cause(),
                full.seen(),
                full.clients(),
                "a; reboot");
        assertThat(FindingText.accept(owned).orElseThrow()).contains(" --owner TEAM ");
    }
}
