package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real drivers and mongosh through the proxy, in front of the embedded server. */
@ExtendWith(BlockHoundExtension.class)
class DriversTest {
    private static final int REFUSED = 61_001;

    private static ProxyUnderTest proxy;

    @BeforeAll
    static void start() {
        proxy = ProxyUnderTest.inFrontOfTheShop();
    }

    @AfterAll
    static void stop() {
        proxy.close();
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientReadsAndWritesAndIsRefusedABroadcast(ClientTool tool) {
        tool.assumeAvailable();
        long refusedBefore = proxy.runtime().counters().refusedCommands();
        BsonDocument result = ClientProcess.of(tool, proxy.uri()).run().result();
        assertThat(result.getDocument("refusal").getNumber("code").intValue()).isEqualTo(REFUSED);
        assertThat(proxy.runtime().counters().refusedCommands()).isGreaterThan(refusedBefore);
    }

    @Test
    void theJavaDriverReadsAndWritesAndIsRefusedABroadcast() {
        try (MongoClient client = proxy.driver()) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            List<Document> documents = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                documents.add(
                        new Document("customerId", 90_001).append("orderId", i).append("status", "new"));
            }
            assertThat(orders.insertMany(documents).getInsertedIds()).hasSize(300);
            assertThat(orders.find(Filters.eq("customerId", 90_001))
                            .batchSize(40)
                            .into(new ArrayList<>()))
                    .as("eight batches")
                    .hasSize(300);
            assertThat(orders.aggregate(List.of(
                                    Aggregates.match(Filters.eq("customerId", 90_001)),
                                    Aggregates.group("$status", Accumulators.sum("n", 1))))
                            .first())
                    .containsEntry("n", 300);
            assertThat(orders.updateOne(
                                    Filters.and(Filters.eq("customerId", 90_001), Filters.eq("orderId", 7)),
                                    Updates.set("status", "paid"))
                            .getModifiedCount())
                    .isEqualTo(1);
            assertThatThrownBy(() -> orders.find(Filters.eq("status", "paid")).first())
                    .isInstanceOfSatisfying(MongoCommandException.class, e -> {
                        assertThat(e.getErrorCode()).isEqualTo(REFUSED);
                        assertThat(e.getErrorCodeName()).isEqualTo("ScatterGatherRefused");
                        assertThat(e.getErrorMessage())
                                .contains(
                                        "shop.orders",
                                        "{customerId: 1, orderId: 1}",
                                        "customerId",
                                        "scatterguard:allow");
                        assertThat(e.hasErrorLabel("ScatterguardRefused")).isTrue();
                        assertThat(e.hasErrorLabel("RetryableWriteError")).isFalse();
                        BsonDocument details = e.getResponse().getDocument("scatterguard");
                        assertThat(details.getString("shape").getValue()).isEqualTo("scatterGather");
                        assertThat(details.getArray("missing")).hasSize(2);
                        assertThat(details.getArray("shards")).hasSize(3);
                    });
            assertThat(orders.find(Filters.eq("status", "paid"))
                            .comment("scatterguard:allow=nightly")
                            .into(new ArrayList<>()))
                    .as("an exempted broadcast on the same connection")
                    .isNotEmpty();
            assertThat(orders.deleteMany(Filters.eq("customerId", 90_001)).getDeletedCount())
                    .isEqualTo(300);
        }
    }

    @Test
    void aBatchWithOneBroadcastIsRefusedWholeBeforeAnythingIsExecuted() {
        try (MongoClient client = proxy.driver()) {
            Document update = new Document("update", "orders")
                    .append(
                            "updates",
                            List.of(
                                    new Document("q", new Document("customerId", 1).append("orderId", 1001))
                                            .append("u", new Document("$set", new Document("planted", 1)))
                                            .append("upsert", true),
                                    new Document("q", new Document("status", "open"))
                                            .append("u", new Document("$set", new Document("planted", 1)))
                                            .append("multi", true)));
            assertThatThrownBy(() -> client.getDatabase("shop").runCommand(update))
                    .isInstanceOfSatisfying(MongoCommandException.class, e -> {
                        assertThat(e.getErrorCode()).isEqualTo(REFUSED);
                        assertThat(e.getResponse()
                                        .getDocument("scatterguard")
                                        .getNumber("statement")
                                        .intValue())
                                .isEqualTo(1);
                    });
            assertThat(client.getDatabase("shop")
                            .getCollection("orders")
                            .find(new Document("customerId", 1).append("planted", 1))
                            .first())
                    .isNull();
        }
    }

    @Test
    void explainAndAdministrationAreNeverRefused() {
        try (MongoClient client = proxy.driver()) {
            assertThat(client.listDatabaseNames()).contains("shop", "config");
            assertThat(client.getDatabase("config")
                            .getCollection("chunks")
                            .find()
                            .first())
                    .isNotNull();
            assertThat(client.getDatabase("shop").listCollectionNames()).contains("orders");
            assertThat(client.getDatabase("admin").runCommand(new Document("ping", 1)))
                    .containsKey("ok");
            // The embedded server does not know explain: its own error shows that the command got there.
            assertThatThrownBy(() -> client.getDatabase("shop")
                            .runCommand(new Document(
                                    "explain",
                                    new Document("find", "orders").append("filter", new Document("status", "open")))))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isNotEqualTo(REFUSED));
        }
    }
}
