package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterType;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S29 (retryable writes specification): in front of a standalone, drivers with their defaults write without a {@code txnNumber}. */
@ExtendWith(BlockHoundExtension.class)
class S29StandaloneTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: standalone, hosts: ["%s"] }
            catalog: { refresh: 1s }
            policy: { mode: enforce, default: { reads: refuse, writes: refuse } }
            audit: { sinks: [] }
            """;

    private ScriptedMongos server;
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        server = ScriptedMongos.start().withData().withTopologyVersion().asStandalone();
        proxy = ProxyUnderTest.of(CONFIG.formatted(server.address()), RuntimeParts.standard());
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientWritesWithItsDefaults(ClientTool tool) {
        tool.assumeAvailable();
        BsonDocument result =
                ClientProcess.of(tool, proxy.uri()).expectRefusal(false).run().result();
        assertThat(result.getNumber("inserted").intValue()).isEqualTo(320);
        assertThat(server.requests()).noneMatch(request -> request.command().containsKey("txnNumber"));
    }

    @Test
    void theJavaDriverWritesWithItsDefaults() {
        try (MongoClient client = proxy.driver()) {
            client.getDatabase("shop").getCollection("orders").insertOne(new Document("a", 1));
            assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.STANDALONE);
        }
        assertThat(server.documents("shop.orders")).hasSize(1);
        assertThat(server.requests("insert"))
                .singleElement()
                .matches(insert -> !insert.command().containsKey("txnNumber"));
    }

    @Test
    void aTransactionIsTheServersOrTheDriversError() {
        try (MongoClient client = proxy.driver();
                ClientSession session = client.startSession()) {
            session.startTransaction();
            assertThatThrownBy(() ->
                            client.getDatabase("shop").getCollection("orders").insertOne(session, new Document()))
                    .isInstanceOf(MongoException.class);
            assertThat(server.documents("shop.orders")).isEmpty();
        }
    }

    @Test
    void aTransactionNumberGetsTheServersOwnError() {
        try (RawClient client = proxy.rawClient()) {
            BsonDocument reply = client.command(
                    BsonDocument.parse(
                            "{insert: 'orders', documents: [{a: 1}], lsid: {id: 1}, txnNumber: {$numberLong: '1'}, $db: 'shop'}"));
            assertThat(reply.getNumber("code").intValue()).isEqualTo(20);
            assertThat(client.command(BsonDocument.parse("{insert: 'orders', documents: [{a: 1}], $db: 'shop'}"))
                            .getNumber("n")
                            .intValue())
                    .isOne();
        }
    }
}
