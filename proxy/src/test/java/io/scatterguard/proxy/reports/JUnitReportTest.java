package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JUnitReportTest {
    private static String of(FailOn failOn) {
        return JUnitReport.of(SampleFindings.both(), failOn);
    }

    @Test
    void aNewFindingFailsAndAKnownOneIsSkipped() {
        assertThat(of(FailOn.NEW))
                .startsWith("""
                        <?xml version="1.0" encoding="UTF-8"?>
                        <testsuites name="scatterguard" tests="3" failures="1" errors="0" time="0.500">
                        """)
                .contains(
                        "<testsuite name=\"shop.orders\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0.500\">")
                .contains("<testcase classname=\"shop.orders\" name=\"scatter-gather find " + SampleFindings.ID
                        + "\" time=\"0.500\">\n      <failure type=\"scatter-gather\" message=\"new scatter-gather: at most"
                        + " 3 of 4 shards. The first field is missing.\">" + SampleFindings.ID
                        + " new scatter-gather shop.orders find\n")
                .contains(
                        "<testsuite name=\"shop.carts\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\" time=\"0.000\">")
                .contains("<skipped>known by rule</skipped>\n      <system-out>" + SampleFindings.KNOWN);
    }

    @Test
    void whatFailsIsWhatFailOnNames() {
        assertThat(of(FailOn.ANY)).contains(" tests=\"3\" failures=\"2\"").doesNotContain("<skipped>");
        assertThat(of(FailOn.NONE))
                .contains(" tests=\"3\" failures=\"0\"", "<skipped>new scatter-gather</skipped>")
                .doesNotContain("<failure");
    }

    @Test
    void aRunWithoutFindingsHasATestThatPasses() {
        assertThat(JUnitReport.of(SampleFindings.none(), FailOn.ANY)).isEqualTo("""
                        <?xml version="1.0" encoding="UTF-8"?>
                        <testsuites name="scatterguard" tests="1" failures="0" errors="0" time="0.000">
                          <testsuite name="scatterguard" tests="1" failures="0" errors="0" skipped="0" time="0.000">
                            <testcase classname="scatterguard" name="commands judged" time="0.000">
                              <system-out>0 new, 0 known; 7 commands, 0 exempted</system-out>
                            </testcase>
                          </testsuite>
                        </testsuites>
                        """);
    }
}
