package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Requests that come in one packet, the first of a connection, before there is a connection to the server: all are answered,
 * in order. From kroxylicious #513 and #3757.
 */
@ExtendWith(BlockHoundExtension.class)
class S22TwoRequestsInOnePacketTest {
    @Test
    void twoRequestsBeforeTheServerConnectionAreAnsweredInOrder() {
        try (ScriptedMongos mongos = ScriptedMongos.start();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            mongos.always("count", Reply.json("{ok: 1.0, n: 42}"));
            OpMsgBuilder ping = client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}"));
            OpMsgBuilder count = client.msg(BsonDocument.parse("{count: 'settings', $db: 'shop'}"));
            client.send(ping, count);
            assertThat(client.receive().responseTo()).isEqualTo(ping.requestId());
            WireFrame second = client.receive();
            assertThat(second.responseTo()).isEqualTo(count.requestId());
            assertThat(second.body().getNumber("n").intValue()).isEqualTo(42);
        }
    }

    @Test
    void aRefusedOneAmongThemIsAnsweredInItsTurn() {
        try (ScriptedMongos mongos = ScriptedMongos.start();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            OpMsgBuilder ping = client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}"));
            OpMsgBuilder broadcast =
                    client.msg(BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}"));
            OpMsgBuilder last = client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}"));
            client.send(ping, broadcast, last);
            assertThat(client.receive().responseTo()).isEqualTo(ping.requestId());
            WireFrame refusal = client.receive();
            assertThat(refusal.responseTo()).isEqualTo(broadcast.requestId());
            assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(61_001);
            assertThat(client.receive().responseTo()).isEqualTo(last.requestId());
            assertThat(mongos.requests("find")).isEmpty();
        }
    }

    /** More than are held for a connection: the rest waits in the socket. */
    @Test
    void aThousandRequestsBeforeTheServerConnectionAreAnsweredInOrder() {
        int requests = 1_000;
        try (ScriptedMongos mongos = ScriptedMongos.start();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            OpMsgBuilder[] pings = new OpMsgBuilder[requests];
            for (int i = 0; i < requests; i++) {
                pings[i] = client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}"));
            }
            client.send(pings);
            for (OpMsgBuilder ping : pings) {
                assertThat(client.receive().responseTo()).isEqualTo(ping.requestId());
            }
        }
    }
}
