package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.changes.Changes;
import io.scatterguard.proxy.changes.ChangesJson;
import io.scatterguard.proxy.changes.ChangesText;
import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.policy.Baseline;
import io.scatterguard.proxy.reports.FailOn;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.ReportFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What commands that find something say of it, and when that fails them. */
final class ReportOptions {
    @Option(
            names = "--fail-on",
            paramLabel = "WHICH",
            description = "Findings that end the command with " + ExitCode.FINDINGS_CODE
                    + ": new (default; those that are not in the baseline), any, or none.")
    private FailOn failOn = FailOn.NEW;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "Known shapes, written by baseline create or accept. Default: none.")
    private @Nullable Path baseline;

    @Option(
            names = "--report",
            paramLabel = "FORMAT[=FILE]",
            converter = ReportTarget.Converter.class,
            description =
                    "text, json, junit, sarif or html; with =FILE into that file. May be repeated; one may go without"
                            + " a file, to --output. Default: text.")
    private List<ReportTarget> reports = List.of(new ReportTarget(ReportFormat.TEXT, null));

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where the report without a file of its own goes. Default: -, standard output.")
    private @Nullable String output;

    /**
     * To be called first: what takes minutes must not end with an error that was there from the beginning.
     *
     * @throws ParameterException if two reports go to the same place, or none goes to {@code --output}
     */
    void check(CommandLine command) {
        targets().check(command);
    }

    private ReportTargets targets() {
        return new ReportTargets(reports, output);
    }

    /** The ids in the baseline whose time is not over. */
    Set<String> known() {
        return new Baseline(entries()).known(Instant.now());
    }

    /** The baseline. */
    List<BaselineEntry> entries() {
        return baseline == null ? List.of() : BaselineCreateCommand.entries(baseline);
    }

    /** Whether no finding is a failure. */
    boolean isLenient() {
        return failOn == FailOn.NONE;
    }

    /** Writes the reports; returns with what the command ends. */
    ExitCode report(CommandLine command, Findings findings) throws IOException {
        return report(command, command.getOut(), findings);
    }

    /**
     * Likewise.
     *
     * @param stream where it goes that goes to no file
     */
    ExitCode report(CommandLine command, PrintWriter stream, Findings findings) throws IOException {
        targets()
                .write(
                        command,
                        stream,
                        (format, colours) -> format.of(findings, colours, failOn),
                        findings.all().size() + " findings");
        return findings.all().stream().anyMatch(failOn::isFailure) ? ExitCode.FINDINGS : ExitCode.OK;
    }

    /** Writes what changes, as text or JSON; returns with what the command ends: what becomes worse counts as a finding. */
    ExitCode report(CommandLine command, Changes changes) throws IOException {
        targets()
                .write(
                        command,
                        command.getOut(),
                        (format, colours) -> format == ReportFormat.JSON
                                ? ChangesJson.of(changes)
                                : ChangesText.of(changes, colours),
                        changes.rows().size() + " changes");
        boolean fails = switch (failOn) {
            case NEW -> changes.fresh() > 0;
            case ANY -> changes.worse() > 0;
            case NONE -> false;
        };
        return fails ? ExitCode.FINDINGS : ExitCode.OK;
    }

    /** @throws ParameterException if a report is asked for that there is not of a comparison */
    void requireComparable(CommandLine command) {
        for (ReportTarget report : reports) {
            if (report.format() != ReportFormat.TEXT && report.format() != ReportFormat.JSON) {
                throw new ParameterException(
                        command, "--report " + report + ": not of a comparison (expected: text or json)");
            }
        }
    }
}
