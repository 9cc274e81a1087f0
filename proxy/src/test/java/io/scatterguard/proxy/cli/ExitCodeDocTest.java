package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** {@code docs/exit-codes.md} and {@code --help} name the exit codes, and no command has one of its own. */
class ExitCodeDocTest {
    private static final Pattern CODE = Pattern.compile("(?m)^\\| (\\d+) \\| `(\\w+)` \\| (.+) \\|$");
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\| `([a-z ]+)` \\| (.+) \\| (.+) \\| (.+) \\|$");

    /** A number where a command ends. */
    private static final Pattern BARE = Pattern.compile(
            "\\breturn [0-9]+;|\\? [0-9]+ : [0-9]+;|System\\.exit\\(\\s*[0-9]|\\bCommandLine\\.ExitCode\\b");

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "exit-codes.md"));
    }

    private static List<CommandLine> leaves(CommandLine command) {
        if (command.getSubcommands().isEmpty()) {
            return List.of(command);
        }
        List<CommandLine> leaves = new ArrayList<>();
        command.getSubcommands().values().forEach(below -> leaves.addAll(leaves(below)));
        leaves.removeIf(leaf -> leaf.getCommandName().equals("help"));
        return leaves;
    }

    static Stream<CommandLine> leaves() {
        return leaves(Main.commandLine()).stream();
    }

    @Test
    void everyCodeHasItsRowAndNoOther() throws IOException {
        List<String> rows = CODE.matcher(page())
                .results()
                .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(ExitCode.values())
                        .map(code -> code.code() + " " + code.name() + " " + code.meaning())
                        .toList());
    }

    @Test
    void everyCommandHasItsRowAndNoOther() throws IOException {
        List<MatchResult> rows = COMMAND.matcher(page()).results().toList();

        assertThat(rows)
                .extracting(row -> row.group(1))
                .containsExactlyInAnyOrderElementsOf(leaves().map(
                                leaf -> leaf.getCommandSpec().qualifiedName().substring("scatterguard ".length()))
                        .toList());
        assertThat(rows)
                .allSatisfy(row -> assertThat(List.of(row.group(2), row.group(3), row.group(4)))
                        .noneMatch(String::isBlank));
    }

    @ParameterizedTest
    @EnumSource(ExitCode.class)
    void theHelpOfTheWholeProgramNamesIt(ExitCode code) {
        assertThat(Main.commandLine().getUsageMessage())
                .containsPattern("(?m)^  " + code.code() + " +" + Pattern.quote(code.meaning()));
    }

    @ParameterizedTest
    @MethodSource("leaves")
    void theHelpOfEveryCommandNamesThem(CommandLine command) {
        assertThat(command.getUsageMessage()).containsOnlyOnce("Exit codes:").containsPattern("\\b2\\s");
    }

    /** Whoever looks for the exit codes finds all of them in the enum. */
    @Test
    void noCommandReturnsABareNumber() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/java/io/scatterguard/proxy/cli"))) {
            int commands = 0;
            for (Path source : files.toList()) {
                String text = Files.readString(source);
                if (text.contains("@Command")) {
                    commands++;
                    assertThat(BARE.matcher(text).find()).as(source.toString()).isFalse();
                }
            }
            assertThat(commands).isGreaterThan(10);
        }
    }
}
