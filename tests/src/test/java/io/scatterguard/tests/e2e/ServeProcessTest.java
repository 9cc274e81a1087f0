package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.embedded.ShopCatalog;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.ServeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve} as a process of its own, ended by SIGTERM. */
class ServeProcessTest {
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
            try (ServeProcess process = ServeProcess.start(folder, config(mongos.address(), audit));
                    RawClient client = RawClient.connect(process.port())) {
                client.send(client.msg(BsonDocument.parse("{count: 'orders', query: {status: 'open'}, $db: 'shop'}")));
                mongos.awaitRequests("count", 1);
                process.terminate();
                latch.countDown();
                assertThat(client.receive().body().getNumber("n").intValue()).isEqualTo(42);
                client.expectClosed();
                process.awaitTerminated();
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

    private static String config(String upstream, Path audit) {
        return """
                listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["%s"] } } ]
                audit: { sinks: [ { type: file, path: "%s" } ] }
                """.formatted(upstream, audit);
    }
}
