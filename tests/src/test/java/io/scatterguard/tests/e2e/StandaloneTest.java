package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterType;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In front of the embedded server, a standalone that is judged as if {@code shop.orders} were sharded by {@code customerId}
 * and {@code orderId}.
 */
@ExtendWith(BlockHoundExtension.class)
class StandaloneTest {
    private static final int REFUSED = 61_001;

    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: %s, hosts: ["%s"] }
            catalog: { refresh: 1s }
            policy:
              mode: %s
              default: { reads: refuse, writes: refuse }
              wouldFail: %s
              exemptions: [ { id: known, owner: tests } ]
            audit: { sinks: [] }
            """;

    private static final String RULES = """
            shardingRules:
              - namespace: shop.orders
                key: { customerId: 1, orderId: 1 }
                unique: true
                shards: 3
            """;

    @TempDir
    private Path folder;

    private final AuditRecords records = new AuditRecords();
    private final AtomicInteger numbered = new AtomicInteger();
    private EmbeddedServer server;
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        server = EmbeddedServer.start(0);
    }

    @AfterEach
    void stop() {
        if (proxy != null) {
            proxy.close();
        }
        server.close();
    }

    /** Declares the key in a rules file; what is returned belongs to the configuration. */
    private String declareKeys() {
        Path file = folder.resolve("rules.yaml");
        try {
            Files.writeString(file, RULES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "shardingRulesFile: " + file + "\n";
    }

    private void proxy(String kind, String mode, String wouldFail, String more) {
        String keys = declareKeys();
        RuntimeParts parts = RuntimeParts.standard().withSink(records).withRouter((command, catalog, release) -> {
            numbered.addAndGet(command.get("txnNumber") == null ? 0 : 1);
            return new KeyRouter().route(command, catalog, release);
        });
        String address = "127.0.0.1:" + server.port();
        proxy = ProxyUnderTest.of(CONFIG.formatted(kind, address, mode, wouldFail) + keys + more, parts);
    }

    private void enforcing() {
        proxy("standalone", "enforce", "refuse", "");
    }

    private BsonDocument run(String command) {
        try (RawClient client = proxy.rawClient()) {
            client.command(BsonDocument.parse("{isMaster: 1, $db: 'admin'}"));
            return client.command(BsonDocument.parse(command).append("$db", new BsonString("shop")));
        }
    }

    private BsonDocument status() {
        try (RawClient client = proxy.rawClient()) {
            return client.command(BsonDocument.parse("{scatterguard: 1, $db: 'admin'}"));
        }
    }

    private List<Document> stored() {
        try (MongoClient client = MongoClients.create(server.connectionString())) {
            return client.getDatabase("shop").getCollection("orders").find().into(new ArrayList<>());
        }
    }

    private void store(String document) {
        try (MongoClient client = MongoClients.create(server.connectionString())) {
            client.getDatabase("shop").getCollection("orders").insertOne(Document.parse(document));
        }
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientWorksWithItsDefaultsAndIsRefusedABroadcast(ClientTool tool) {
        tool.assumeAvailable();
        enforcing();
        BsonDocument result = ClientProcess.of(tool, proxy.uri()).run().result();
        assertThat(result.getDocument("refusal").getNumber("code").intValue()).isEqualTo(REFUSED);
        assertThat(result.getNumber("inserted").intValue()).isEqualTo(320);
        assertThat(numbered).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void aClientSeesAStandaloneAndIsToldWhatAClusterWouldRefuse(ClientTool tool) {
        tool.assumeAvailable();
        enforcing();
        BsonDocument result =
                ClientProcess.of(tool, proxy.uri()).scripts("standalone").run().result();
        assertThat(result.getString("server").getValue()).isEqualTo("Standalone");
        BsonDocument refusal = result.getDocument("refusal");
        assertThat(refusal.getNumber("code").intValue()).isEqualTo(61);
        assertThat(refusal.getString("codeName").getValue()).isEqualTo("ShardKeyNotFound");
        assertThat(refusal.getArray("labels").toString()).contains("ScatterguardRefused");
        assertThat(refusal.getBoolean("wouldFail").getValue()).isTrue();
        assertThat(result.getString("afterwards").getValue()).isEqualTo("open");
        assertThat(numbered).hasValue(0);
    }

    @Test
    void theJavaDriverSeesAStandaloneAndIsToldWhatAClusterWouldRefuse() {
        enforcing();
        try (MongoClient client = proxy.driver()) {
            var orders = client.getDatabase("shop").getCollection("orders");
            orders.insertOne(Document.parse("{customerId: 1, orderId: 1, status: 'open'}"));
            assertThat(client.getClusterDescription().getType()).isEqualTo(ClusterType.STANDALONE);
            assertThatThrownBy(() -> orders.findOneAndUpdate(
                            Document.parse("{status: 'open'}"), Document.parse("{$set: {status: 'sent'}}")))
                    .isInstanceOfSatisfying(MongoCommandException.class, e -> {
                        assertThat(e.getErrorCode()).isEqualTo(61);
                        assertThat(e.getErrorCodeName()).isEqualTo("ShardKeyNotFound");
                        assertThat(e.hasErrorLabel("ScatterguardRefused")).isTrue();
                        assertThat(e.hasErrorLabel("RetryableWriteError")).isFalse();
                        assertThat(e.getErrorMessage())
                                .contains("shop.orders", "{customerId: 1, orderId: 1}", "release 6.0")
                                .contains("To fix it, give the full shard key by equality", "scatterguard:allow")
                                .doesNotContain("open");
                    });
            assertThatThrownBy(() -> orders.find(new Document("status", "open")).first())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(REFUSED));
            assertThat(orders.updateOne(
                                    Document.parse("{customerId: 1, orderId: 1}"),
                                    Document.parse("{$set: {status: 'sent'}}"))
                            .getModifiedCount())
                    .isOne();
        }
        assertThat(numbered).hasValue(0);
    }

    /** Every kind; the statement is the second of its batch where there is one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "72 | updateOneWithoutKey | 1 | {update: 'orders', updates: [{q: {customerId: 1, orderId: 1}, u: {$set: {n: 1}}},"
                        + " {q: {status: 'open'}, u: {$set: {n: 1}}}]}",
                "61 | deleteOneWithoutKey | 1 | {delete: 'orders', deletes: [{q: {customerId: 1, orderId: 1}, limit: 1},"
                        + " {q: {status: 'open'}, limit: 1}]}",
                "61 | findAndModifyWithoutKey | 0 | {findAndModify: 'orders', query: {status: 'open'}, update: {$set: {n: 1}}}",
                "61 | upsertWithoutKey | 0 | {update: 'orders', updates: [{q: {customerId: 1}, u: {$set: {n: 1}}, upsert: true}]}",
                "61 | documentWithoutKey | 1 | {insert: 'orders', documents: [{_id: 1, customerId: 1, orderId: 2},"
                        + " {_id: 2, customerId: 1, orderId: [3]}]}",
                "54 | arrayInKey | 0 | {update: 'orders', updates: [{q: {customerId: 1, orderId: 1}, u: {$set: {orderId: [1]}}}]}",
                "31025 | keyChangeWithoutKey | 0 | {update: 'orders', updates: [{q: {customerId: 1}, u: {$set: {customerId: 2}},"
                        + " multi: true}]}",
                "72 | keyChangeOfMany | 0 | {update: 'orders', updates: [{q: {customerId: 1, orderId: 1},"
                        + " u: {$set: {orderId: 2}}, multi: true}]}",
                "67 | uniqueIndexWithoutKey | 0 | {createIndexes: 'orders', indexes: [{key: {status: 1}, name: 's', unique: true}]}"
            })
    void whatAClusterWouldRefuseIsRecordedThenRefused(int code, String cause, int statement, String command) {
        store("{_id: 0, customerId: 1, orderId: 1, status: 'open'}");
        List<Document> before = stored();
        enforcing();

        BsonDocument refusal = run(command);
        assertThat(refusal.getNumber("ok").intValue()).isZero();
        assertThat(refusal.getNumber("code").intValue()).isEqualTo(code);
        BsonDocument details = refusal.getDocument("scatterguard");
        assertThat(details.getBoolean("wouldFail").getValue()).isTrue();
        assertThat(details.getString("cause").getValue()).isEqualTo(cause);
        assertThat(details.getNumber("statement").intValue()).isEqualTo(statement);
        assertThat(details.getString("shardKey").getValue()).isEqualTo("{customerId: 1, orderId: 1}");
        assertThat(stored()).isEqualTo(before);
        assertThat(recorded("refuse", false)).isEqualTo(code + " " + cause + " " + statement + " true");

        assertThat(run(command.replaceFirst("\\}$", ", comment: 'scatterguard:allow=known'}"))
                        .containsKey("scatterguard"))
                .isFalse();
        assertThat(records.next().getDocument("verdict").getString("exemption").getValue())
                .isEqualTo("known");
    }

    /** The field of the next record, whose verdict must be this one because of it. */
    private String recorded(String action, boolean wouldRefuse) {
        BsonDocument record = records.next();
        BsonDocument verdict = record.getDocument("verdict");
        assertThat(verdict.getString("action").getValue()).isEqualTo(action);
        assertThat(verdict.getString("reason").getValue()).isEqualTo("wouldFail");
        assertThat(verdict.getBoolean("wouldRefuse").getValue()).isEqualTo(wouldRefuse);
        BsonDocument field = record.getDocument("wouldFail");
        return field.getNumber("code").intValue() + " "
                + field.getString("reason").getValue() + " "
                + field.getNumber("statement").intValue() + " "
                + field.getBoolean("certain").getValue();
    }

    @ParameterizedTest
    @CsvSource({"observe, refuse, true", "observe, log, false", "enforce, log, false"})
    void otherwiseItIsExecutedAndRecorded(String mode, String wouldFail, boolean wouldRefuse) {
        store("{_id: 0, customerId: 1, orderId: 1, status: 'open'}");
        proxy("standalone", mode, wouldFail, "");

        BsonDocument reply = run("{update: 'orders', updates: [{q: {status: 'open'}, u: {$set: {status: 'sent'}}}]}");
        assertThat(reply.getNumber("nModified").intValue()).isOne();
        assertThat(recorded("log", wouldRefuse)).isEqualTo("72 updateOneWithoutKey 0 true");
        BsonDocument counters = status().getDocument("counters");
        assertThat(counters.getNumber("wouldFail").intValue()).isOne();
        assertThat(counters.getNumber("wouldRefuse").intValue()).isEqualTo(wouldRefuse ? 1 : 0);
    }

    /** Stored values decide: what the application writes may be what is there. */
    @Test
    void whatIsOnlyPossibleIsNeverRefused() {
        store("{_id: 0, customerId: 1, orderId: 1, status: 'open'}");
        enforcing();

        BsonDocument reply = run(
                "{update: 'orders', updates: [{q: {customerId: 1}, u: {$set: {orderId: 1, status: 'sent'}}, multi: true}]}");
        assertThat(reply.getNumber("nModified").intValue()).isOne();
        assertThat(proxy.runtime().counters().wouldFailCommands()).isZero();
    }

    /** The server's release is 6.0; that of the cluster to come may be declared. */
    @ParameterizedTest
    @ValueSource(strings = {"6.0", "8.0"})
    void theDeclaredReleaseDecides(String release) {
        store("{_id: 0, customerId: 1, orderId: 1, status: 'open'}");
        proxy("standalone", "enforce", "refuse", "routerVersion: " + release + "\n");

        BsonDocument reply = run("{findAndModify: 'orders', query: {customerId: 1}, update: {$set: {n: 1}}}");
        assertThat(reply.containsKey("scatterguard")).isEqualTo(false);
        BsonDocument without = run("{findAndModify: 'orders', query: {_id: 0}, update: {$set: {n: 1}}}");
        assertThat(without.getNumber("code").intValue()).isEqualTo(release.equals("6.0") ? 61 : REFUSED);
    }

    /** Behind a mongos the cluster says so itself. */
    @Test
    void behindAMongosNothingIsReported() {
        store("{_id: 0, customerId: 1, orderId: 1, status: 'open'}");
        CatalogDocuments.shop().storeIn(server.connectionString());
        proxy("mongos", "enforce", "refuse", "");

        BsonDocument reply = run("{findAndModify: 'orders', query: {status: 'open'}, update: {$set: {n: 1}}}");
        assertThat(reply.getNumber("ok").intValue()).isOne();
        run("{find: 'orders', filter: {status: 'open'}}");
        BsonDocument record = records.next();
        assertThat(record.getString("command").getValue()).isEqualTo("find");
        assertThat(record).doesNotContainKey("wouldFail");
        assertThat(proxy.runtime().counters().wouldFailCommands()).isZero();
    }
}
