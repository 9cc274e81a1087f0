package io.scatterguard.proxy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DemoTourTest {
    private static EmbeddedServer server;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @BeforeAll
    static void start() {
        server = EmbeddedServer.start(0);
        ShopData.load(server.connectionString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void bringsTheSameEveryTimeWhereNothingIsRefused() {
        List<Step> first = DemoTour.runUnenforced(server.connectionString(), out, step -> {});
        List<Step> second = DemoTour.runUnenforced(server.connectionString(), out, step -> {});

        assertThat(first).isEqualTo(second);
        assertThat(first).extracting(Step::number).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(first)
                .extracting(Step::cameBack)
                .containsExactly(
                        "1 document",
                        "5 documents",
                        "15 documents",
                        "400 documents",
                        "400 documents",
                        "1 inserted document",
                        "1 matched document",
                        "5 groups");
        assertThat(first).noneMatch(Step::refused);
    }

    @Test
    void printsEachStepAsOneLineBeforeItHandsItOn() {
        List<String> linesSeen = new ArrayList<>();

        List<Step> steps = DemoTour.runUnenforced(server.connectionString(), out, step -> linesSeen.add(lastLine()));

        assertThat(linesSeen).isEqualTo(steps.stream().map(Step::line).toList());
        assertThat(linesSeen.get(0)).isEqualTo("1  db.orders.find({customerId: 42, orderId: 42003})  ->  1 document");
    }

    @Test
    void failsAtTheBroadcastWhereNothingEnforces() {
        assertThatExceptionOfType(TourFailedException.class)
                .isThrownBy(() -> DemoTour.run(server.connectionString(), out))
                .withMessage("demo step 4, db.orders.find({status: \"open\"}): 400 documents"
                        + " (expected: a refusal with code 61001; is the listener in enforce mode?)");
        assertThat(printed.toString(StandardCharsets.UTF_8).lines()).hasSize(3);
    }

    @Test
    void failsWhereTheShopIsNotAsItWasLoaded() {
        try (MongoClient client = MongoClients.create(server.connectionString())) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            Document missing = orders.findOneAndDelete(Filters.eq("orderId", 311_002));
            try {
                assertThatExceptionOfType(TourFailedException.class)
                        .isThrownBy(() -> DemoTour.runUnenforced(server.connectionString(), out, step -> {}))
                        .withMessage(
                                "demo step 2, db.orders.find({customerId: 311}): 4 documents (expected: 5 documents)");
            } finally {
                orders.insertOne(missing);
            }
        }
    }

    @Test
    void aRefusalShowsItsMessage() {
        Step refused = new Step(4, "db.orders.find({})", "no shard key", true);

        assertThat(refused.line()).isEqualTo("4  db.orders.find({})  ->  refused: no shard key");
    }

    private String lastLine() {
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .reduce((a, b) -> b)
                .orElseThrow();
    }
}
