package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.RulesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rules show}: says what a rules file declares. */
@Command(
        name = "show",
        description = "Says what a rules file declares: keys, shards, chunks. Exit code 2 if anything in it is wrong.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  scatterguard rules show rules.yaml"})
final class RulesShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The rules file, YAML (docs/sharding-rules.md).")
    private Path file = Path.of("rules.yaml");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        spec.commandLine().getOut().print(RulesSummary.of(RulesFile.read(file)));
        StandardOutput.flush(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }
}
