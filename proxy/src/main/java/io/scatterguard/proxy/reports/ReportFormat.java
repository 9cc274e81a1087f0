package io.scatterguard.proxy.reports;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How findings are written; docs/findings.md describes each. */
public enum ReportFormat {
    TEXT,
    JSON,
    JUNIT,
    SARIF,
    HTML;

    /** The format of that name, in whatever case. */
    public static Optional<ReportFormat> named(String name) {
        return Arrays.stream(values())
                .filter(format -> format.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** {@code text, json, …} */
    public static String names() {
        return Arrays.stream(values())
                .map(format -> format.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    /**
     * The whole report, in UTF-8, with a line feed at its end.
     *
     * @param colours where the format is for a terminal
     * @param failOn where the format says what failed
     */
    public String of(Findings findings, Colours colours, FailOn failOn) {
        return switch (this) {
            case TEXT -> TextReport.of(findings, colours);
            case JSON -> JsonReport.of(findings);
            case JUNIT -> JUnitReport.of(findings, failOn);
            case SARIF -> SarifReport.of(findings);
            case HTML -> HtmlReport.of(findings);
        };
    }
}
