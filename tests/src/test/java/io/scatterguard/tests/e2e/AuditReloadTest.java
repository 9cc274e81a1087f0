package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.tests.support.AuditFile;
import io.scatterguard.tests.support.Broadcasts;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.HttpAnswer;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ServeProcess;
import io.scatterguard.tests.support.SinkMongos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running {@code serve} whose audit log, and whose token, are edited while 20 clients send broadcasts. */
class AuditReloadTest {
    private static final int CLIENTS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern ADMIN = Pattern.compile("answering HTTP: name=admin bind=127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern STOPPED = Pattern.compile("stopped: .* auditRecords=(\\d+) auditDropped=(\\d+)");

    @TempDir
    private Path folder;

    private SinkMongos mongos;
    private Path first;
    private Path second;
    private ServeProcess serve;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        mongos = SinkMongos.start(CatalogDocuments.shop());
        first = folder.resolve("first.jsonl");
        second = folder.resolve("second.jsonl");
        Files.writeString(folder.resolve("token"), "the-first-token-of-all\n");
        serve = ServeProcess.start(folder, yaml(sinks(first)), "-Xmx256m");
        client = RawClient.connect(serve.port());
    }

    @AfterEach
    void stop() {
        client.close();
        serve.close();
        mongos.close();
    }

    private static String sinks(Path... files) {
        StringBuilder sinks = new StringBuilder("findings: every, sinks: [");
        for (Path file : files) {
            sinks.append("{ type: file, path: \"").append(file).append("\" },");
        }
        return sinks + "]";
    }

    private String yaml(String audit) {
        return """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                admin: { bind: "127.0.0.1:0", token: "${file:token}" }
                audit: { %s }
                """.formatted(mongos.address(), audit);
    }

    private void edit(String audit) throws IOException {
        Path edited = folder.resolve("edited.yaml");
        Files.writeString(edited, yaml(audit));
        Files.move(
                edited,
                folder.resolve("scatterguard.yaml"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private BsonDocument status() {
        return client.adminCommand("scatterguard");
    }

    private void awaitApplied(int edits) {
        await().atMost(PATIENCE)
                .until(() -> status().getDocument("configuration")
                                .getNumber("applied")
                                .intValue()
                        == edits);
    }

    private static void awaitMore(Broadcasts load) {
        long before = load.answered();
        await().atMost(PATIENCE).until(() -> load.answered() >= before + 1_000);
    }

    /** Ends the process by SIGTERM; returns what it says it recorded and dropped. */
    private List<Long> terminate() throws InterruptedException {
        serve.terminate();
        serve.awaitTerminated();
        Matcher stopped = STOPPED.matcher(serve.log());
        assertThat(stopped.find()).as(serve.log()).isTrue();
        return List.of(Long.valueOf(stopped.group(1)), Long.valueOf(stopped.group(2)));
    }

    /** A wrong edit comes between: it changes nothing. */
    @Test
    void aFileIsExchangedForAnotherUnderLoad() throws Exception {
        try (Broadcasts load = Broadcasts.start(serve.port(), CLIENTS)) {
            awaitMore(load);
            edit(sinks(first, folder.resolve("missing/third.jsonl")) + ", record: all");
            await().atMost(PATIENCE)
                    .until(() -> status().getDocument("configuration").containsKey("error"));
            assertThat(status().getDocument("configuration").getString("error").getValue())
                    .contains("audit.sinks[1]: ", "missing: no folder (expected: ");
            assertThat(serve.log()).contains("configuration not applied, the one before stays");
            awaitMore(load);
            assertThat(status().getArray("sinks")).hasSize(1);

            edit(sinks(second));
            awaitApplied(1);
            assertThat(status().getDocument("configuration")).doesNotContainKeys("error", "waitingForStart");
            awaitMore(load);
            long answered = load.stop();
            List<Long> counted = terminate();

            assertThat(load.failures()).isEmpty();
            AuditFile both = AuditFile.read(List.of(first, second));
            System.out.printf(
                    "AuditReloadTest: %d commands, %d records in the first file, %d in both%n",
                    answered, AuditFile.read(List.of(first)).records(), both.records());
            assertThat(both.problems()).isEmpty();
            assertThat(both.records()).isEqualTo(answered);
            assertThat(counted).containsExactly(answered, 0L);
            assertThat(Files.size(first)).isPositive();
            assertThat(Files.size(second)).isPositive();
        }
    }

    /** Its descriptor is the same one, and its records go on, whatever else changes. */
    @Test
    void aFileThatStaysIsNotOpenedAnew() throws Exception {
        assumeThat(Path.of("/proc/self/fd")).as("open files shown in /proc").exists();
        try (Broadcasts load = Broadcasts.start(serve.port(), CLIENTS)) {
            awaitMore(load);
            List<String> before = descriptors(first);
            assertThat(before).hasSize(1);
            edit(sinks(second, first) + ", queueCapacity: 9000");
            awaitApplied(1);
            awaitMore(load);
            assertThat(descriptors(first)).isEqualTo(before);
            assertThat(descriptors(second)).hasSize(1);
            edit(sinks(first));
            awaitApplied(2);
            await().atMost(PATIENCE).until(() -> descriptors(second).isEmpty());
            awaitMore(load);
            assertThat(descriptors(first)).isEqualTo(before);
            long answered = load.stop();
            assertThat(terminate()).containsExactly(answered, 0L);
            AuditFile all = AuditFile.read(List.of(first));
            assertThat(all.problems()).isEmpty();
            assertThat(all.records()).isEqualTo(answered);
        }
    }

    private List<String> descriptors(Path file) throws IOException {
        Path real = file.getParent().toRealPath().resolve(file.getFileName());
        return serve.openFiles().entrySet().stream()
                .filter(open -> open.getValue().equals(real))
                .map(open -> open.getKey())
                .toList();
    }

    @Test
    void valuesAreRecordedOnceThatIsConfigured() throws Exception {
        BsonDocument find = BsonDocument.parse("{find: 'orders', filter: {status: 'a-secret-value'}, $db: 'shop'}");
        client.command(find.clone());
        assertThat(status().getString("auditValues").getValue()).isEqualTo("shape");
        edit(sinks(first) + ", values: full");
        awaitApplied(1);
        assertThat(status().getString("auditValues").getValue()).isEqualTo("full");
        client.command(find.clone());
        terminate();

        List<String> lines = Files.readAllLines(first);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).doesNotContain("a-secret-value");
        BsonDocument body = BsonDocument.parse(lines.get(1)).getDocument("body");
        assertThat(BsonDocument.parse(body.getString("text").getValue()).getDocument("filter"))
                .isEqualTo(find.getDocument("filter"));
        assertThat(serve.log()).contains("audit.values: full: ").doesNotContain("a-secret-value");
    }

    @Test
    void aTokenThatIsExchangedCounts() throws Exception {
        Matcher admin = ADMIN.matcher(serve.log());
        assertThat(admin.find()).isTrue();
        HostAndPort address = new HostAndPort("127.0.0.1", Integer.parseInt(admin.group(1)));
        assertThat(setMode(address, "the-first-token-of-all")).isEqualTo(200);
        assertThat(setMode(address, "the-second-token-of-all")).isEqualTo(401);
        Files.writeString(folder.resolve("token"), "the-second-token-of-all\n");
        await().atMost(PATIENCE).until(() -> setMode(address, "the-second-token-of-all") == 200);
        assertThat(setMode(address, "the-first-token-of-all")).isEqualTo(401);
        assertThat(status().getDocument("configuration")).doesNotContainKey("waitingForStart");
        assertThat(serve.log()).doesNotContain("token-of-all");
    }

    private static int setMode(HostAndPort address, String token) {
        return HttpAnswer.post(
                        address, "/api/v1/mode", "{\"mode\": \"configured\"}", "Authorization", "Bearer " + token)
                .status();
    }
}
