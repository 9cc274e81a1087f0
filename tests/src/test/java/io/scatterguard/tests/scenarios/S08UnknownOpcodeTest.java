package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpQueryBuilder;
import io.scatterguard.tests.support.OpaqueMessage;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Envoy's Mongo filter took an opcode it did not know for a decoding error and went on without inspecting anything (envoy
 * #5036, #31810). Here an unknown opcode, and a legacy one, is counted, and forwarded or refused as configured; whatever
 * comes behind it is inspected as before.
 */
@ExtendWith(BlockHoundExtension.class)
class S08UnknownOpcodeTest {
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["UPSTREAM"] }
                opcodes: %s
            policy: { mode: enforce, default: { reads: refuse } }
            audit: { sinks: [] }
            """;

    @ParameterizedTest
    @ValueSource(ints = {4242, 2010, 2011, 0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void isForwardedAsItCameAndInspectionGoesOn(int number) {
        try (ScriptedMongos mongos = ScriptedMongos.start().on("", request -> Reply.none());
                ProxyUnderTest proxy = proxy(mongos, "{ unknown: forward }");
                RawClient client = proxy.rawClient()) {
            OpaqueMessage unknown = new OpaqueMessage(700, number, new byte[] {1, 2, 3});
            client.send(unknown, client.msg(BROADCAST));
            WireFrame refusal = client.receive();
            assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(61_001);
            List<WireFrame> received = mongos.awaitRequests(1);
            assertThat(received.get(received.size() - 1).bytes()).isEqualTo(unknown.encode());
            assertThat(proxy.runtime().counters().requests(OpCode.UNKNOWN)).isEqualTo(1);
            assertThat(client.adminCommand("ping")).containsKey("ok");
        }
    }

    @ParameterizedTest
    @CsvSource({"4242, UNKNOWN, unknown", "2002, OP_INSERT, OP_INSERT", "2006, OP_DELETE, OP_DELETE"})
    void whereItIsRefusedTheConnectionClosesByName(int number, OpCode opCode, String key) {
        try (ScriptedMongos mongos = ScriptedMongos.start();
                ProxyUnderTest proxy = proxy(mongos, "{ " + key + ": refuse }");
                RawClient client = proxy.rawClient();
                RawClient other = proxy.rawClient()) {
            assertThat(client.adminCommand("ping")).containsKey("ok");
            client.send(
                    opCode == OpCode.UNKNOWN
                            ? new OpaqueMessage(700, number, new byte[8])
                            : OpaqueMessage.legacy(700, number, "shop.orders", new BsonDocument()));
            client.expectClosed();
            assertThat(proxy.runtime().counters().requests(opCode)).isEqualTo(1);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> proxy.runtime().counters().closes(CloseCause.OPCODE_REFUSED) == 1);
            assertThat(mongos.requests()).noneMatch(frame -> frame.opCode() == number);
            assertThat(other.adminCommand("ping")).as("another connection").containsKey("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2001, 2002, 2006, 2007})
    void aLegacyOpcodeWithoutReplyIsForwardedAndInspectionGoesOn(int number) {
        try (ScriptedMongos mongos = ScriptedMongos.start().on("", request -> Reply.none());
                ProxyUnderTest proxy = proxy(mongos, "{ unknown: refuse }");
                RawClient client = proxy.rawClient()) {
            OpaqueMessage legacy =
                    OpaqueMessage.legacy(700, number, "shop.orders", BsonDocument.parse("{status: 'open'}"));
            client.send(legacy, client.msg(BROADCAST));
            assertThat(client.receive().body().getNumber("code").intValue()).isEqualTo(61_001);
            assertThat(mongos.awaitRequests(1))
                    .anyMatch(frame -> java.util.Arrays.equals(frame.bytes(), legacy.encode()));
            assertThat(proxy.runtime().counters().requests(OpCode.of(number))).isEqualTo(1);
        }
    }

    @Test
    void aRefusedLegacyQueryIsAnsweredAndTheConnectionGoesOn() {
        try (ScriptedMongos mongos = ScriptedMongos.start();
                ProxyUnderTest proxy = proxy(mongos, "{ OP_QUERY: refuse, OP_GET_MORE: refuse }");
                RawClient client = proxy.rawClient()) {
            OpQueryBuilder query = client.query(new BsonDocument()).namespace("shop.orders");
            client.send(query, OpaqueMessage.legacy(700, OpaqueMessage.OP_GET_MORE, "shop.orders", new BsonDocument()));
            for (int requestId : new int[] {query.requestId(), 700}) {
                WireFrame reply = client.receive();
                assertThat(reply.responseTo()).isEqualTo(requestId);
                assertThat(reply.opCode()).isEqualTo(OpCode.OP_REPLY.value());
                assertThat(reply.flagBits()).as("QueryFailure").isEqualTo(2);
                assertThat(reply.body().getNumber("code").intValue()).isEqualTo(5_739_101);
            }
            OpQueryBuilder hello = client.query(BsonDocument.parse("{isMaster: 1}"));
            client.send(hello);
            assertThat(client.receive().body().getBoolean("ismaster").getValue())
                    .as("a command by OP_QUERY")
                    .isTrue();
        }
    }

    private static ProxyUnderTest proxy(ScriptedMongos mongos, String opcodes) {
        return ProxyUnderTest.configured(mongos, CONFIG.formatted(opcodes), RuntimeParts.standard());
    }
}
