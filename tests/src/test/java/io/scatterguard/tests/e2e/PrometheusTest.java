package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.ObservabilityFiles;
import io.scatterguard.tests.support.PrometheusServer;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus, by the files in {@code docker/observability}, scrapes a proxy. */
class PrometheusTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CONFIG = """
            cluster: staging-eu
            listeners: [{ bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } }]
            audit: { sinks: [] }
            health: { bind: "127.0.0.1:0" }
            """;

    @TempDir
    private Path folder;

    @Test
    void theRulesAreRules() throws IOException {
        PrometheusServer.assumeAvailable();
        Path output = folder.resolve("promtool.log");

        int exit = PrometheusServer.promtool(
                output, "check", "rules", ObservabilityFiles.alerts().toString());

        assertThat(exit).as(Files.readString(output)).isZero();
    }

    @Test
    void everyRuleFiresWhenItShouldAndOnlyThen() throws IOException {
        PrometheusServer.assumeAvailable();
        Path output = folder.resolve("promtool.log");

        int exit = PrometheusServer.promtool(
                output, "test", "rules", ObservabilityFiles.alertTests().toString());

        assertThat(exit).as(Files.readString(output)).isZero();
    }

    @Test
    void theTargetIsUpAndEveryQueryOfTheDashboardReturnsData() throws IOException {
        PrometheusServer.assumeAvailable();
        try (ScriptedMongos mongos = ScriptedMongos.start().withData();
                ProxyUnderTest proxy = ProxyUnderTest.configured(mongos, CONFIG, RuntimeParts.standard());
                RawClient client = proxy.rawClient();
                PrometheusServer prometheus = PrometheusServer.start(config(proxy), folder)) {
            await().atMost(PATIENCE).untilAsserted(() -> {
                broadcast(client);
                List<BsonDocument> up = prometheus.query("up{job=\"scatterguard\"}");
                assertThat(up).hasSize(1);
                assertThat(value(up.get(0))).isEqualTo(1);
            });
            for (String query : ObservabilityFiles.dashboardQueries()) {
                String expression = query.replace("$__rate_interval", "1m").replace("$cluster", ".*");
                await().atMost(PATIENCE).untilAsserted(() -> {
                    broadcast(client);
                    assertThat(prometheus.query(expression))
                            .as(expression)
                            .anyMatch(series -> !Double.isNaN(value(series)));
                });
            }
            everyRuleIsEvaluated(prometheus);
            assertThat(value(prometheus
                            .query("sum(scatterguard_findings_total{namespace=\"shop.orders\",action=\"log\"})")
                            .get(0)))
                    .isPositive();
        }
    }

    private static void everyRuleIsEvaluated(PrometheusServer prometheus) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Set<String> good = prometheus.data("/api/v1/rules").getArray("groups").stream()
                    .flatMap(group -> group.asDocument().getArray("rules").stream())
                    .map(rule -> rule.asDocument())
                    .filter(rule -> rule.getString("health").getValue().equals("ok"))
                    .map(rule -> rule.getString("name").getValue())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(good).containsExactlyInAnyOrderElementsOf(ObservabilityFiles.alertNames());
        });
    }

    /** The file of the repository, with this proxy for its target, and in a hurry. */
    private Path config(ProxyUnderTest proxy) throws IOException {
        String yaml = ObservabilityFiles.text("prometheus.yml");
        String changed = yaml.replace(
                        "127.0.0.1:19128", proxy.runtime().healthAddress().toString())
                .replace("interval: 15s", "interval: 1s")
                .replace("- alerts.yml", "- " + ObservabilityFiles.alerts());
        assertThat(changed).contains("interval: 1s").doesNotContain("15s").doesNotContain("19128");
        return Files.writeString(folder.resolve("prometheus.yml"), changed);
    }

    private static void broadcast(RawClient client) {
        client.command(BsonDocument.parse("{find: 'orders', filter: {}, $db: 'shop'}"));
    }

    private static double value(BsonDocument series) {
        return Double.parseDouble(series.getArray("value").get(1).asString().getValue());
    }
}
