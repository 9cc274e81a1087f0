package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.X509Bundle;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.proxy.tls.TlsOptions;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.TestPki;
import io.scatterguard.tests.support.TlsProxy;
import io.scatterguard.tests.support.TlsProxy.Setup;
import io.scatterguard.tests.support.TlsTunnel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real drivers and mongosh through the proxy, with TLS on either side and on both, in front of the embedded server. */
@ExtendWith(BlockHoundExtension.class)
class TlsDriversTest {
    private static final int REFUSED = 61_001;

    @TempDir
    private static Path folder;

    private static EmbeddedServer server;
    private static TestPki pki;
    private static Path client;
    private static SSLContext context;
    private static TlsTunnel tunnel;
    private static TlsProxy both;
    private static TlsProxy clientsOnly;
    private static TlsProxy serversOnly;

    @BeforeAll
    static void start() {
        server = EmbeddedServer.start(0);
        ShopData.load(server.connectionString());
        pki = new TestPki(folder, "drivers");
        X509Bundle app = pki.client("app");
        client = pki.combinedFile("client.pem", app);
        context = pki.context(app);
        tunnel = TlsTunnel.to(server.port(), pki.context(pki.server()));
        String listener =
                "certificate: " + pki.combinedFile("server.pem", pki.server()) + ", clientCa: " + pki.caFile();
        Setup encrypted = Setup.inFrontOf("localhost:" + tunnel.port()).server("ca: " + pki.caFile());
        both = TlsProxy.start(encrypted.listener(listener));
        serversOnly = TlsProxy.start(encrypted);
        TlsOptions jdk = new TlsOptions(SslProvider.JDK, TlsOptions.standard().reloadInterval());
        clientsOnly = TlsProxy.start(Setup.inFrontOf("127.0.0.1:" + server.port())
                .listener(listener)
                .parts(RuntimeParts.standard().withTls(jdk)));
    }

    @AfterAll
    static void stop() {
        List.of(both, clientsOnly, serversOnly).forEach(TlsProxy::close);
        tunnel.close();
        server.close();
    }

    /** Where there is TLS. */
    enum Sides {
        BOTH,
        CLIENTS,
        SERVERS;

        private TlsProxy proxy() {
            return switch (this) {
                case BOTH -> both;
                case CLIENTS -> clientsOnly;
                case SERVERS -> serversOnly;
            };
        }
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientReadsAndWritesAndIsRefusedABroadcast(ClientTool tool) {
        tool.assumeAvailable();
        String uri = both.uri("tls=true&tlsCAFile=" + pki.caFile() + "&tlsCertificateKeyFile=" + client);
        BsonDocument result = ClientProcess.of(tool, uri).run().result();
        assertThat(result.getDocument("refusal").getNumber("code").intValue()).isEqualTo(REFUSED);
    }

    @ParameterizedTest
    @EnumSource(Sides.class)
    void theJavaDriverReadsAndWritesAndIsRefusedABroadcast(Sides sides) {
        TlsProxy proxy = sides.proxy();
        try (MongoClient driver = proxy.driver(sides == Sides.SERVERS ? null : context)) {
            MongoCollection<Document> orders = driver.getDatabase("shop").getCollection("orders");
            List<Document> documents = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                documents.add(
                        new Document("customerId", 70_001).append("orderId", i).append("text", "x".repeat(10_000)));
            }
            orders.insertMany(documents);
            assertThat(orders.find(Filters.eq("customerId", 70_001)).into(new ArrayList<>()))
                    .as("3 MB in several batches")
                    .hasSize(300);
            assertThatThrownBy(() -> orders.find(Filters.eq("status", "paid")).first())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(REFUSED));
            assertThat(orders.deleteMany(Filters.eq("customerId", 70_001)).getDeletedCount())
                    .isEqualTo(300);
        }
    }
}
