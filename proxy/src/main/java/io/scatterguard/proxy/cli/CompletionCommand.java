package io.scatterguard.proxy.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code completion}: writes what lets a shell complete commands and options. */
@Command(
        name = "completion",
        description = "Writes a script for a shell that completes the commands and options of this program.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  source <(scatterguard completion bash)                        # this shell",
            "  scatterguard completion bash > /etc/bash_completion.d/scatterguard",
            "  scatterguard completion zsh > ~/.scatterguard.zsh             # and in ~/.zshrc: source ~/.scatterguard.zsh"
        })
final class CompletionCommand implements Callable<Integer> {
    /** What completes. */
    enum Shell {
        BASH(""),
        /** By its emulation of bash's completion. */
        ZSH("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n");

        private final String prelude;

        Shell(String prelude) {
            this.prelude = prelude;
        }

        /** As it is typed, and completed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.BASH;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(shell.prelude);
        out.print(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
        StandardOutput.flush(out);
        return ExitCode.OK.code();
    }
}
