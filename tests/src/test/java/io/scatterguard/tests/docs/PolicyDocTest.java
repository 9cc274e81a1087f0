package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.config.ConfigKeys;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.tests.support.CommandLineRun;
import io.scatterguard.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code docs/policy.md} shows configurations that are valid, and explains every key of a match. */
class PolicyDocTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\\n(# example.*?)```");
    private static final String LISTENERS = "listeners: [{upstream: {hosts: [a]}}]\n";

    private static String page() throws IOException {
        return Files.readString(Repository.root().resolve("docs/policy.md"));
    }

    static List<String> examples() throws IOException {
        List<String> examples =
                EXAMPLE.matcher(page()).results().map(match -> match.group(1)).toList();
        assertThat(examples).isNotEmpty();
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleIsAPolicy(String yaml) {
        ScatterguardConfig config = ConfigReader.read(LISTENERS + yaml, Map.of());

        assertThat(CompiledPolicy.compile(config.policy(), 1).isEnforcing()).isTrue();
    }

    static Stream<String> matchKeys() {
        String prefix = "policy.rules[].match.";
        return ConfigKeys.paths().stream()
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()))
                .filter(key -> key.indexOf('.') < 0);
    }

    @ParameterizedTest
    @MethodSource("matchKeys")
    void everyKeyOfAMatchHasItsRow(String key) throws IOException {
        Matcher row = Pattern.compile("(?m)^\\| .*`" + key + "`.* \\| .+ \\|$").matcher(page());

        assertThat(row.find()).isTrue();
    }

    /** The commands that the page shows print what it shows. */
    @Test
    @ResourceLock(Resources.SYSTEM_OUT)
    void theOutputIsThat() throws IOException {
        Matcher shown = Pattern.compile("(?s)```console\\n\\$ scatterguard ([^\\n]+)\\n(.*?)```")
                .matcher(page());
        int examples = 0;
        while (shown.find()) {
            String[] args = Stream.of(shown.group(1).split(" ", -1))
                    .map(arg -> arg.startsWith("docs/")
                            ? Repository.root().resolve(arg).toString()
                            : arg)
                    .toArray(String[]::new);
            assertThat(CommandLineRun.of(args).out()).isEqualToNormalizingNewlines(shown.group(2));
            examples++;
        }
        assertThat(examples).isEqualTo(1);
    }

    static Stream<Path> configurations() {
        return Stream.of("new.yaml", "before.yaml")
                .map(name -> Repository.root().resolve("docs/policy").resolve(name));
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void theConfigurationsAreValid(Path file) {
        assertThat(ConfigReader.read(file).policy()).isNotNull();
    }
}
