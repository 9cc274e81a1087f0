package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.connection.ClusterType;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.CapturedLog;
import io.scatterguard.tests.support.ProxyUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Commands are judged by declared shard keys: of a server that is not sharded, and over what a cluster says. */
@ResourceLock(Resources.SYSTEM_OUT)
class DeclaredKeysTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: %s, hosts: ["127.0.0.1:%d"] }
            %s
            policy: { mode: enforce, default: { reads: refuse, writes: refuse } }
            audit: { sinks: [], record: routed }
            """;

    @TempDir
    private Path folder;

    private final AuditRecords records = new AuditRecords();
    private EmbeddedServer server;

    @BeforeEach
    void start() {
        server = EmbeddedServer.start(0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ProxyUnderTest proxy(String kind, String rules) {
        return ProxyUnderTest.of(
                CONFIG.formatted(kind, server.port(), rules),
                RuntimeParts.standard().withSink(records));
    }

    private String rulesFile(String rules) throws IOException {
        Path file = Files.writeString(folder.resolve("rules.yaml"), "shardingRules:\n" + rules);
        return "shardingRulesFile: " + file;
    }

    private BsonDocument route() {
        return records.next().getDocument("route");
    }

    @Test
    void aStandaloneIsJudgedByItsDeclaredKeys() throws IOException {
        String rules = rulesFile("""
                  - {namespace: shop.orders, key: {customerId: 1}}
                  - {namespace: shop.customers, key: {_id: hashed}, shards: 2}
                """);
        try (ProxyUnderTest proxy = proxy("standalone", rules);
                MongoClient client = proxy.driver()) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            orders.insertOne(new Document("customerId", 7).append("status", "open"));
            assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.STANDALONE);
            BsonDocument insert = route();
            assertThat(insert.getString("placement").getValue()).isEqualTo("oneShard");
            assertThat(insert.get("declared")).isEqualTo(BsonBoolean.TRUE);
            assertThat(insert.get("boundsKnown")).isEqualTo(BsonBoolean.FALSE);
            assertThat(insert.containsKey("tableVersion")).isFalse();

            assertThat(orders.find(Filters.eq("customerId", 7)).first()).isNotNull();
            BsonDocument point = route();
            assertThat(point.getString("shape").getValue()).isEqualTo("singleShard");
            assertThat(point.get("shards")).isEqualTo(insert.get("shards"));
            assertThat(point.getNumber("shardTotal").intValue()).isEqualTo(3);

            assertThatThrownBy(() -> orders.find(Filters.eq("status", "open")).first())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(61_001));
            BsonDocument broadcast = route();
            assertThat(broadcast.getString("placement").getValue()).isEqualTo("allShards");
            assertThat(broadcast.getString("certainty").getValue()).isEqualTo("exact");

            assertThat(orders.find(Filters.gt("customerId", 1)).first()).isNotNull();
            BsonDocument range = route();
            assertThat(range.getString("shape").getValue()).isEqualTo("multiShard");
            assertThat(range.getNumber("shardCount").intValue()).isEqualTo(3);

            MongoCollection<Document> customers = client.getDatabase("shop").getCollection("customers");
            customers.find(Filters.eq("_id", 5)).first();
            BsonDocument hashed = route();
            assertThat(hashed.getString("placement").getValue()).isEqualTo("oneShard");
            assertThat(hashed.containsKey("boundsKnown")).isFalse();
        }
    }

    @Test
    void whatIsNotDeclaredIsNotSharded() throws IOException {
        try (ProxyUnderTest proxy =
                        proxy("standalone", rulesFile("  - {namespace: shop.orders, key: {customerId: 1}}\n"));
                MongoClient client = proxy.driver()) {
            MongoCollection<Document> other = client.getDatabase("other").getCollection("things");
            other.insertOne(new Document("a", 1));
            BsonDocument insert = route();
            assertThat(insert.getString("placement").getValue()).isEqualTo("unsharded");
            assertThat(insert.getString("certainty").getValue()).isEqualTo("exact");
            assertThat(insert.containsKey("declared")).isFalse();
            other.aggregate(List.of(Aggregates.match(new Document("a", 1)))).first();
            assertThat(route().containsKey("predictedError")).isFalse();
        }
    }

    @Test
    void withoutAnyRuleAWarningSaysThatNothingIsJudged() {
        try (CapturedLog log = CapturedLog.open()) {
            proxy("standalone", "").close();
            assertThat(log.lines())
                    .anyMatch(line -> line.startsWith("WARN") && line.contains("nothing will be judged"));
        }
        try (CapturedLog log = CapturedLog.open()) {
            proxy("standalone", "shardingRules: [{namespace: a.b, key: {c: 1}}]")
                    .close();
            assertThat(log.lines())
                    .noneMatch(line -> line.contains("nothing will be judged"))
                    .anyMatch(line -> line.contains("shard keys are declared: collections=1 views=0 databases=0"));
        }
    }

    @Test
    void aRuleCountsOverTheClusterAndAfterEveryRefresh() throws Exception {
        ShopData.load(server.connectionString());
        Namespace orders = new Namespace("shop", "orders");
        String rules = "shardingRules: [{namespace: shop.orders, key: {status: 1}}]";
        try (CapturedLog log = CapturedLog.open();
                ProxyUnderTest proxy = proxy("mongos", rules)) {
            proxy.runtime().catalog().refreshNow().get(10, TimeUnit.SECONDS);
            assertThat(proxy.runtime().catalog().current().table(orders).shardKey())
                    .hasToString("{status: 1}");
            assertThat(proxy.runtime().catalog().current().tracked())
                    .as("of the cluster")
                    .isNotEmpty();
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("contradicts the cluster"))
                    .singleElement()
                    .matches(line -> line.startsWith("WARN")
                            && line.contains("{status: 1}")
                            && line.contains("{customerId: 1, orderId: 1}"));
            try (MongoClient client = proxy.driver()) {
                client.getDatabase("shop")
                        .getCollection("orders")
                        .find(Filters.eq("status", "open"))
                        .first();
                BsonDocument route = route();
                assertThat(route.getString("shape").getValue()).isEqualTo("singleShard");
                assertThat(route.get("declared")).isEqualTo(BsonBoolean.TRUE);
                assertThat(route.getArray("shards").get(0).asString().getValue())
                        .startsWith("shard-");
            }
        }
    }

    @Test
    void aRuleCountsBeforeTheMetadataCouldEverBeRead() {
        String rules = """
                catalog: { uri: "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100" }
                shardingRules: [{namespace: shop.orders, key: {status: 1}}]
                """;
        try (ProxyUnderTest proxy = proxy("mongos", rules);
                MongoClient client = proxy.driver()) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            orders.find(Filters.eq("status", "open")).first();
            BsonDocument point = route();
            assertThat(point.getString("shape").getValue()).isEqualTo("singleShard");
            assertThat(point.get("declared")).isEqualTo(BsonBoolean.TRUE);
            assertThatThrownBy(() -> orders.find(Filters.eq("total", 5)).first())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(61_001));
            route();
            client.getDatabase("shop").getCollection("others").find().first();
            assertThat(route().getString("certainty").getValue()).isEqualTo("upperBound");
        }
    }
}
