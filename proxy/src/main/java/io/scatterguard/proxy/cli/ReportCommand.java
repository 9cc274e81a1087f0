package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ExemptionConfig;
import io.scatterguard.proxy.reports.Colours;
import io.scatterguard.proxy.summary.Scope;
import io.scatterguard.proxy.summary.Summary;
import io.scatterguard.proxy.summary.SummaryHtml;
import io.scatterguard.proxy.summary.SummaryJson;
import io.scatterguard.proxy.summary.SummaryTally;
import io.scatterguard.proxy.summary.SummaryText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code report}: what audit logs say of some days. */
@Command(
        name = "report",
        description = {
            "Says what audit logs say: which query shapes cost most, by application, user, owner, collection and day, what",
            "exemptions let pass and which end soon, what is new, and how much of the log is lost. Shows no values."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard report audit.jsonl audit.jsonl.1.gz",
            "  scatterguard report --since 2026-11-24 --config scatterguard.yaml --report html --output week.html audit*",
            "  zcat audit*.gz | scatterguard report --report json -",
            "",
            "Exit codes: 0 reported; 1 an input cannot be read to its end (what could be is reported), or the output not",
            "be written; 2 wrong command line or input, or no audit record in it."
        })
final class ReportCommand implements Callable<Integer> {
    /** How it is written. */
    enum Format {
        TEXT,
        JSON,
        HTML
    }

    private static final int MAX_TOP = 1_000;

    @Parameters(
            arity = "1..*",
            paramLabel = "AUDIT",
            description = "Audit logs, JSON Lines, of one proxy or several; gzip too; - is standard input.")
    private List<String> files = List.of();

    @Option(
            names = "--since",
            paramLabel = "DATE",
            description = "Name the shapes that were first seen on this day (UTC) or later as new.")
    private @Nullable LocalDate since;

    @Option(names = "--from", paramLabel = "DATE", description = "The first day (UTC) that counts. Default: all.")
    private @Nullable LocalDate from;

    @Option(names = "--until", paramLabel = "DATE", description = "The last day (UTC) that counts. Default: all.")
    private @Nullable LocalDate until;

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            description = "Only this database or collection (db or db.coll); may be repeated.")
    private List<String> namespaces = new ArrayList<>();

    @Option(names = "--top", paramLabel = "N", description = "How many of each to list. Default: 10.")
    private int top = 10;

    @Option(
            names = {"-c", "--config", "--policy"},
            paramLabel = "FILE",
            description = "A configuration, whose policy says when exemptions end.")
    private @Nullable Path config;

    @Option(names = "--report", paramLabel = "FORMAT", description = "text, json or html. Default: text.")
    private Format format = Format.TEXT;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where the report goes. Default: -, standard output.")
    private @Nullable String output;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        SummaryTally tally = new SummaryTally(scope());
        List<ExemptionConfig> exemptions =
                config == null ? null : ConfigReader.read(config).policy().exemptions();
        AuditLogs logs = new AuditLogs();
        read(logs, tally);
        logs.unreadable().tell(spec.commandLine().getErr());
        Summary summary = tally.summary(top, exemptions, LocalDate.now(Clock.systemUTC()));
        if (summary.sources().isEmpty()) {
            spec.commandLine().getErr().println("no audit record in " + String.join(", ", files));
            return (logs.isCutOff() ? ExitCode.FAILED : ExitCode.USAGE).code();
        }
        OutputFile.write(
                spec.commandLine(), output, written(summary), summary.shapes().all() + " shapes");
        return (logs.isCutOff() ? ExitCode.FAILED : ExitCode.OK).code();
    }

    private Scope scope() {
        if (top < 1 || top > MAX_TOP) {
            throw wrong("--top " + top + " (expected: 1.." + MAX_TOP + ")");
        }
        if (from != null && until != null && until.isBefore(from)) {
            throw wrong("--until " + until + " (expected: " + from + ", which is --from, or later)");
        }
        Selection selection = new Selection(namespaces);
        return new Scope(from, until, since, namespace -> selection.test(Namespace.parse(namespace)));
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    private void read(AuditLogs logs, SummaryTally tally) throws IOException {
        List<String> ordered = AuditLogs.ordered(files);
        try (CheckProgress progress =
                CheckProgress.start(ordered, spec.commandLine().getErr())) {
            for (String file : ordered) {
                try (CheckedInput input = CheckedInput.open(file, false)) {
                    progress.reading(input);
                    logs.read(input, tally::add);
                }
            }
        }
    }

    private String written(Summary summary) {
        return switch (format) {
            case JSON -> SummaryJson.of(summary);
            case HTML -> SummaryHtml.of(summary);
            case TEXT -> {
                // NO_COLOR, and what else terminals and their users say, is known to picocli.
                boolean terminal = (output == null || output.equals("-")) && CommandLine.Help.Ansi.AUTO.enabled();
                yield SummaryText.of(summary, terminal ? Colours.ANSI : Colours.OFF);
            }
        };
    }
}
