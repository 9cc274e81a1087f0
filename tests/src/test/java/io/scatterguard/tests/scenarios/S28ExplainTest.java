package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S28 (Vitess #14090): whoever looks for the reason of a broadcast explains it. That is never refused by default, and its
 * record says what the explained command would have got.
 */
@ExtendWith(BlockHoundExtension.class)
class S28ExplainTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
            policy:
              mode: MODE
              default: { reads: refuse, writes: refuse }
              rules:
                - { name: no-scan, match: { namespace: shop.orders, shape: scatterGather }, action: refuse }
              exemptions: [{ id: nightly }]
            audit: { sinks: [], record: routed }
            """;
    private static final String EXPLAINING_RULE =
            "    - { name: no-explain, match: { commands: explain, shape: scatterGather }, action: refuse }\n  exemptions:";

    private final AuditRecords records = new AuditRecords();
    private final ScriptedMongos mongos =
            ScriptedMongos.start().withData().always("explain", Reply.json("{queryPlanner: {}, ok: 1.0}"));
    private ProxyUnderTest proxy;

    private RawClient start(String yaml) {
        proxy = ProxyUnderTest.configured(mongos, yaml, RuntimeParts.standard().withSink(records));
        return proxy.rawClient();
    }

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
    }

    private static BsonDocument explain(String command) {
        return BsonDocument.parse("{explain: " + command + ", verbosity: 'queryPlanner', $db: 'shop'}");
    }

    private BsonDocument verdict(BsonDocument reply, int ok) {
        assertThat(reply.getNumber("ok").intValue()).isEqualTo(ok);
        BsonDocument record = records.next();
        assertThat(record.getString("command").getValue()).isEqualTo("explain");
        assertThat(record.getDocument("route").getString("shape").getValue()).isNotEmpty();
        return record.getDocument("verdict");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'orders', filter: {status: 'open'}}",
                "{aggregate: 'orders', pipeline: [{$match: {status: 'open'}}], cursor: {}}",
                "{count: 'orders', query: {status: 'open'}}",
                "{distinct: 'orders', key: 'status'}",
                "{update: 'orders', updates: [{q: {status: 'open'}, u: {$set: {a: 1}}, multi: true}]}",
                "{delete: 'orders', deletes: [{q: {status: 'open'}, limit: 0}]}",
            })
    void aBroadcastIsExplainedAndItsVerdictRecorded(String command) {
        try (RawClient client = start(CONFIG.replace("MODE", "enforce"))) {
            assertThat(verdict(client.command(explain(command)), 1)).isEqualTo(BsonDocument.parse("""
                    {action: 'allow', wouldRefuse: false, reason: 'neverRefused', policyVersion: 1,
                     explained: {action: 'refuse', wouldRefuse: false, rule: 'no-scan', reason: 'rule'}}
                    """));
            assertThat(mongos.requests("explain")).hasSize(1);
            assertThat(proxy.runtime().counters().refusedCommands()).isZero();
        }
    }

    @Test
    void theNeighboursGetTheirOwn() {
        try (RawClient client = start(CONFIG.replace("MODE", "enforce"))) {
            BsonDocument targeted =
                    verdict(client.command(explain("{find: 'orders', filter: {customerId: 7, orderId: 1}}")), 1);
            assertThat(targeted.getDocument("explained"))
                    .isEqualTo(BsonDocument.parse("{action: 'allow', wouldRefuse: false, reason: 'default'}"));
            BsonDocument exempted = verdict(
                    client.command(explain("{find: 'orders', filter: {a: 1}, comment: 'scatterguard:allow=nightly'}")),
                    1);
            assertThat(exempted.getDocument("explained"))
                    .isEqualTo(BsonDocument.parse("{action: 'allow', wouldRefuse: false, rule: 'no-scan',"
                            + " exemption: 'nightly', reason: 'exempted'}"));
            assertThat(client.command(BsonDocument.parse("{find: 'orders', filter: {customerId: 7}, $db: 'shop'}"))
                            .getNumber("ok")
                            .intValue())
                    .isOne();
            assertThat(records.next().getDocument("verdict")).doesNotContainKey("explained");
        }
    }

    @Test
    void inObserveModeItWouldHaveBeenRefused() {
        try (RawClient client = start(CONFIG.replace("MODE", "observe"))) {
            assertThat(verdict(client.command(explain("{find: 'orders'}")), 1).getDocument("explained"))
                    .isEqualTo(
                            BsonDocument.parse("{action: 'log', wouldRefuse: true, rule: 'no-scan', reason: 'rule'}"));
        }
    }

    @Test
    void aRuleThatNamesItRefusesIt() {
        String yaml = CONFIG.replace("MODE", "enforce").replace("  exemptions:", EXPLAINING_RULE);
        try (RawClient client = start(yaml)) {
            BsonDocument verdict = verdict(client.command(explain("{find: 'orders'}")), 0);
            assertThat(verdict.get("rule")).isEqualTo(new BsonString("no-explain"));
            assertThat(verdict.getDocument("explained").get("rule")).isEqualTo(new BsonString("no-scan"));
            assertThat(mongos.requests("explain")).isEmpty();
        }
    }

    @Test
    void aDriverExplainsWhatItMayNotRun() {
        start(CONFIG.replace("MODE", "enforce")).close();
        try (MongoClient client = proxy.driver()) {
            var orders = client.getDatabase("shop").getCollection("orders");
            assertThatThrownBy(() -> orders.find(Filters.eq("status", "open")).first())
                    .isInstanceOf(MongoCommandException.class);
            assertThat(orders.find(Filters.eq("status", "open")).explain()).containsKey("queryPlanner");
        }
        assertThat(records.next().getDocument("verdict").get("action")).isEqualTo(new BsonString("refuse"));
        assertThat(records.next()
                        .getDocument("verdict")
                        .getDocument("explained")
                        .get("action"))
                .isEqualTo(new BsonString("refuse"));
    }
}
