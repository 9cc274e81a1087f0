package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.ScriptedMongos;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BlockHoundExtension.class)
class FailureTest {
    private static final Document TARGETED = new Document("customerId", 42).append("orderId", 42_003);
    private static final Document BROADCAST = new Document("status", "open");

    @Test
    void withoutItsMetadataSourceTrafficGoesOnByTheLastSnapshotAndTheAgeShows() {
        try (EmbeddedServer server = shop(0);
                ScriptedMongos source = ScriptedMongos.start();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf("127.0.0.1:" + server.port(), source);
                MongoClient client = proxy.driver()) {
            CatalogRefresher catalog = proxy.runtime().catalog();
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            assertThat(orders.find(TARGETED).first()).isNotNull();
            source.stop();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> catalog.status().failuresInARow() >= 1);
            Instant loaded = catalog.current().loadedAt();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> catalog.age(Instant.now()).compareTo(Duration.ofSeconds(1)) > 0);
            assertThat(catalog.current().loadedAt()).isEqualTo(loaded);
            assertThat(orders.find(TARGETED).first()).isNotNull();
            assertThatThrownBy(() -> orders.find(BROADCAST).first())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(61_001));
        }
    }

    @Test
    void withoutItsMongosClientsGetANetworkErrorAndRecoverWhenItIsBack() {
        EmbeddedServer server = shop(0);
        int port = server.port();
        try (ScriptedMongos source = ScriptedMongos.start();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf("127.0.0.1:" + port, source);
                MongoClient client = proxy.driver()) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            assertThat(orders.find(TARGETED).first()).isNotNull();
            server.close();
            assertThatThrownBy(() -> {
                        // The pooled connection may still have been seen to close by the driver itself.
                        orders.find(TARGETED).first();
                        orders.find(TARGETED).first();
                    })
                    .isInstanceOfAny(MongoSocketException.class, MongoTimeoutException.class);
            Awaitility.await().until(() -> proxy.runtime().counters().closes(CloseCause.CONNECT_FAILED) > 0);
            try (EmbeddedServer back = shop(port)) {
                assertThat(back.port()).isEqualTo(port);
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .ignoreExceptionsInstanceOf(MongoException.class)
                        .until(() -> orders.find(TARGETED).first() != null);
            }
        }
    }

    private static EmbeddedServer shop(int port) {
        EmbeddedServer server = EmbeddedServer.start(port);
        ShopData.load(server.connectionString());
        return server;
    }
}
