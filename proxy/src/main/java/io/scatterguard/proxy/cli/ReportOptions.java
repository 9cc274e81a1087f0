package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.JsonReport;
import io.scatterguard.proxy.reports.TextReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
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
        return entries().stream().map(BaselineEntry::id).collect(Collectors.toSet());
    }

    /** The baseline. */
    List<BaselineEntry> entries() {
        return baseline == null ? List.of() : BaselineCreateCommand.entries(baseline);
    }

    /** Whether no finding is a failure. */
    boolean isLenient() {
        return failOn == FailOn.NONE;
    }

    /** Writes the report; returns with what the command ends. */
    ExitCode report(CommandLine command, Findings findings) throws IOException {
        return report(command, command.getOut(), findings);
    }

    /**
     * Likewise.
     *
     * @param stream where it goes that goes to no file
     */
    ExitCode report(CommandLine command, PrintWriter stream, Findings findings) throws IOException {
        // NO_COLOR, and what else terminals and their users say, is known to picocli.
        boolean colours = (output == null || output.equals("-")) && CommandLine.Help.Ansi.AUTO.enabled();
        String text = format == Format.JSON
                ? JsonReport.of(findings)
                : TextReport.of(findings, colours ? Colours.ANSI : Colours.OFF);
        if (output == null || output.equals("-")) {
            stream.append(text);
            StandardOutput.flush(stream);
        } else {
            OutputFile.write(command, output, text, findings.all().size() + " findings");
        }
        boolean fails = switch (failOn) {
            case NEW -> !findings.fresh().isEmpty();
            case ANY -> !findings.all().isEmpty();
            case NONE -> false;
        };
        return fails ? ExitCode.FINDINGS : ExitCode.OK;
    }
}
