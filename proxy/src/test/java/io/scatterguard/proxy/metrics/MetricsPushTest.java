package io.scatterguard.proxy.metrics;

import static io.scatterguard.proxy.metrics.MeterFixture.LOGGED;
import static io.scatterguard.proxy.metrics.MeterFixture.broadcast;
import static io.scatterguard.proxy.metrics.MeterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.otlp.ScriptedCollector;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Against a scripted collector. */
class MetricsPushTest {
    /** Closing takes no longer than it has to. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration NEVER = Duration.ofHours(1);
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-12-01T10:20:30.123456789Z"), ZoneOffset.UTC);
    private static final String NOW = "1796120430123456789";
    private static final String METRICS = "/resourceMetrics/0/scopeMetrics/0/metrics";

    private final ScriptedCollector collector = ScriptedCollector.start();
    private final ProxyMetrics metrics = new ProxyMetrics("staging", 50, (route, client) -> OwnerLookup.UNOWNED);

    @AfterEach
    void stop() {
        collector.close();
    }

    private void push(Duration every) {
        metrics.pushTo(collector.target("/v1/metrics"), every, CLOCK);
    }

    /** What came of {@code metric} in the last request. */
    private JsonNode last(Metric metric) {
        List<JsonNode> requests = collector.requests();
        return StreamSupport.stream(
                        requests.get(requests.size() - 1).at(METRICS).spliterator(), false)
                .filter(sent -> sent.get("name").asText().equals(metric.otlpName()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(metric.otlpName()));
    }

    private static JsonNode point(JsonNode points, String... labels) {
        return StreamSupport.stream(points.spliterator(), false)
                .filter(point -> List.of(labels).stream()
                        .allMatch(label -> point.get("attributes").toString().contains("\"" + label + "\"")))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> attributes(JsonNode point) {
        List<String> attributes = new ArrayList<>();
        point.get("attributes")
                .forEach(a -> attributes.add(
                        a.get("key").asText() + "=" + a.at("/value/stringValue").asText()));
        return attributes;
    }

    @Test
    void closingSendsWhatWasMeasured() {
        push(NEVER);
        broadcast(metrics.commands(), "{find: 'orders'}", LOGGED);
        metrics.close(PATIENCE);

        assertThat(collector.requests()).hasSize(1);
        assertThat(collector.tokens()).containsExactly("Bearer s3cr3t");
        assertThat(collector
                        .requests()
                        .get(0)
                        .at("/resourceMetrics/0/resource/attributes")
                        .toString())
                .contains("\"scatterguard\"", "\"proxy-1\"");
        JsonNode findings = last(Metric.FINDINGS);
        assertThat(findings.at("/sum/aggregationTemporality").asInt()).isEqualTo(2);
        assertThat(findings.at("/sum/isMonotonic").asBoolean()).isTrue();
        JsonNode finding = findings.at("/sum/dataPoints/0");
        assertThat(finding.get("asDouble").asDouble()).isEqualTo(1);
        assertThat(finding.get("startTimeUnixNano").asText()).isEqualTo(NOW);
        assertThat(finding.get("timeUnixNano").asText()).isEqualTo(NOW);
        assertThat(attributes(finding))
                .containsExactlyInAnyOrder(
                        "cluster=staging",
                        "owner=unowned",
                        "namespace=shop.orders",
                        "shape=scatterGather",
                        "action=log");
    }

    /** The bucket of 2 s is that which ends at 2.5 s; a count is the sum of all buckets. */
    @Test
    void aTimeIsAHistogram() {
        push(NEVER);
        broadcast(metrics.commands(), "{find: 'orders'}", LOGGED);
        broadcast(metrics.commands(), "{find: 'orders'}", LOGGED);
        metrics.close(PATIENCE);

        JsonNode sent = last(Metric.SERVER_DURATION);
        assertThat(sent.get("unit").asText()).isEqualTo("s");
        assertThat(sent.at("/histogram/aggregationTemporality").asInt()).isEqualTo(2);
        JsonNode point = point(sent.at("/histogram/dataPoints"), "scatterGather");
        assertThat(point.get("count").asText()).isEqualTo("2");
        assertThat(point.get("sum").asDouble()).isEqualTo(4);
        List<Double> bounds = new ArrayList<>();
        point.get("explicitBounds").forEach(bound -> bounds.add(bound.asDouble()));
        List<String> counts = new ArrayList<>();
        point.get("bucketCounts").forEach(count -> counts.add(count.asText()));
        assertThat(bounds).hasSize(18).isSorted().contains(0.00005, 2.5, 30.0);
        assertThat(counts).hasSize(19).filteredOn(count -> !count.equals("0")).containsExactly("2");
        assertThat(counts.get(bounds.indexOf(2.5))).isEqualTo("2");
    }

    @Test
    void whatTakesLongerThanTheLastBoundIsInTheLastBucket() {
        push(NEVER);
        Metric.PROXY_DURATION.histogram(metrics.registry()).record(Duration.ofSeconds(31));
        metrics.close(PATIENCE);

        JsonNode point = last(Metric.PROXY_DURATION).at("/histogram/dataPoints/0");
        assertThat(point.get("count").asText()).isEqualTo("1");
        assertThat(point.at("/bucketCounts/18").asText()).isEqualTo("1");
    }

    @Test
    void aGaugeHasNoStartAndWhatIsNotKnownIsLeftOut() {
        push(NEVER);
        Metric.BYPASSED.gauge(metrics.registry(), this, test -> 1, "a:1");
        Metric.BYPASSED.gauge(metrics.registry(), this, test -> Double.NaN, "b:2");
        metrics.close(PATIENCE);

        JsonNode points = last(Metric.BYPASSED).at("/gauge/dataPoints");
        assertThat(points).hasSize(1);
        assertThat(points.get(0).get("asDouble").asDouble()).isEqualTo(1);
        assertThat(points.get(0).has("startTimeUnixNano")).isFalse();
        assertThat(attributes(points.get(0))).containsExactlyInAnyOrder("cluster=staging", "listener=a:1");
    }

    @Test
    void aFailedRequestIsCountedAndTheNextHoldsEverything() {
        collector.answers(() -> 503);
        push(Duration.ofMillis(20));
        broadcast(metrics.commands(), "{find: 'orders'}", LOGGED);
        await().until(() -> value(metrics, "scatterguard_metrics_pushes_total", "failed") > 1);
        collector.answers(() -> 401);
        double failed = value(metrics, "scatterguard_metrics_pushes_total", "failed");
        await().until(() -> value(metrics, "scatterguard_metrics_pushes_total", "failed") > failed + 1);
        assertThat(value(metrics, "scatterguard_metrics_pushes_total", "sent")).isZero();
        collector.answers(() -> 200);
        await().until(() -> value(metrics, "scatterguard_metrics_pushes_total", "sent") > 1);
        metrics.close(PATIENCE);

        assertThat(last(Metric.FINDINGS).at("/sum/dataPoints/0/asDouble").asDouble())
                .isEqualTo(1);
        assertThat(point(last(Metric.PUSHES).at("/sum/dataPoints"), "failed")
                        .get("asDouble")
                        .asDouble())
                .isPositive();
    }

    /** Whatever is measured is sent, by the name that Prometheus's own translation makes that of the page. */
    @Test
    void everySeriesOfPrometheusIsSent() {
        push(NEVER);
        broadcast(metrics.commands(), "{find: 'orders'}", LOGGED);
        List<String> shown = MeterFixture.text(metrics)
                .lines()
                .filter(line -> line.startsWith("# TYPE ") && !line.contains("_max "))
                .map(line -> line.split(" ")[2])
                .toList();
        metrics.close(PATIENCE);

        List<String> sent = new ArrayList<>();
        for (JsonNode metric : collector.all(METRICS)) {
            String name = metric.get("name").asText().replace('.', '_');
            sent.add(metric.has("sum") ? name + "_total" : metric.has("unit") ? name + "_seconds" : name);
        }
        assertThat(sent).containsExactlyInAnyOrderElementsOf(shown);
    }
}
