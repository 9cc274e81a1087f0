package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoTimeoutException;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ClusterType;
import io.scatterguard.proxy.upstream.PrimaryMonitor;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CapturedLog;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ReplicaSetProxy;
import io.scatterguard.tests.support.ScriptedReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S18 in front of a replica set, whose members name each other in {@code hello}: a client takes the proxy for a mongos, works
 * with its defaults, and never dials a member. From bitnami/charts #7050.
 */
@ExtendWith(BlockHoundExtension.class)
class S18ReplicaSetTest {
    private static final List<String> NAMING = List.of(
            "hosts", "passives", "arbiters", "primary", "me", "setName", "setVersion", "electionId", "secondary");

    private ReplicaSetProxy proxy;

    @BeforeEach
    void start() {
        proxy = ReplicaSetProxy.start();
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{hello: 1, $db: 'admin'}", "{isMaster: 1, $db: 'admin'}", "{ismaster: 1, $db: 'admin'}"})
    void helloIsThatOfAMongosWithTheMembersOwnValues(String hello) {
        try (RawClient client = proxy.rawClient()) {
            BsonDocument reply = client.command(BsonDocument.parse(hello));
            assertThat(reply.keySet()).doesNotContainAnyElementsOf(NAMING);
            assertThat(reply.getString("msg").getValue()).isEqualTo("isdbgrid");
            assertThat(reply.getInt32("connectionId").getValue()).isEqualTo(7);
            assertThat(reply.getInt32("maxWireVersion").getValue()).isEqualTo(17);
            assertThat(reply).containsKeys("topologyVersion", "operationTime");
            assertThat(reply.toJson())
                    .doesNotContain(String.valueOf(proxy.set().member(0).port()));
        }
    }

    @Test
    void theJavaDriverSeesAMongosAndWorksWithItsDefaults() {
        try (MongoClient client = proxy.driver("java-app")) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            orders.insertOne(new Document("customerId", 1).append("orderId", 1));
            // A set has secondaries, a mongos behind which there is only its primary has none.
            Document found = orders.withReadPreference(ReadPreference.secondary())
                    .find(new Document("customerId", 1))
                    .first();
            assertThat(found).containsEntry("orderId", 1);
            assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.SHARDED);
        }
        assertThat(proxy.opened()).containsExactly(proxy.address());
        assertThat(proxy.set().member(0).requests("insert"))
                .singleElement()
                .satisfies(insert -> assertThat(insert.command()).containsKey("txnNumber"));
        nobodyDialledAMember("java-app");
    }

    @Test
    void aTransactionCommitsWithoutARecoveryToken() {
        try (MongoClient client = proxy.driver("java-app");
                ClientSession session = client.startSession()) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            session.withTransaction(() -> {
                orders.insertOne(session, new Document("customerId", 1).append("orderId", 1));
                return orders.insertOne(session, new Document("customerId", 2).append("orderId", 2));
            });
            assertThat(proxy.set().documents("shop.orders")).hasSize(2);
        }
        assertThat(proxy.set().member(0).committedTransactions()).isOne();
        nobodyDialledAMember("java-app");
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void otherClientsSeeAMongosAndAreRefusedABroadcast(ClientTool tool) {
        tool.assumeAvailable();
        BsonDocument result = ClientProcess.of(tool, proxy.uri()).run().result();
        assertThat(result.getNumber("inserted").intValue()).isEqualTo(320);
        assertThat(result.getDocument("refusal").getNumber("code").intValue()).isEqualTo(61_001);
        BsonArray servers = result.getArray("servers");
        List<String> expected = tool == ClientTool.MONGOSH ? List.of() : List.of(proxy.address());
        assertThat(servers.stream().map(BsonValue::asString).map(s -> s.getValue()))
                .containsExactlyElementsOf(expected);
        assertThat(proxy.set().member(0).requests("insert"))
                .allSatisfy(insert -> assertThat(insert.command()).containsKey("txnNumber"));
        onlyMonitorsReachedTheSecondaries();
    }

    /** As at any mongos; the symptoms are those that the documentation names. */
    @Test
    void aClientThatInsistsOnASetFindsNone() {
        try (CapturedLog log = CapturedLog.open();
                MongoClient client =
                        MongoClients.create(proxy.uri() + "?replicaSet=rs0&serverSelectionTimeoutMS=1000")) {
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(log.lines())
                            .anyMatch(line -> line.contains("Expecting replica set member, but found a SHARD_ROUTER")));
            assertThatThrownBy(() -> client.getDatabase("shop").runCommand(new Document("ping", 1)))
                    .isInstanceOf(MongoTimeoutException.class)
                    .hasMessageStartingWith("Timed out while waiting for a server")
                    .hasMessageContaining("type=REPLICA_SET")
                    .hasMessageContaining("type=UNKNOWN");
        }
    }

    @Test
    void oneSeedIsEnough() {
        try (ReplicaSetProxy other = ReplicaSetProxy.fromOneSeed("10s");
                MongoClient client = other.driver("java-app")) {
            client.getDatabase("shop").getCollection("orders").insertOne(new Document("customerId", 1));
            assertThat(other.set().member(0).requests("insert")).hasSize(1);
        }
    }

    private void nobodyDialledAMember(String appName) {
        onlyMonitorsReachedTheSecondaries();
        ScriptedReplicaSet set = proxy.set();
        assertThat(set.applications(0)).isSubsetOf(PrimaryMonitor.APP_NAME, appName, "unknown");
        long notMonitors = set.member(0).connections().stream()
                .filter(connection -> connection.received().stream()
                        .limit(1)
                        .noneMatch(first -> first.body().toJson().contains(PrimaryMonitor.APP_NAME)))
                .count();
        assertThat(notMonitors)
                .as("connections to the primary that were not made for one of the proxy's clients")
                .isLessThanOrEqualTo(proxy.runtime().counters().acceptedConnections());
    }

    private void onlyMonitorsReachedTheSecondaries() {
        assertThat(proxy.set().applications(1)).isEqualTo(Set.of(PrimaryMonitor.APP_NAME));
        assertThat(proxy.set().applications(2)).isEqualTo(Set.of(PrimaryMonitor.APP_NAME));
    }
}
