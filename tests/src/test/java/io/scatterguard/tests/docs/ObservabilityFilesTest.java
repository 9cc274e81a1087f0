package io.scatterguard.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.metrics.Metric;
import io.scatterguard.tests.support.ObservabilityFiles;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dashboard and alert rules name metrics and labels that exist. */
class ObservabilityFilesTest {
    private static final Pattern NAME = Pattern.compile("\\bscatterguard_[a-z_]+");
    private static final Pattern BY = Pattern.compile("\\bby \\(([a-z, ]+)\\)");

    /** Every metric has it, Prometheus adds these, and a bucket has an upper end. */
    private static final Set<String> ALWAYS = Set.of("cluster", "instance", "job", "le");

    private static Set<String> known() {
        return Arrays.stream(Metric.values())
                .flatMap(metric -> metric.type() == Metric.Type.HISTOGRAM
                        ? Stream.of("_bucket", "_count", "_sum", "_max").map(end -> metric.prometheusName() + end)
                        : Stream.of(metric.prometheusName()))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dashboard.json", "alerts.yml", "alerts_test.yml"})
    void everyMetricThatIsNamedExists(String file) {
        Set<String> named = NAME.matcher(ObservabilityFiles.text(file))
                .results()
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).hasSizeGreaterThan(8);
        assertThat(known()).containsAll(named);
    }

    @Test
    void everyLabelThatIsGroupedByIsOneOfTheMetric() {
        List<String> queries = ObservabilityFiles.dashboardQueries();
        assertThat(queries).hasSizeGreaterThan(15);
        for (String query : queries) {
            Set<String> labels = new HashSet<>(ALWAYS);
            Arrays.stream(Metric.values())
                    .filter(metric -> query.contains(metric.prometheusName()))
                    .forEach(metric -> labels.addAll(metric.labels()));
            BY.matcher(query)
                    .results()
                    .forEach(by ->
                            assertThat(labels).as(query).contains(by.group(1).split(", ?")));
        }
    }

    @Test
    void noAlertIsNamedTwice() {
        assertThat(ObservabilityFiles.alertNames()).hasSizeGreaterThan(8).doesNotHaveDuplicates();
    }

    @Test
    void everyAlertIsTestedOnce() {
        List<String> tested = Pattern.compile("(?m)^ +alertname: (\\w+)$")
                .matcher(ObservabilityFiles.text("alerts_test.yml"))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(tested).containsExactlyElementsOf(ObservabilityFiles.alertNames());
    }
}
