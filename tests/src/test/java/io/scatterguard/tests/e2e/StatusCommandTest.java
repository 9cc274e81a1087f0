package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code db.adminCommand({scatterguard: 1})} by real drivers and shells. */
@ExtendWith(BlockHoundExtension.class)
class StatusCommandTest {
    private static final String CONFIG = """
            cluster: staging-eu
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
                statusCommand: %s
            policy: { mode: enforce, default: { reads: refuse } }
            shardingRules:
              - { namespace: declared.one, key: { a: 1 } }
              - { namespace: declared.two, key: { a: 1 } }
              - { namespace: declared.view, viewOn: declared.one }
            audit: { sinks: [] }
            """;

    private static ScriptedMongos mongos;
    private static ProxyUnderTest proxy;

    @BeforeAll
    static void start() {
        mongos = ScriptedMongos.start();
        proxy = ProxyUnderTest.configured(mongos, CONFIG.formatted("true"), RuntimeParts.standard());
    }

    @AfterAll
    static void stop() {
        proxy.close();
        mongos.close();
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientIsTold(ClientTool tool) {
        tool.assumeAvailable();
        BsonDocument result =
                ClientProcess.of(tool, proxy.uri()).scripts("status").run().result();
        assertStatus(result.getDocument("status"));
        assertThat(result.getNumber("elsewhere").intValue()).isEqualTo(13);
        assertThat(mongos.requests("scatterguard")).isEmpty();
    }

    @Test
    void theJavaDriverIsTold() {
        try (MongoClient client = MongoClients.create(proxy.uri())) {
            Document status = client.getDatabase("admin").runCommand(new Document("scatterguard", 1));
            assertStatus(BsonDocument.parse(status.toJson()));
            assertThatThrownBy(() -> client.getDatabase("shop").runCommand(new Document("scatterguard", 1)))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(13));
        }
    }

    @Test
    void theCountersCountAndTheStatusItselfIsNoRefusal() {
        try (RawClient client = proxy.rawClient()) {
            BsonDocument before = client.adminCommand("scatterguard").getDocument("counters");
            client.command(BsonDocument.parse("{find: 'orders', filter: {}, $db: 'shop'}"));
            client.adminCommand("ping");
            BsonDocument after = client.adminCommand("scatterguard").getDocument("counters");
            assertThat(count(after, "refused") - count(before, "refused")).isEqualTo(1);
            assertThat(count(after, "forwarded") - count(before, "forwarded")).isEqualTo(1);
            assertThat(count(after, "openConnections")).isPositive();
        }
    }

    @Test
    void theCausesOfClosedConnectionsAreCounted() {
        try (RawClient client = proxy.rawClient();
                RawClient malformed = proxy.rawClient()) {
            BsonDocument before = client.adminCommand("scatterguard").getDocument("closes");
            malformed.sendBytes(new byte[16]);
            malformed.expectClosed();
            BsonDocument after = client.adminCommand("scatterguard").getDocument("closes");
            String cause = CloseCause.CLIENT_PROTOCOL_ERROR.text();
            long count = before.containsKey(cause) ? count(before, cause) : 0;
            assertThat(count(after, cause)).isEqualTo(count + 1);
            assertThat(after).as("only what occurred").doesNotContainKey(CloseCause.SHUTDOWN.text());
        }
    }

    @Test
    void whereItIsOffTheServerAnswers() {
        try (ScriptedMongos other = ScriptedMongos.start();
                ProxyUnderTest silent =
                        ProxyUnderTest.configured(other, CONFIG.formatted("false"), RuntimeParts.standard());
                RawClient client = silent.rawClient()) {
            assertThat(client.adminCommand("scatterguard").getNumber("code").intValue())
                    .isEqualTo(59);
            assertThat(other.requests("scatterguard")).hasSize(1);
        }
    }

    private static void assertStatus(BsonDocument status) {
        assertThat(status.getNumber("ok").intValue()).isEqualTo(1);
        assertThat(status.getString("scatterguard").getValue()).isNotEmpty();
        assertThat(count(status.getDocument("catalog").getDocument("declared"), "collections"))
                .isEqualTo(2);
        assertThat(count(status.getDocument("catalog").getDocument("declared"), "views"))
                .isEqualTo(1);
        assertThat(count(status.getDocument("catalog").getDocument("declared"), "databases"))
                .isZero();
        assertThat(status.getString("cluster").getValue()).isEqualTo("staging-eu");
        assertThat(status.getString("mode").getValue()).isEqualTo("enforce");
        assertThat(status.getBoolean("bypassed").getValue()).isFalse();
        assertThat(status.getDocument("catalog").getBoolean("ready").getValue()).isTrue();
        assertThat(status.getDocument("catalog").getArray("causes")).isEmpty();
        assertThat(status.getDocument("catalog").getBoolean("complete").getValue())
                .isTrue();
        assertThat(status.getDocument("catalog").getNumber("trackedCollections").intValue())
                .isPositive();
        assertThat(count(status.getDocument("counters"), "acceptedConnections")).isPositive();
        assertThat(status.getArray("sinks"))
                .allSatisfy(sink -> assertThat(sink.asDocument())
                        .containsOnlyKeys("type", "written", "dropped", "errors", "waiting"));
        assertThat(count(status.getDocument("opcodes"), "OP_MSG")).isPositive();
    }

    private static long count(BsonDocument counters, String name) {
        return counters.getNumber(name).longValue();
    }
}
