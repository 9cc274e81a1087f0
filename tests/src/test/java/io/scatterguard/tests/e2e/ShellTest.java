package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.cli.Main;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.ExecProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a shell and a terminal see of the program: completion, signals, colours. */
@ResourceLock(Resources.SYSTEM_OUT)
class ShellTest {
    private static final String RULES = "shardingRules: [{namespace: shop.orders, key: {region: 1}, shards: 3}]\n";
    private static final String FIND = "{find: 'orders', filter: {userId: 7}, $db: 'shop'}\n";

    @TempDir
    private Path folder;

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private static String output(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    /** What bash says to {@code commands} once it has read the script. */
    private String bash(String commands) throws IOException, InterruptedException {
        CommandLineRun run = CommandLineRun.of("completion", "bash");
        assertThat(run.code()).isZero();
        Path script = file("completion.bash", run.out());
        Process bash = new ProcessBuilder("bash", "--norc", "-c", "source '" + script + "'\n" + commands)
                .redirectErrorStream(true)
                .start();
        return output(bash).strip();
    }

    @Test
    void bashKnowsTheProgram() throws Exception {
        assertThat(bash("complete -p scatterguard")).startsWith("complete ").endsWith(" scatterguard");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "scatterguard che -> check",
                "scatterguard comp -> completion",
                "scatterguard check --fail -> --fail-on",
                "scatterguard check --compare-r -> --compare-rules",
                "scatterguard baseline acc -> accept",
                "scatterguard completion zs -> zsh",
                "scatterguard nonsense -> ''",
            })
    void bashCompletesWhatIsBegun(String typed, String completed) throws Exception {
        int last = typed.split(" ").length - 1;
        // compopt speaks only while bash itself completes.
        String words = bash("compopt() { :; }; COMP_WORDS=(" + typed + "); COMP_CWORD=" + last + "; COMP_LINE='" + typed
                + "'; COMP_POINT=" + typed.length() + "\n" + bashFunction() + "; echo \"${COMPREPLY[@]}\"");
        assertThat(words.toLowerCase(java.util.Locale.ROOT)).isEqualTo(completed);
    }

    private static String bashFunction() {
        return "$(complete -p scatterguard | sed 's/.*-F \\([^ ]*\\) .*/\\1/')";
    }

    /** The same by zsh's emulation, which is turned on first. */
    @Test
    void zshGetsTheSameBehindItsEmulation() {
        CommandLineRun zsh = CommandLineRun.of("completion", "zsh");
        assertThat(zsh.code()).isZero();
        assertThat(zsh.out())
                .startsWith("autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n#!")
                .endsWith(CommandLineRun.of("completion", "bash").out());
        assertThat(CommandLineRun.of("completion", "fish").code()).isEqualTo(2);
        assertThat(CommandLineRun.of("completion").code()).isEqualTo(2);
    }

    private ProcessBuilder program(Object... arguments) {
        List<String> java = new ArrayList<>(ExecProcess.DEFAULT_SIGNALS);
        java.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        List<String> command = Stream.concat(java.stream(), Stream.of(arguments).map(Object::toString))
                .toList();
        ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
        program.environment().keySet().removeAll(List.of("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"));
        return program;
    }

    /** Also where something else asks for colours. */
    @Test
    void noColourIsNone() throws Exception {
        ProcessBuilder check =
                program("check", "--rules", file("rules.yaml", RULES), file("commands", FIND), "--fail-on", "none");
        check.environment().put("CLICOLOR_FORCE", "1");
        assertThat(output(check.start())).contains("\u001b[31;1mnew scatter-gather\u001b[0m");
        check.environment().put("NO_COLOR", "1");
        assertThat(output(check.start()))
                .contains(" new scatter-gather shop.orders find\n")
                .doesNotContain("\u001b");
        ProcessBuilder help = program("check", "--help");
        help.environment().put("CLICOLOR_FORCE", "1");
        help.environment().put("NO_COLOR", "1");
        assertThat(output(help.start())).contains("--compare-rules").doesNotContain("\u001b");
    }

    /** The report is to go into a pipe that nobody reads, so that it waits there for ever once it was asked for. */
    @Test
    void aSecondInterruptionEndsItAtOnce() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process check = program(
                        "check", "--follow", "--rules", file("rules.yaml", RULES), "--output", pipe, file("log", FIND))
                .start();
        try {
            Path log = folder.resolve("log").toRealPath();
            await().atMost(Duration.ofSeconds(60)).until(() -> hasOpen(check, log));
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                new ProcessBuilder("/bin/sh", "-c", "kill -s INT \"$0\"", String.valueOf(check.pid()))
                        .start()
                        .waitFor();
                return !check.isAlive();
            });
            assertThat(check.exitValue()).isEqualTo(130);
        } finally {
            check.destroyForcibly();
        }
    }

    private static boolean hasOpen(Process process, Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
            return open.anyMatch(link -> {
                try {
                    return Files.readSymbolicLink(link).equals(file);
                } catch (IOException e) {
                    return false; // closed meanwhile
                }
            });
        }
    }
}
