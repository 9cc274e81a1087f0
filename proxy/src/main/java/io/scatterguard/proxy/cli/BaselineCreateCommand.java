package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.BaselineFile;
import io.scatterguard.proxy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baseline create}: the shapes that an audit log has findings about. */
@Command(
        name = "create",
        description = {
            "Writes the query shapes that audit logs have findings about: what was logged or refused, and not exempted."
                    + " Look through the file before you let a policy use it (policy.baselineFile).",
            "Shapes hold no values."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard baseline create audit.jsonl audit.jsonl.1 --output baseline.yaml",
            "  scatterguard baseline create audit.jsonl --existing baseline.yaml --output baseline.yaml",
            "",
            "Exit codes: 0 written, 1 no finding in the input, 2 wrong command line or input."
        })
final class BaselineCreateCommand implements Callable<Integer> {
    static final List<String> HEAD = List.of(
            "Known broadcasts, written by: scatterguard baseline create",
            "The key \"policy.baselineFile\" of the configuration takes this file. Take out what is to be refused.");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "1..*", paramLabel = "AUDIT", description = "Audit logs, JSON Lines; - is standard input.")
    private List<String> logs = List.of();

    @Option(
            names = "--existing",
            paramLabel = "FILE",
            description = "A baseline to begin with: its shapes, owners and ends stay, counts are added up.")
    private @Nullable Path existing;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Default: -, standard output.")
    private @Nullable String output;

    @Override
    public Integer call() throws IOException {
        AuditedShapes shapes = new AuditedShapes(existing == null ? List.of() : entries(existing));
        int known = shapes.entries().size();
        for (String log : logs) {
            shapes.read(log);
        }
        shapes.complaints().forEach(spec.commandLine().getErr()::println);
        if (shapes.findings() == 0) {
            spec.commandLine().getErr().println("no finding in " + String.join(", ", logs));
            return ExitCode.FAILED.code();
        }
        List<BaselineEntry> entries = shapes.entries();
        String summary = entries.size() + " shapes, " + (entries.size() - known) + " of them new";
        OutputFile.replace(spec.commandLine(), output, BaselineFile.text(HEAD, entries), summary);
        return ExitCode.OK.code();
    }

    static List<BaselineEntry> entries(Path file) {
        try {
            return BaselineFile.read(file);
        } catch (ConfigException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }
}
