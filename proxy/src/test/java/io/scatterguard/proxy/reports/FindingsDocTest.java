package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code docs/findings.md} says what the reports hold. */
class FindingsDocTest {
    private static final Pattern FIELD = Pattern.compile("`([a-zA-Z.\\[\\]]+)`");

    private final String page = page("findings.md");

    private static String page(String name) {
        try {
            return Files.readString(Path.of("..", "docs", name));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String section(String page, String heading) {
        int start = page.indexOf("\n" + heading + "\n");
        assertThat(start).as(heading).isNotNegative();
        String rest = page.substring(start + heading.length() + 2);
        int end = rest.indexOf("\n#");
        return (end < 0 ? rest : rest.substring(0, end)).strip();
    }

    /** The help of SARIF's rules and of the page is that of the documentation, and every anchor leads to it. */
    @ParameterizedTest
    @EnumSource
    void eachKindIsExplained(Finding.Kind kind) {
        assertThat(section(page, "### " + kind.text()).replace('\n', ' ')).isEqualTo(KindHelp.of(kind));
        assertThat(KindHelp.documentation(kind))
                .isEqualTo("docs/findings.md#" + kind.text().replace(' ', '-'));
        assertThat(KindHelp.plain(kind)).doesNotContain("`", "](");
    }

    @Test
    void eachFieldOfTheJsonReportIsDescribed() throws IOException {
        TreeSet<String> described = new TreeSet<>();
        section(page, "## Fields of the JSON report")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> FIELD.matcher(line.split("\\|", -1)[1])
                        .results()
                        .map((MatchResult result) -> result.group(1))
                        .forEach(described::add));
        TreeSet<String> written = new TreeSet<>();
        collect("", new ObjectMapper().readTree(JsonReport.of(SampleFindings.both())), written);
        assertThat(described).isEqualTo(written);
    }

    private static void collect(String path, JsonNode node, Set<String> found) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> collect(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue(), found));
        } else if (node.isArray() && node.path(0).isObject()) {
            node.forEach(element -> collect(path + "[]", element, found));
        } else {
            found.add(path);
        }
    }

    @Test
    void eachLabelIsDescribedInItsOrder() {
        List<String> labels = section(page, "## What is said of each")
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| label"))
                .flatMap(line -> Arrays.stream(line.split("\\|", -1)[1].strip().split(", ", -1)))
                .toList();
        assertThat(labels)
                .isEqualTo(Arrays.stream(FindingText.Part.values())
                        .map(FindingText.Part::title)
                        .toList());
        assertThat(FindingText.of(SampleFindings.full()).lines())
                .extracting(FindingText.Line::part)
                .containsExactly(FindingText.Part.values());
    }

    @ParameterizedTest
    @EnumSource
    void eachFormatIsListed(ReportFormat format) {
        assertThat(page("check.md")).contains("| `" + format.name().toLowerCase(Locale.ROOT) + "`");
    }
}
