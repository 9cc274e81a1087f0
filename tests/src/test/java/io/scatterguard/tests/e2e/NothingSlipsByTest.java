package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.OpQueryBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broadcast is refused in enforce mode in whatever form it is put; and what is no broadcast passes in each of them. */
@ExtendWith(BlockHoundExtension.class)
class NothingSlipsByTest {
    private static final int REFUSED = 61_001;

    /** BSON's type bytes, which stand before a name. */
    private static final byte DOCUMENT = 3;

    private static final byte ARRAY = 4;
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
            policy:
              mode: enforce
              default: { reads: refuse, writes: refuse }
              rules:
                - { name: no-events, match: { namespace: shop.events, shape: scatterGather }, action: refuse }
                - { name: no-explain, match: { namespace: shop.customers, commands: explain }, action: refuse }
            audit: { sinks: [] }
            """;

    private static ScriptedMongos mongos;
    private static ProxyUnderTest proxy;

    @BeforeAll
    static void start() {
        mongos = ScriptedMongos.start().helloField("maxWireVersion", new BsonInt32(25));
        for (String command : List.of(
                "find",
                "count",
                "distinct",
                "aggregate",
                "findAndModify",
                "mapReduce",
                "update",
                "delete",
                "explain")) {
            mongos.always(command, Reply.ok());
        }
        proxy = ProxyUnderTest.configured(mongos, CONFIG, RuntimeParts.standard());
    }

    @AfterAll
    static void stop() {
        proxy.close();
        mongos.close();
    }

    /** {@code K} is a predicate on the shard key; a {@code ~} says that this field stands there twice. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'orders', filter: {status: 1}}",
                "{find: 'orders'}",
                "{count: 'orders', query: {status: 1}}",
                "{distinct: 'orders', key: 'a', query: {status: 1}}",
                "{aggregate: 'orders', pipeline: [{$match: {status: 1}}], cursor: {}}",
                "{findAndModify: 'orders', query: {status: 1}, update: {$set: {a: 1}}}",
                "{findandmodify: 'orders', query: {status: 1}, update: {$set: {a: 1}}}",
                "{mapReduce: 'orders', query: {status: 1}, map: 'm', reduce: 'r', out: {inline: 1}}",
                "{mapreduce: 'orders', query: {status: 1}, map: 'm', reduce: 'r', out: {inline: 1}}",
                "{update: 'orders', updates: [{q: {status: 1}, u: {$set: {a: 1}}, multi: true}]}",
                "{delete: 'orders', deletes: [{q: {status: 1}, limit: 0}]}",
                "{find: 'orders', filter: K, ~filter: {}}",
                "{find: 'orders', filter: {}, ~filter: K}",
                "{find: 'orders', ~filter: {}, comment: 'between', filter: K}",
                "{count: 'orders', query: K, ~query: {}}",
                "{count: 'orders', query: {}, ~query: K}",
                "{distinct: 'orders', key: 'a', query: K, ~query: {}}",
                "{aggregate: 'orders', pipeline: [{$match: K}], ~pipeline: [], cursor: {}}",
                "{aggregate: 'orders', pipeline: [], ~pipeline: [{$match: K}], cursor: {}}",
                "{findAndModify: 'orders', query: K, ~query: {}, update: {$set: {a: 1}}}",
                "{update: 'orders', updates: [{q: K, ~q: {}, u: {$set: {a: 1}}, multi: true}]}",
                "{update: 'orders', updates: [{q: K, u: {$set: {a: 1}}}], ~updates: [{q: {}, u: {$set: {a: 1}}, multi: true}]}",
                "{delete: 'orders', deletes: [{q: {}, ~q: K, limit: 0}]}",
                "{delete: 'orders', deletes: [{q: K, limit: 1}], ~deletes: [{q: {}, limit: 0}]}",
            })
    void aBroadcastIsRefusedHoweverItIsPut(String template) {
        BsonDocument command = BsonDocument.parse(
                template.replace("K", "{customerId: 1, orderId: 2}").replaceAll("~\\w", "_"));
        int before = mongos.requests().size();
        for (int form = 0; form < 3; form++) {
            try (RawClient client = connected()) {
                client.sendBytes(twice(inForm(form, client, command)));
                assertThat(client.receive().body().getNumber("code").intValue())
                        .as("form %d of %s", form, template)
                        .isEqualTo(REFUSED);
                assertThat(client.adminCommand("ping")).containsKey("ok");
            }
        }
        assertThat(mongos.requests().subList(before, mongos.requests().size()))
                .as("of the shop only the metadata is read")
                .noneMatch(frame ->
                        frame.database().equals("shop") && !frame.commandName().equals("listCollections"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'orders', filter: K}",
                "{count: 'orders', query: K}",
                "{aggregate: 'orders', pipeline: [{$match: K}], cursor: {}}",
                "{findandmodify: 'orders', query: K, update: {$set: {a: 1}}}",
                "{mapreduce: 'orders', query: K, map: 'm', reduce: 'r', out: {inline: 1}}",
                "{explain: {find: 'orders', filter: {status: 1}}, verbosity: 'executionStats'}",
            })
    void whatIsNoBroadcastPassesInEachForm(String template) {
        BsonDocument command = BsonDocument.parse(template.replace("K", "{customerId: 1, orderId: 2}"));
        for (int form = 0; form < 3; form++) {
            try (RawClient client = connected()) {
                client.sendBytes(inForm(form, client, command).encode());
                assertThat(client.receive().body()).as("form %d", form).doesNotContainKey("code");
            }
        }
    }

    @Test
    void aFieldBothInTheBodyAndAsASequenceIsRefused() {
        String key = "{q: {customerId: 1, orderId: 2}, u: {$set: {a: 1}}}";
        String all = "{q: {}, u: {$set: {a: 1}}, multi: true}";
        for (List<String> order : List.of(List.of(key, all), List.of(all, key))) {
            for (boolean first : new boolean[] {true, false}) {
                try (RawClient client = connected()) {
                    OpMsgBuilder update = client.msg(
                            BsonDocument.parse("{update: 'orders', updates: [" + order.get(0) + "], $db: 'shop'}"));
                    List<BsonDocument> sequence = List.of(BsonDocument.parse(order.get(1)));
                    client.send(
                            first
                                    ? update.sequenceBeforeBody("updates", sequence)
                                    : update.sequence("updates", sequence));
                    BsonDocument reply = client.receive().body();
                    assertThat(reply.getNumber("ok").doubleValue()).isZero();
                    assertThat(mongos.requests("update")).isEmpty();
                }
            }
        }
    }

    @Test
    void aRuleOnCertainBroadcastsMeansAFieldGivenTwiceToo() {
        try (RawClient client = connected()) {
            client.sendBytes(twice(client.msg(
                    BsonDocument.parse("{find: 'events', filter: {ts: {$date: 0}}, _ilter: {}, $db: 'shop'}"))));
            BsonDocument refusal = client.receive().body();
            assertThat(refusal.getDocument("scatterguard").getString("rule").getValue())
                    .isEqualTo("no-events");
            assertThat(refusal.getString("errmsg").getValue()).contains("stands twice", "give every field once");
            assertThat(client.command(BsonDocument.parse("{find: 'events', filter: {ts: {$date: 0}}, $db: 'shop'}")))
                    .doesNotContainKey("code");
        }
    }

    @Test
    void anExplainThatRunsTheBroadcastIsRefusedWhereARuleNamesIt() {
        String explain = "{explain: {find: '%s', filter: {a: 1}}, verbosity: 'executionStats', $db: 'shop'}";
        try (RawClient client = connected()) {
            assertThat(client.command(BsonDocument.parse(explain.formatted("customers")))
                            .getNumber("code")
                            .intValue())
                    .isEqualTo(REFUSED);
            assertThat(client.command(BsonDocument.parse(explain.formatted("orders"))))
                    .as("by default")
                    .doesNotContainKey("code");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"comment", "Find", "FIND", "$query", "lsid", "aggregatE"})
    void theFirstKeyIsTheCommandAsItIsForTheServer(String first) {
        try (RawClient client = connected()) {
            BsonDocument command =
                    BsonDocument.parse("{'" + first + "': 'orders', find: 'orders', filter: {}, $db: 'shop'}");
            BsonDocument reply = client.command(command);
            assertThat(reply.containsKey("scatterguard"))
                    .as("no such command, a server says to it")
                    .isFalse();
            List<WireFrame> received = mongos.requests();
            assertThat(received)
                    .filteredOn(frame -> frame.database().equals("shop"))
                    .last()
                    .extracting(WireFrame::body)
                    .isEqualTo(command);
        }
    }

    private static RawClient connected() {
        RawClient client = proxy.rawClient();
        assertThat(client.adminCommand("hello")).containsKey("maxWireVersion");
        return client;
    }

    private static RawMessage inForm(int form, RawClient client, BsonDocument command) {
        if (form == 0) {
            return client.msg(command.clone().append("$db", new BsonString("shop")));
        }
        OpQueryBuilder query = client.query(command).namespace("shop.$cmd");
        return form == 1 ? query : query.wrapped();
    }

    /** The message with the first letter of every name put back that was taken away so that both names could be told apart. */
    private static byte[] twice(RawMessage message) {
        byte[] bytes = message.encode();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (String name : List.of("filter", "query", "pipeline", "updates", "deletes", "q")) {
            String without = "_" + name.substring(1) + '\0';
            for (int at = text.indexOf(without); at >= 0; at = text.indexOf(without, at + 1)) {
                boolean isName = at > 16 && (bytes[at - 1] == DOCUMENT || bytes[at - 1] == ARRAY);
                bytes[at] = isName ? (byte) name.charAt(0) : bytes[at];
            }
        }
        return bytes;
    }
}
