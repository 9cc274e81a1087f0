package io.scatterguard.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} says what the reader does. */
class DocumentationTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (.*?) \\| (.*?) \\| .+ \\|$");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\\n(# complete example\\n.*?)```");
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "CATALOG_PASSWORD",
            "p",
            "TLS_PASSWORD",
            "p",
            "COLLECTOR_TOKEN",
            "t",
            "ADMIN_TOKEN",
            "0123456789abcdef",
            "RULES_FILE",
            above("docs/explain/rules.yaml").toString(),
            "BASELINE_FILE",
            above("docs/examples/baseline.yaml").toString());

    private final String page = page();

    private static String page() {
        try {
            return Files.readString(above("docs/configuration.md"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A file of the repository. */
    private static Path above(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(name))) {
                return at.resolve(name);
            }
        }
        throw new AssertionError(name + ": not found above " + Path.of("").toAbsolutePath());
    }

    private List<MatchResult> rows() {
        return ROW.matcher(page).results().toList();
    }

    private String example() {
        Matcher matcher = EXAMPLE.matcher(page);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Test
    void everyKeyHasItsRowAndNoOther() {
        assertThat(rows()).extracting(row -> row.group(1)).containsExactlyInAnyOrderElementsOf(ConfigKeys.paths());
    }

    /** An edit that changes nothing must not look like one. */
    @Test
    void whatIsReadTwiceIsEqual() {
        assertThat(ConfigReader.read(example(), ENVIRONMENT)).isEqualTo(ConfigReader.read(example(), ENVIRONMENT));
    }

    @Test
    void theExampleIsValidAndShowsEveryKey() {
        ScatterguardConfig config = ConfigReader.read(example(), ENVIRONMENT);
        Set<String> shown = new HashSet<>();
        collect("", YamlTree.parse(example(), new ArrayList<>()), shown);

        assertThat(config.policy().rules()).hasSize(2);
        assertThat(shown).containsExactlyInAnyOrderElementsOf(ConfigKeys.paths());
    }

    private static void collect(String path, ConfigNode node, Set<String> found) {
        if (node instanceof ConfigNode.Mapping mapping) {
            mapping.entries().forEach((key, value) -> {
                String child = path.isEmpty() ? key : path + "." + key;
                found.add(child);
                if (hasKeys(child)) {
                    collect(child, value, found);
                }
            });
        } else if (node instanceof ConfigNode.Sequence sequence) {
            sequence.elements().stream()
                    .filter(ConfigNode.Mapping.class::isInstance)
                    .forEach(element -> collect(path + "[]", element, found));
        }
    }

    /** What has none holds a value, or a document of any content. */
    private static boolean hasKeys(String path) {
        return ConfigKeys.paths().stream().anyMatch(key -> key.startsWith(path + ".") || key.startsWith(path + "[]."));
    }

    @Test
    void theFirstExampleIsTheMinimum() {
        Matcher matcher = Pattern.compile("(?s)```yaml\\n(.*?)```").matcher(page);
        assertThat(matcher.find()).isTrue();

        assertThat(ConfigReader.read(matcher.group(1), Map.of()).policy()).isEqualTo(PolicyConfig.standard());
    }

    /** Writing every documented default out changes nothing, but for those of a section whose mere presence means something. */
    @Test
    void theDefaultsAreThose() {
        Map<String, Object> tree = new TreeMap<>();
        int written = 0;
        for (MatchResult row : rows()) {
            String value = row.group(3);
            boolean always = !row.group(1).contains("[]")
                    && !row.group(1).startsWith("server.tls.")
                    && !row.group(1).startsWith("metrics.otlp.")
                    && !row.group(1).startsWith("tracing.")
                    && !row.group(1).startsWith("admin.");
            if (value.startsWith("`") && always) {
                put(tree, row.group(1), value.replace("`", ""));
                written++;
            }
        }
        String minimal = "listeners: [{upstream: {hosts: [a]}}]\n";

        assertThat(written).isGreaterThan(15);
        assertThat(ConfigReader.read(minimal + flow(tree), Map.of())).isEqualTo(ConfigReader.read(minimal, Map.of()));
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> tree, String path, String value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            tree.put(path, value);
        } else {
            Object child = tree.computeIfAbsent(path.substring(0, dot), key -> new TreeMap<String, Object>());
            put((Map<String, Object>) child, path.substring(dot + 1), value);
        }
    }

    private static String flow(Map<String, Object> tree) {
        StringBuilder yaml = new StringBuilder();
        tree.forEach((key, value) ->
                yaml.append(key).append(": ").append(inline(value)).append('\n'));
        return yaml.toString();
    }

    @SuppressWarnings("unchecked")
    private static String inline(Object value) {
        if (value instanceof String text) {
            return text;
        }
        StringBuilder yaml = new StringBuilder("{");
        ((Map<String, Object>) value)
                .forEach((key, child) -> yaml.append(yaml.length() > 1 ? ", " : "")
                        .append(key)
                        .append(": ")
                        .append(inline(child)));
        return yaml.append('}').toString();
    }

    /** The errors the page shows come out word for word. */
    @Test
    void theErrorsAreThose() {
        Matcher shown = Pattern.compile("(?s)```\\n(configuration scatterguard.yaml: .*?)\\n```")
                .matcher(page);
        assertThat(shown.find()).isTrue();
        String yaml = """
                listeners:
                  - bind: x
                    upstream: {hosts: [a]}
                policy:
                  mod: observe



                admin: {bind: x}
                """;

        assertThat(catchThrowable(() -> ConfigReader.read(yaml, Map.of())))
                .hasMessage(shown.group(1).replace("scatterguard.yaml", "text"));
    }
}
