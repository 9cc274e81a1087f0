package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.HttpAnswer;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.Repository;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a driver sent is found at {@code /api/v1/findings}: counted, owned, ranked; without any audit sink. */
@ExtendWith(BlockHoundExtension.class)
class FindingsByHttpTest {
    private static final String TOKEN = "a-token-of-the-tests";
    private static final String CONFIG = """
            listeners: [{ bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } }]
            policy:
              mode: enforce
              default: { reads: log, writes: log }
              rules: [{ name: no-distinct, match: { namespace: "shop.*", commands: [distinct] }, action: refuse }]
              exemptions: [{ id: nightly, owner: data-team, match: { commands: [aggregate] } }]
              owners: [{ owner: shop-team, namespace: "shop.*" }]
            audit: { sinks: [], record: RECORD }
            admin: { bind: "127.0.0.1:0", token: a-token-of-the-tests }
            """;
    private static final Reply NOTHING = Reply.json("{cursor: {id: 0, ns: 'shop.orders', firstBatch: []}, ok: 1.0}");

    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;
    private MongoClient driver;
    private HostAndPort admin;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
        mongos.always("find", NOTHING).always("aggregate", NOTHING);
        use("findings");
    }

    private void use(String record) {
        stopProxy();
        proxy = ProxyUnderTest.configured(mongos, CONFIG.replace("RECORD", record), RuntimeParts.standard());
        admin = proxy.runtime().adminAddress();
        driver = proxy.driver();
        // The first answer of a process takes long: not what the tests wait for.
        assertThat(findings("")).isEmpty();
    }

    private void stopProxy() {
        if (proxy != null) {
            driver.close();
            proxy.close();
        }
    }

    @AfterEach
    void stop() {
        stopProxy();
        mongos.close();
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(1));
    }

    private MongoCollection<Document> orders() {
        MongoDatabase shop = driver.getDatabase("shop");
        return shop.getCollection("orders");
    }

    private List<BsonDocument> list(String path, String name) {
        HttpAnswer answer = HttpAnswer.get(admin, path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.json().getArray(name).stream().map(BsonValue::asDocument).toList();
    }

    private List<BsonDocument> findings(String query) {
        return list("/api/v1/findings" + query, "findings");
    }

    private static long count(BsonDocument shape, String name) {
        return shape.getDocument("counts").getNumber(name).longValue();
    }

    private static String command(BsonDocument shape) {
        return shape.getString("command").getValue();
    }

    /** A command that the server answers once the gate is open. */
    private CountDownLatch held(String command, Reply reply) {
        CountDownLatch gate = new CountDownLatch(1);
        mongos.on(command, request -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return reply;
        });
        return gate;
    }

    private void sendCheap() {
        for (int i = 0; i < 7; i++) {
            orders().find(Filters.eq("status", "open-" + i))
                    .comment("test:Orders#open")
                    .first();
            orders().find(Filters.eq("customerId", i)).first();
        }
    }

    /** The costly one is sent once, and takes longer than all the others together. */
    private void sendCostly() throws InterruptedException {
        CountDownLatch gate = held("count", Reply.json("{n: 1, ok: 1.0}"));
        driver.getDatabase("admin").runCommand(new Document("ping", 1));
        long began = System.nanoTime();
        sendCheap();
        long cheapNanos = System.nanoTime() - began;
        Thread costly = new Thread(() -> orders().estimatedDocumentCount());
        costly.start();
        mongos.awaitRequests("count", 1);
        long forwarded = System.nanoTime();
        patiently().until(() -> System.nanoTime() - forwarded > cheapNanos);
        gate.countDown();
        costly.join();
    }

    @Test
    void whatCostsMostComesFirst() throws InterruptedException {
        sendCostly();

        patiently().until(() -> findings("").size() == 2);
        List<BsonDocument> findings = findings("");
        assertThat(findings).extracting(FindingsByHttpTest::command).containsExactly("count", "find");
        BsonDocument find = findings.get(1);
        assertThat(count(find, "commands")).isEqualTo(7);
        assertThat(count(find, "findings")).isEqualTo(7);
        assertThat(count(find, "shardMicros")).isEqualTo(3 * count(find, "serverMicros"));
        assertThat(find.getString("owner").getValue()).isEqualTo("shop-team");
        assertThat(find.getDocument("verdict").getString("action").getValue()).isEqualTo("log");
        assertThat(find.getDocument("route").getString("shape").getValue()).isEqualTo("scatterGather");
        assertThat(find.getArray("missing").get(0).asString().getValue()).isEqualTo("customerId");
        assertThat(find.getArray("apps").get(0).asString().getValue()).isEqualTo("tests");
        assertThat(find.getArray("tests").get(0).asString().getValue()).isEqualTo("Orders#open");
        assertThat(find.getDocument("shape").getString("text").getValue())
                .contains("status")
                .doesNotContain("open-");
        double cost = findings.get(0).getDouble("shardSecondsPerHour").getValue();
        assertThat(cost).isGreaterThan(find.getDouble("shardSecondsPerHour").getValue());

        assertThat(findings("?limit=1")).hasSize(1);
        assertThat(findings("?namespace=shop.orders")).hasSize(2);
        assertThat(findings("?namespace=shop.items")).isEmpty();
        assertThat(findings("?owner=shop-team")).hasSize(2);
        assertThat(findings("?owner=unowned")).isEmpty();
        assertThat(HttpAnswer.get(admin, "/api/v1/findings?since=never").status())
                .isEqualTo(400);
    }

    /** The OpenAPI document and {@code docs/http.md} name each field, and the answer has no other. */
    @Test
    void everyFieldIsDocumented() throws IOException {
        sendCheap();
        patiently().until(() -> findings("").size() == 1);
        BsonDocument answer = HttpAnswer.get(admin, "/api/v1/findings").json();
        BsonDocument schemas = HttpAnswer.get(admin, "/api/v1/openapi.json")
                .json()
                .getDocument("components")
                .getDocument("schemas");
        Set<String> ofAnswer = new TreeSet<>(properties(schemas.getDocument("Seen")));
        ofAnswer.addAll(Set.of("total", "findings"));
        assertThat(answer.keySet()).containsExactlyInAnyOrderElementsOf(ofAnswer);
        assertThat(findings("").get(0).keySet())
                .containsExactlyInAnyOrderElementsOf(properties(schemas.getDocument("QueryShape")));
        assertThat(answer.getDocument("counts").keySet())
                .containsExactlyInAnyOrderElementsOf(properties(schemas.getDocument("Counts")));

        String page = Files.readString(Repository.root().resolve("docs/http.md"));
        Stream.of("Seen", "QueryShape")
                .flatMap(schema -> properties(schemas.getDocument(schema)).stream())
                .forEach(field -> assertThat(page).contains("`" + field + "`"));
        properties(schemas.getDocument("Counts"))
                .forEach(field -> assertThat(page).contains("`counts." + field + "`"));
    }

    private static Set<String> properties(BsonDocument schema) {
        return schema.getDocument("properties").keySet();
    }

    @Test
    void refusalsAndExemptionsAreCounted() {
        for (int i = 0; i < 3; i++) {
            try {
                orders().distinct("status", String.class).first();
            } catch (MongoCommandException e) {
                assertThat(e.getErrorCode()).isEqualTo(61_001);
            }
        }
        orders().aggregate(List.of(new Document("$match", new Document("status", "open"))))
                .first();

        patiently().until(() -> findings("").size() == 2);
        BsonDocument refused = findings("").get(1);
        assertThat(command(refused)).isEqualTo("distinct");
        assertThat(count(refused, "refused")).isEqualTo(3);
        assertThat(count(refused, "serverMicros")).isZero();
        assertThat(refused.getDocument("verdict").getString("rule").getValue()).isEqualTo("no-distinct");
        BsonDocument exempted = findings("").get(0);
        assertThat(count(exempted, "exempted")).isEqualTo(1);
        assertThat(exempted.getDocument("verdict").getString("exemption").getValue())
                .isEqualTo("nightly");
    }

    /** With {@code record: findings}, no shape is made of what is no finding. */
    @Test
    void shapesAreThoseThatTheAuditLogLooksAt() {
        sendCheap();
        patiently().until(() -> list("/api/v1/shapes", "shapes").size() == 1);
        use("routed");
        sendCheap();
        patiently().until(() -> list("/api/v1/shapes", "shapes").size() == 2);

        List<BsonDocument> shapes = list("/api/v1/shapes", "shapes");
        assertThat(shapes)
                .allSatisfy(shape -> assertThat(count(shape, "commands")).isEqualTo(7));
        assertThat(shapes)
                .extracting(shape ->
                        shape.getDocument("route").getString("placement").getValue() + " " + count(shape, "findings"))
                .containsExactlyInAnyOrder("oneShard 0", "allShards 7");
        assertThat(findings("")).hasSize(1);
    }

    @Test
    void betweenTwoTestsItIsReset() {
        sendCheap();
        patiently().until(() -> findings("").size() == 1 && count(findings("").get(0), "findings") == 7);
        String path = "/api/v1/findings/reset";
        assertThat(HttpAnswer.post(admin, path, "").status()).isEqualTo(401);
        assertThat(findings("")).hasSize(1);

        HttpAnswer reset = HttpAnswer.post(admin, path, "", "Authorization", "Bearer " + TOKEN);
        assertThat(reset.status()).as(reset.text()).isEqualTo(200);
        BsonDocument cleared = reset.json().getDocument("cleared");
        assertThat(cleared.getInt32("known").getValue()).isEqualTo(1);
        assertThat(count(cleared, "findings")).isEqualTo(7);
        BsonDocument empty = HttpAnswer.get(admin, "/api/v1/findings").json();
        assertThat(empty.getArray("findings")).isEmpty();
        assertThat(empty.getString("since")).isEqualTo(reset.json().getString("since"));

        orders().find(Filters.eq("status", "open")).first();
        patiently().until(() -> findings("").size() == 1);
        assertThat(count(findings("").get(0), "findings")).isEqualTo(1);
    }
}
