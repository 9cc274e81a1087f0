package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpQueryBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import io.scatterguard.tests.support.WireHeader;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** S3 (the-protocol-master #19): an old tool's handshake, a bare {@code ismaster} by OP_QUERY, is answered, and so is what follows. */
@ExtendWith(BlockHoundExtension.class)
class S03MinimalHandshakeTest {
    @Test
    void anOldToolIsAnsweredAsTheServerAnswersIt() {
        try (ScriptedMongos mongos = ScriptedMongos.start().withData();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            OpQueryBuilder handshake = client.query(BsonDocument.parse("{ismaster: 1}"));
            client.send(handshake);
            WireFrame reply = client.receive();
            assertThat(reply.opCode()).isEqualTo(WireHeader.OP_REPLY);
            assertThat(reply.responseTo()).isEqualTo(handshake.requestId());
            assertThat(reply.body().getBoolean("ismaster").getValue()).isTrue();
            assertThat(reply.body().containsKey("helloOk"))
                    .as("was not asked for")
                    .isFalse();

            client.send(client.query(BsonDocument.parse("{insert: 'orders', documents: [{customerId: 1, orderId: 1}]}"))
                    .namespace("shop.$cmd"));
            assertThat(client.receive().body().getNumber("n").intValue()).isOne();
            client.send(client.query(BsonDocument.parse("{count: 'orders', query: {customerId: 1, orderId: 1}}"))
                    .namespace("shop.$cmd")
                    .wrapped());
            assertThat(client.receive().body().getNumber("n").intValue()).isOne();
            assertThat(mongos.requests("ismaster")).extracting(WireFrame::bytes).contains(handshake.encode());
        }
    }
}
