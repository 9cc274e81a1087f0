package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.changes.Changes;
import io.scatterguard.proxy.changes.ChangesJson;
import io.scatterguard.proxy.changes.ChangesText;
import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.JsonReport;
import io.scatterguard.proxy.reports.TextReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What commands that find something say of it, and when that fails them. */
final class ReportOptions {
    /** Which findings are a failure. */
    enum FailOn {
        NEW,
        ANY,
        NONE
    }

    /** How findings are written. */
    enum Format {
        TEXT,
        JSON
    }

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

    @Option(names = "--report", paramLabel = "FORMAT", description = "text or json. Default: text.")
    private Format format = Format.TEXT;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where the report goes. Default: -, standard output.")
    private @Nullable String output;

    /** The ids in the baseline. */
    Set<String> known() {
        return baseline == null
                ? Set.of()
                : BaselineCreateCommand.entries(baseline).stream()
                        .map(BaselineEntry::id)
                        .collect(Collectors.toSet());
    }

    /** Writes the report; returns with what the command ends. */
    ExitCode report(CommandLine command, Findings findings) throws IOException {
        String text = format == Format.JSON ? JsonReport.of(findings) : TextReport.of(findings, colours());
        OutputFile.write(command, output, text, findings.all().size() + " findings");
        return code(findings.fresh().size(), findings.all().size());
    }

    /** Writes what changes; returns with what the command ends: what becomes worse counts as a finding. */
    ExitCode report(CommandLine command, Changes changes) throws IOException {
        String text = format == Format.JSON ? ChangesJson.of(changes) : ChangesText.of(changes, colours());
        OutputFile.write(command, output, text, changes.rows().size() + " changes");
        return code(changes.fresh(), changes.worse());
    }

    /** NO_COLOR, and what else terminals and their users say, is known to picocli. */
    private Colours colours() {
        boolean terminal = (output == null || output.equals("-")) && CommandLine.Help.Ansi.AUTO.enabled();
        return terminal ? Colours.ANSI : Colours.OFF;
    }

    private ExitCode code(long fresh, long all) {
        boolean fails = switch (failOn) {
            case NEW -> fresh > 0;
            case ANY -> all > 0;
            case NONE -> false;
        };
        return fails ? ExitCode.FINDINGS : ExitCode.OK;
    }
}
