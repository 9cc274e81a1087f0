package io.scatterguard.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code docs/metrics.md} says what there is. */
class MetricsDocTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(scatterguard_[a-z_]+)` \\| (\\w+) \\| (.*?) \\| (.*?) \\| (.+) \\|$");

    private static List<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")))
                .results()
                .toList();
    }

    @Test
    void everyMetricHasItsRowAndNoOther() throws IOException {
        assertThat(rows())
                .extracting(row -> row.group(1))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Metric.values())
                        .map(Metric::prometheusName)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(Metric.class)
    void typeAndLabelsAreThose(Metric metric) throws IOException {
        MatchResult row = rows().stream()
                .filter(r -> r.group(1).equals(metric.prometheusName()))
                .findFirst()
                .orElseThrow();
        List<String> labels = Pattern.compile("`(\\w+)`")
                .matcher(row.group(3))
                .results()
                .map(r -> r.group(1))
                .toList();

        assertThat(row.group(2)).isEqualTo(metric.type().name().toLowerCase(Locale.ROOT));
        assertThat(labels).isEqualTo(metric.labels());
    }

    /** What a value of a label may be is either listed in the row or said to be bounded. */
    @Test
    void everyFixedValueOfALabelIsNamed() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "metrics.md"));
        for (Operation operation : Operation.values()) {
            assertThat(page).contains("`" + operation.text() + "`");
        }
        for (Decision decision : Decision.values()) {
            assertThat(page).contains("`" + decision.text() + "`");
        }
        for (BoundedTable table : BoundedTable.values()) {
            assertThat(page).contains("`" + table.text() + "`");
        }
        for (String type : QueueMeters.SINK_TYPES) {
            assertThat(page).contains("`" + type + "`");
        }
    }
}
