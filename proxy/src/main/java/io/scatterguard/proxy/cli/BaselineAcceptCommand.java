package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.BaselineFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baseline accept}: one more known shape. */
@Command(
        name = "accept",
        description = "Adds a query shape to a baseline, or gives one in it another owner and end.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard baseline accept b877d4f5f43a820d --owner orders --until 2027-03-31",
            "  scatterguard baseline accept b877d4f5f43a820d --owner orders --findings report.json",
            "  scatterguard baseline accept b877d4f5f43a820d --file baseline.yaml --owner orders --audit audit.jsonl",
            "",
            "Exit codes: 0 written, 2 wrong command line or input."
        })
final class BaselineAcceptCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "ID", description = "The shape's hash, as in records and refusals.")
    private String id = "";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "The baseline; made if it is not there. Default: baseline.yaml.")
    private Path file = Path.of("baseline.yaml");

    @Option(names = "--owner", required = true, paramLabel = "NAME", description = "Whom to ask about it.")
    private String owner = "";

    @Option(names = "--until", paramLabel = "DATE", description = "The last day it is let pass. Default: no end.")
    private @Nullable LocalDate until;

    @Option(
            names = "--audit",
            paramLabel = "AUDIT",
            description = {
                "An audit log with the shape, for its text, count and last day, which replace those in FILE;",
                "may be repeated."
            })
    private List<String> logs = new ArrayList<>();

    @Option(
            names = "--findings",
            paramLabel = "REPORT",
            description = "A JSON report of exec or check with the shape, likewise.")
    private @Nullable Path report;

    @Override
    public Integer call() throws IOException {
        if (!BaselineEntry.ID.matcher(id).matches()) {
            throw new InputException("ID " + id + " (expected: " + BaselineEntry.ID_EXPECTED + ")");
        }
        List<BaselineEntry> entries =
                new ArrayList<>(Files.exists(file) ? BaselineCreateCommand.entries(file) : List.of());
        BaselineEntry known = known(entries);
        entries.removeIf(entry -> entry.id().equals(id));
        entries.add(known.accepted(owner, until));
        String text = BaselineFile.text(BaselineCreateCommand.HEAD, entries);
        OutputFile.replace(spec.commandLine(), file.toString(), text, entries.size() + " shapes");
        return ExitCode.OK.code();
    }

    /** What is known of it: from the logs, or else from the file. Nobody would notice an id that nothing has. */
    private BaselineEntry known(List<BaselineEntry> entries) throws IOException {
        AuditedShapes audited = new AuditedShapes(List.of());
        for (String log : logs) {
            audited.read(log);
        }
        audited.complaints().forEach(spec.commandLine().getErr()::println);
        Optional<BaselineEntry> logged = audited.entry(id);
        if (logged.isEmpty() && report != null) {
            logged = ReportedShapes.entry(report, id);
        }
        if (logged.isEmpty() && (!logs.isEmpty() || report != null)) {
            spec.commandLine()
                    .getErr()
                    .println(id + " is not in " + (report == null ? "the audit log" : "the report")
                            + ", and is added all the same (is it mistyped?)");
        }
        return logged.or(() ->
                        entries.stream().filter(entry -> entry.id().equals(id)).findFirst())
                .orElseGet(() -> new BaselineEntry(id, null, null, 0, null, null, null));
    }
}
