package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code docs/command-line.md} is what the commands say of themselves: every command, parameter and option. */
class CommandLineDocTest {
    private static final Path PAGE = Path.of("..", "docs", "command-line.md");
    private static final Path MADE = Path.of("target", "command-line.md");
    private static final String HEAD = """
            # Command line

            Every command with its parameters and options, as `--help` says them. `--help` shows examples besides, and `--version`
            the version. What the exit codes mean is in [exit-codes.md](exit-codes.md). Output is coloured on a terminal only, and not
            where `NO_COLOR` is set.
            """;

    @Test
    void thePageIsWhatTheCommandsSay() throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        Main.commandLine().getSubcommands().values().forEach(command -> describe(command, page));
        Files.createDirectories(MADE.getParent());
        Files.writeString(MADE, page);
        assertThat(Files.readString(PAGE))
                .as("docs/command-line.md; the page as it has to be is proxy/%s", MADE)
                .isEqualTo(page.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"## `scatterguard exec`", "`--fail-on=WHICH`", "`CMD...`", "`-c`, `--config=FILE`"})
    void itHoldsWhatItIsFor(String text) throws IOException {
        assertThat(Files.readString(PAGE)).contains(text);
    }

    private static void describe(CommandLine command, StringBuilder page) {
        if (command.getCommandName().equals("help")) {
            return;
        }
        CommandLine.Model.CommandSpec spec = command.getCommandSpec();
        page.append("\n## `").append(spec.qualifiedName()).append("`\n\n");
        page.append(plain(spec.usageMessage().description())).append('\n');
        if (command.getSubcommands().isEmpty()) {
            page.append("\n| | |\n|---|---|\n");
            spec.positionalParameters().forEach(one -> row(page, "`" + one.paramLabel() + dots(one) + "`", one));
            spec.options().stream()
                    .filter(option -> !option.usageHelp() && !option.versionHelp())
                    .forEach(option -> row(page, names(option), option));
        }
        command.getSubcommands().values().forEach(below -> describe(below, page));
    }

    private static String dots(PositionalParamSpec parameter) {
        return parameter.arity().max() > 1 ? "..." : "";
    }

    private static String names(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
        return Arrays.stream(option.names())
                .sorted((one, other) -> Integer.compare(one.length(), other.length()))
                .map(name -> "`" + name + (name.equals(option.longestName()) ? value : "") + "`")
                .collect(Collectors.joining(", "));
    }

    private static void row(StringBuilder page, String name, ArgSpec argument) {
        String required = argument.required() && argument.group() == null && argument.isOption() ? " Required." : "";
        page.append("| ")
                .append(name)
                .append(" | ")
                .append(plain(argument.description()).replace("|", "\\|"))
                .append(required)
                .append(" |\n");
    }

    /** Without the escapes of picocli, and as a page needs it. */
    private static String plain(String... lines) {
        List<String> parts = Arrays.stream(lines)
                .map(line -> line.replace("$$", "$").replace("%%", "%").strip())
                .filter(line -> !line.isEmpty())
                .toList();
        return String.join(" ", parts).replace("<", "&lt;");
    }
}
