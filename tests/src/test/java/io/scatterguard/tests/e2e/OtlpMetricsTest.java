package io.scatterguard.tests.e2e;

import static io.scatterguard.tests.support.OtlpCollector.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.metrics.Metric;
import io.scatterguard.tests.support.OtlpCollector;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** Metrics that a proxy sends to a collector. */
class OtlpMetricsTest {
    private static final String CONFIG = """
            cluster: staging-eu
            listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } } ]
            audit: { sinks: [] }
            metrics:
              otlp:
                endpoint: "ENDPOINT"
                headers: [ { name: Authorization, value: "Bearer s3cr3t-token" } ]
                every: 1s
            tracing: { endpoint: "ENDPOINT" }
            """;

    @Test
    void everyMetricArrivesWithTheLabelOfTheCluster() {
        try (ScriptedMongos mongos = ScriptedMongos.start().withData();
                OtlpCollector collector = OtlpCollector.start()) {
            String yaml = CONFIG.replace("ENDPOINT", collector.endpoint("/v1/metrics"));
            try (ProxyUnderTest proxy = ProxyUnderTest.configured(mongos, yaml, RuntimeParts.standard());
                    RawClient client = proxy.rawClient()) {
                await().until(() -> !collector.metrics().isEmpty());
                client.command(BsonDocument.parse("{find: 'orders', filter: {status: 's3cr3t-literal'}, $db: 'shop'}"));
                await().until(() -> names(collector.metrics()).contains(Metric.FINDINGS.otlpName()));
            }
            List<BsonDocument> sent = collector.metrics();

            assertThat(names(sent)).containsExactlyInAnyOrderElementsOf(expected());
            assertThat(sent.stream().flatMap(OtlpMetricsTest::points))
                    .isNotEmpty()
                    .allMatch(point -> attribute(point, "cluster").equals("staging-eu"));
            assertThat(lastPoints(sent, Metric.FINDINGS))
                    .anyMatch(point -> attribute(point, "namespace").equals("shop.orders")
                            && point.getNumber("asDouble").doubleValue() == 1);
            assertThat(collector.bodies()).noneMatch(body -> body.contains("s3cr3t"));
            assertThat(collector.tokens()).containsOnly("Bearer s3cr3t-token");
        }
    }

    /** All there are: TLS is not configured here. */
    private static Set<String> expected() {
        return Arrays.stream(Metric.values())
                .filter(metric -> metric != Metric.TLS_EXPIRY)
                .map(Metric::otlpName)
                .collect(Collectors.toSet());
    }

    private static Set<String> names(List<BsonDocument> metrics) {
        return metrics.stream()
                .map(metric -> metric.getString("name").getValue())
                .collect(Collectors.toSet());
    }

    private static Stream<BsonDocument> points(BsonDocument metric) {
        return Stream.of("sum", "gauge", "histogram")
                .filter(metric::containsKey)
                .flatMap(kind -> metric.getDocument(kind).getArray("dataPoints").stream())
                .map(point -> point.asDocument());
    }

    private static List<BsonDocument> lastPoints(List<BsonDocument> metrics, Metric metric) {
        List<BsonDocument> sent = metrics.stream()
                .filter(m -> m.getString("name").getValue().equals(metric.otlpName()))
                .toList();
        return points(sent.get(sent.size() - 1)).toList();
    }
}
