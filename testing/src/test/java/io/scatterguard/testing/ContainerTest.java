package io.scatterguard.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.testing.ScatterguardContainer.Upstream;
import io.scatterguard.testing.samples.Orders;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/** The container's configuration, run in this JVM; and the container itself where there is Docker. */
class ContainerTest {
    private static final Path JAR = Path.of("..", "proxy", "target", "scatterguard.jar");
    private static final Path RULES = Path.of("src", "test", "resources", "orders-rules.yaml");

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(20);

    @TempDir
    private Path folder;

    /** As the container has it, but with files of this machine and on free ports. */
    private String local(ScatterguardContainer container) throws IOException {
        Files.writeString(folder.resolve("token"), container.token());
        return container
                .configuration()
                .replace(ContainerConfig.TOKEN, folder.resolve("token").toString())
                .replace(ContainerConfig.RULES, RULES.toAbsolutePath().toString())
                .replace("0.0.0.0:" + ContainerConfig.PROXY_PORT, "127.0.0.1:0")
                .replace("0.0.0.0:" + ContainerConfig.ADMIN_PORT, "127.0.0.1:0");
    }

    @Test
    void whatItFoundIsAskedByHttp() throws Exception {
        try (EmbeddedServer server = EmbeddedServer.start(0);
                ScatterguardContainer container = new ScatterguardContainer("scatterguard:none")
                        .withUpstream(Upstream.STANDALONE, "127.0.0.1:" + server.port())
                        .withRules(RULES);
                ProxyRuntime runtime =
                        ProxyRuntime.start(ConfigReader.read(local(container), Map.of()), RuntimeParts.standard());
                Orders orders = new Orders(runtime.connectionString())) {
            FindingsApi api = new FindingsApi(URI.create("http://" + runtime.adminAddress()), container.token());
            orders.ofCustomer(1);
            assertThat(api.findings()).isEmpty();

            orders.byStatus("secret-value");
            List<ContainerFinding> findings = await(api::findings);
            assertThat(findings).singleElement().satisfies(finding -> {
                assertThat(finding.id()).matches("[0-9a-f]{16}");
                assertThat(finding.namespace()).isEqualTo("shop.orders");
                assertThat(finding.command()).isEqualTo("find");
                assertThat(finding.missing()).containsExactly("customerId");
                assertThat(finding.times()).isEqualTo(1);
                assertThat(finding.owner()).isEqualTo("unowned");
                assertThat(finding.toString())
                        .startsWith(finding.id() + " shop.orders find: missing customerId, once\n  find {filter: ")
                        .doesNotContain("secret-value");
            });

            api.reset();
            assertThat(api.findings()).isEmpty();
            FindingsApi stranger = new FindingsApi(URI.create("http://" + runtime.adminAddress()), "0123456789abcdef");
            assertThatThrownBy(stranger::reset)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("/api/v1/findings/reset: 401 ");
        }
    }

    /** The client has the reply a moment before the command is counted. */
    private static List<ContainerFinding> await(Supplier<List<ContainerFinding>> findings) {
        return Awaitility.await().atMost(DEADLINE).pollInterval(PAUSE).until(findings::get, found -> !found.isEmpty());
    }

    @Test
    void itsConfigurationIsAsAsked() throws IOException {
        try (ScatterguardContainer container = new ScatterguardContainer("scatterguard:none")
                .withUpstream(Upstream.REPLICA_SET, "db-1:27017", "db-2:27017")
                .withPolicy("mode: enforce\nrules:\n  - {name: all, match: {shape: scatterGather}, action: refuse}")) {
            var config = ConfigReader.read(local(container), Map.of());

            assertThat(config.listeners().get(0).upstream().hosts().toString()).contains("db-1:27017", "db-2:27017");
            assertThat(config.policy().rules()).hasSize(1);
            assertThat(config.shardingRules()).isEmpty();
            assertThat(container.getExposedPorts())
                    .containsExactly(ContainerConfig.PROXY_PORT, ContainerConfig.ADMIN_PORT);
            assertThat(container.getCommandParts()).containsExactly("serve", "--config", ContainerConfig.FILE);
        }
    }

    @Test
    void theJarRunsOnAnImageWithJava() {
        try (ScatterguardContainer container =
                ScatterguardContainer.fromJar(RULES, DockerImageName.parse("java:none"))) {
            assertThat(container.getCommandParts())
                    .containsExactly(
                            "java",
                            "-jar",
                            "/opt/scatterguard/scatterguard.jar",
                            "serve",
                            "--config",
                            ContainerConfig.FILE);
        }
    }

    @Test
    void whatIsMissingIsNamed() {
        try (ScatterguardContainer container = new ScatterguardContainer("scatterguard:none")) {
            assertThatThrownBy(container::configure).hasMessageContaining("upstream: none (expected: withUpstream");
            assertThatThrownBy(() -> container.withUpstream(Upstream.MONGOS)).hasMessageContaining("hosts: none");
            assertThatThrownBy(() -> container.withPolicy("enforce")).hasMessageContaining("expected: a mapping");
        }
    }

    @Test
    void itStarts() {
        Assumptions.assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "skipped: no Docker daemon");
        Assumptions.assumeTrue(Files.exists(JAR), () -> "skipped: no " + JAR + " (mvn package makes it)");
        try (EmbeddedServer server = EmbeddedServer.start(0)) {
            org.testcontainers.Testcontainers.exposeHostPorts(server.port());
            try (ScatterguardContainer container = ScatterguardContainer.fromJar(JAR)
                    .withUpstream(Upstream.STANDALONE, "host.testcontainers.internal:" + server.port())
                    .withRules(RULES)) {
                container.start();
                container.assertNoFindings();
                try (MongoClient client = MongoClients.create(container.getConnectionString())) {
                    assertThat(client.getDatabase("shop")
                                    .getCollection("orders")
                                    .find()
                                    .first())
                            .isNull();
                }
                List<ContainerFinding> findings = await(container::findings);
                assertThat(findings).singleElement().satisfies(finding -> {
                    assertThat(finding.namespace()).isEqualTo("shop.orders");
                    assertThat(finding.times()).isEqualTo(1);
                    assertThatThrownBy(container::assertNoFindings)
                            .isInstanceOf(AssertionError.class)
                            .hasMessageContaining(finding.id());
                });

                container.resetFindings();
                container.assertNoFindings();
            }
        }
    }
}
