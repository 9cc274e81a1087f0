package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What every command says of itself. */
class HelpTest {
    static Stream<CommandLine> commands() {
        return withBelow(Main.commandLine())
                .filter(command -> !command.getCommandName().equals("help"));
    }

    private static Stream<CommandLine> withBelow(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpTest::withBelow));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void itsHelpShowsAnExampleOfItself(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        assertThat(command.getUsageMessage())
                .containsPattern("(?m)^Examples?:$")
                .containsPattern("(?m)^  .*" + name + "( |$)");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void itsVersionIsThatOfTheProgram(CommandLine command) {
        StringWriter out = new StringWriter();
        String[] words = command.getCommandSpec().qualifiedName().split(" ");
        String[] arguments = Stream.concat(Arrays.stream(words).skip(1), Stream.of("--version"))
                .toArray(String[]::new);
        int code = Main.commandLine().setOut(new PrintWriter(out, true)).execute(arguments);
        assertThat(code).isZero();
        assertThat(out.toString().strip()).isEqualTo("scatterguard " + Main.Version.text());
    }
}
