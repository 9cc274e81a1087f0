package io.scatterguard.proxy.reports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Findings as results of tests, for CI servers: JUnit's XML as Jenkins and GitLab read it. One suite for each namespace and one
 * test case for each finding, which is a failure if {@code --fail-on} names it and skipped if not. A first suite has one test
 * that passes, with the totals: so the file is never without a test, and one that stands for the run stays when all findings go.
 */
public final class JUnitReport {
    private static final String NAME = "scatterguard";
    private static final String NO_NAMESPACE = "(no namespace)";

    private final StringBuilder xml = new StringBuilder();
    private final FailOn failOn;

    private JUnitReport(FailOn failOn) {
        this.failOn = failOn;
    }

    /** The document, with a line feed. The encoding is UTF-8. */
    public static String of(Findings findings, FailOn failOn) {
        JUnitReport report = new JUnitReport(failOn);
        report.write(findings);
        return report.xml.toString();
    }

    private void write(Findings findings) {
        List<Finding> all = findings.all();
        xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" + NAME + "\" tests=\"")
                .append(all.size() + 1)
                .append("\" failures=\"")
                .append(failures(all))
                .append("\" errors=\"0\" time=\"")
                .append(seconds(all))
                .append("\">\n");
        openSuite(NAME, List.of(), 1);
        xml.append("    <testcase classname=\"" + NAME
                + "\" name=\"commands judged\" time=\"0.000\">\n      <system-out>");
        xml.append(summary(findings)).append("</system-out>\n    </testcase>\n  </testsuite>\n");
        Map<String, List<Finding>> suites = all.stream()
                .collect(Collectors.groupingBy(JUnitReport::namespace, LinkedHashMap::new, Collectors.toList()));
        suites.forEach((namespace, its) -> {
            openSuite(namespace, its, its.size());
            its.forEach(this::testCase);
            xml.append("  </testsuite>\n");
        });
        xml.append("</testsuites>\n");
    }

    private static String namespace(Finding finding) {
        String namespace = finding.subject().namespace();
        return namespace.isEmpty() ? NO_NAMESPACE : namespace;
    }

    private static String summary(Findings findings) {
        List<String> lines = new ArrayList<>(List.of(FindingsSummary.counts(findings)));
        lines.add(FindingsSummary.ofNew(findings));
        lines.add(FindingsSummary.beyond(findings));
        lines.removeIf(String::isEmpty);
        return lines(lines);
    }

    private void openSuite(String name, List<Finding> its, int tests) {
        long failures = failures(its);
        xml.append("  <testsuite name=\"")
                .append(HtmlPage.escaped(name))
                .append("\" tests=\"")
                .append(tests)
                .append("\" failures=\"")
                .append(failures)
                .append("\" errors=\"0\" skipped=\"")
                .append(its.size() - failures)
                .append("\" time=\"")
                .append(seconds(its))
                .append("\">\n");
    }

    /** Its name says nothing that changes from run to run: servers tell the history of a test by it. */
    private void testCase(Finding finding) {
        FindingText its = FindingText.of(finding);
        List<String> lines = new ArrayList<>(List.of(its.headline()));
        its.lines().forEach(line -> lines.add(line.toString()));
        xml.append("    <testcase classname=\"")
                .append(HtmlPage.escaped(namespace(finding)))
                .append("\" name=\"")
                .append(HtmlPage.escaped(name(finding)))
                .append("\" time=\"")
                .append(seconds(List.of(finding)))
                .append("\">\n");
        if (failOn.isFailure(finding)) {
            xml.append("      <failure type=\"")
                    .append(HtmlPage.escaped(finding.kind().text()))
                    .append("\" message=\"")
                    .append(HtmlPage.escaped(message(finding)))
                    .append("\">")
                    .append(lines(lines))
                    .append("</failure>\n");
        } else {
            xml.append("      <skipped>")
                    .append(HtmlPage.escaped(FindingText.state(finding)))
                    .append("</skipped>\n      <system-out>")
                    .append(lines(lines))
                    .append("</system-out>\n");
        }
        xml.append("    </testcase>\n");
    }

    private static String name(Finding finding) {
        return finding.kind().text() + " " + finding.subject().command() + " " + finding.id();
    }

    private static String message(Finding finding) {
        String why = finding.cause().why();
        return FindingText.state(finding) + ": " + FindingText.shards(finding.reach())
                + (why.isEmpty() ? "" : ". " + why);
    }

    private long failures(List<Finding> findings) {
        return findings.stream().filter(failOn::isFailure).count();
    }

    private static String seconds(List<Finding> findings) {
        long micros = findings.stream()
                .mapToLong(finding -> finding.seen().serverMicros())
                .sum();
        return String.format(Locale.ROOT, "%.3f", micros / 1_000_000.0);
    }

    private static String lines(List<String> lines) {
        return lines.stream().map(HtmlPage::escaped).collect(Collectors.joining("\n"));
    }
}
