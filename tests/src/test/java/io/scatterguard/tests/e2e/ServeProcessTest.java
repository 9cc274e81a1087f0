package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.Main;
import io.scatterguard.proxy.embedded.ShopCatalog;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} as a process of its own, ended by SIGTERM. */
class ServeProcessTest {
    private static final Pattern LISTENING = Pattern.compile("listening: bind=/127\\.0\\.0\\.1:(\\d+) ");
    /** What the JVM exits with after SIGTERM, once its shutdown hooks have run: 128 + 15. */
    private static final int TERMINATED = 143;

    @Test
    void onSigtermItFinishesWhatIsInFlightAndWritesTheAuditLogOut(@TempDir Path folder) throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        Path audit = folder.resolve("audit.jsonl");
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.withCatalog(new CatalogDocuments(
                    ShopCatalog.shards(),
                    ShopCatalog.databases(),
                    ShopCatalog.collections(),
                    ShopCatalog.chunks(),
                    List.of(ShopCatalog.version())));
            mongos.always("count", Reply.json("{ok: 1.0, n: 42}").after(latch));
            Process process = serve(folder, mongos.address(), audit);
            try (RawClient client = RawClient.connect(awaitPort(process))) {
                client.send(client.msg(BsonDocument.parse("{count: 'orders', query: {status: 'open'}, $db: 'shop'}")));
                mongos.awaitRequests("count", 1);
                process.destroy();
                latch.countDown();
                assertThat(client.receive().body().getNumber("n").intValue()).isEqualTo(42);
                client.expectClosed();
                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isEqualTo(TERMINATED);
            } finally {
                process.destroyForcibly();
            }
        }
        assertThat(Files.readAllLines(audit))
                .singleElement()
                .satisfies(line -> assertThat(BsonDocument.parse(line)
                                .getDocument("status")
                                .getBoolean("ok")
                                .getValue())
                        .isTrue());
    }

    private static Process serve(Path folder, String upstream, Path audit) throws IOException {
        Path config = folder.resolve("scatterguard.yaml");
        Files.writeString(config, """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                audit: { sinks: [ { type: file, path: "%s" } ] }
                """.formatted(upstream, audit));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=logback.xml",
                        Main.class.getName(),
                        "serve",
                        "--config",
                        config.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static int awaitPort(Process process) throws IOException {
        BufferedReader err =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        StringBuilder seen = new StringBuilder();
        for (String line = err.readLine(); line != null; line = err.readLine()) {
            seen.append(line).append('\n');
            Matcher matcher = LISTENING.matcher(line);
            if (matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new AssertionError("the process ended before it listened:\n" + seen);
    }
}
