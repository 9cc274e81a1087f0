package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.embedded.ShopCatalog;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.ServeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} as a process of its own, ended by SIGTERM. */
class ServeProcessTest {
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
            try (ServeProcess serve = ServeProcess.start(config(folder, mongos.address(), audit));
                    RawClient client = RawClient.connect(serve.awaitPort())) {
                client.send(client.msg(BsonDocument.parse("{count: 'orders', query: {status: 'open'}, $db: 'shop'}")));
                mongos.awaitRequests("count", 1);
                serve.process().destroy();
                latch.countDown();
                assertThat(client.receive().body().getNumber("n").intValue()).isEqualTo(42);
                client.expectClosed();
                assertThat(serve.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(serve.process().exitValue()).isEqualTo(TERMINATED);
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

    private static Path config(Path folder, String upstream, Path audit) throws IOException {
        Path config = folder.resolve("scatterguard.yaml");
        Files.writeString(config, """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                audit: { sinks: [ { type: file, path: "%s" } ] }
                """.formatted(upstream, audit));
        return config;
    }
}
