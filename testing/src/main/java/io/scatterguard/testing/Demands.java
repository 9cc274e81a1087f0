package io.scatterguard.testing;

import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.Finding;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.TextReport;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What findings a test may have.
 *
 * @param allowance null for none
 */
record Demands(FailOn failOn, @Nullable Allowance allowance) {
    /**
     * What was recorded in one stretch of time.
     *
     * @param when empty for the test itself
     */
    record Part(String when, Findings findings) {}

    /** What fails {@code test}; empty if nothing does. */
    Optional<ScatterguardError> failure(String test, List<Part> parts, LocalDate today) {
        List<Finding> failing = selected(parts, finding -> fails(finding, today));
        if (failing.isEmpty()) {
            return Optional.empty();
        }
        String ids = failing.stream().map(Finding::id).distinct().collect(Collectors.joining(", "));
        StringBuilder text = new StringBuilder(test);
        text.append(": ").append(failing.size()).append(failing.size() == 1 ? " finding: " : " findings: ");
        text.append(ids).append("\n\n").append(report(parts, finding -> fails(finding, today)));
        if (allowance != null && allowance.isOver(today)) {
            text.append("no longer allowed: @AllowBroadcast(").append(allowance).append(")\n");
        } else {
            text.append("accept for this test alone: @AllowBroadcast(reason = \"…\")\n");
        }
        return Optional.of(new ScatterguardError(text.toString(), failing));
    }

    /** What of it is no failure, for whoever reads the report of the test run; empty if nothing. */
    Optional<String> notice(List<Part> parts, LocalDate today) {
        Predicate<Finding> passes = finding -> !fails(finding, today);
        if (selected(parts, passes).isEmpty()) {
            return Optional.empty();
        }
        String why = allowance == null || allowance.isOver(today) ? "" : "allowed: " + allowance + "\n\n";
        return Optional.of(why + report(parts, passes));
    }

    private boolean fails(Finding finding, LocalDate today) {
        boolean allowed = allowance != null && !allowance.isOver(today) && allowance.covers(finding);
        return failOn.fails(finding) && !allowed;
    }

    private static List<Finding> selected(List<Part> parts, Predicate<Finding> which) {
        return parts.stream()
                .flatMap(part -> part.findings().all().stream())
                .filter(which)
                .toList();
    }

    private static String report(List<Part> parts, Predicate<Finding> which) {
        List<String> reports = new ArrayList<>();
        for (Part part : parts) {
            List<Finding> some = selected(List.of(part), which);
            if (!some.isEmpty()) {
                String when = part.when().isEmpty() ? "" : part.when() + ":\n\n";
                reports.add(
                        when + TextReport.of(new Findings(some, part.findings().totals()), Colours.OFF));
            }
        }
        return String.join("\n", reports);
    }
}
