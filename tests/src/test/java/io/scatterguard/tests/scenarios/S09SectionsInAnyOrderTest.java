package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.util.List;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S9 (mongo-mockup-db #26; FerretDB/dance #264): a document sequence before the body, and a checksum, are read like any
 * other message. In enforce mode no order and no contradiction of sections brings a broadcast to the server.
 */
@ExtendWith(BlockHoundExtension.class)
class S09SectionsInAnyOrderTest {
    private static final int REFUSED = 61_001;
    private static final BsonDocument DELETE = BsonDocument.parse("{delete: 'orders', $db: 'shop'}");
    private static final BsonDocument TARGETED = BsonDocument.parse("{q: {customerId: 42, orderId: 42003}, limit: 1}");
    private static final BsonDocument BROADCAST = BsonDocument.parse("{q: {status: 'open'}, limit: 0}");

    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;
    private RawClient client;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().always("delete", Reply.json("{n: 1, ok: 1.0}"));
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
        client = proxy.rawClient();
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        mongos.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSequenceBeforeTheBodyIsJudgedLikeOneAfterIt(boolean checksum) {
        assertThat(refusalOf(delete(checksum, BROADCAST))).isEqualTo(REFUSED);
        assertThat(refusalOf(delete(checksum, TARGETED, BROADCAST))).isEqualTo(REFUSED);
        assertThat(mongos.requests("delete")).isEmpty();
        OpMsgBuilder targeted = delete(checksum, TARGETED);
        client.send(targeted);
        assertThat(client.receive().body().getNumber("n").intValue()).isEqualTo(1);
        WireFrame forwarded = mongos.awaitRequests("delete", 1).get(0);
        assertThat(forwarded.bytes()).isEqualTo(targeted.encode());
        assertThat(forwarded.checksumPresent()).isEqualTo(checksum);
        assertThat(forwarded.sequence("deletes")).containsExactly(TARGETED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatContradictsItselfIsAnsweredAsTheServerWouldAndNeverForwarded(boolean checksum) {
        BsonDocument both = DELETE.clone()
                .append(
                        "deletes",
                        BsonDocument.parse("{a: [{q: {}, limit: 0}]}").get("a"));
        OpMsgBuilder inBodyAndSequence = client.msg(both).sequenceBeforeBody("deletes", List.of(TARGETED));
        OpMsgBuilder twoSequences = client.msg(DELETE)
                .sequenceBeforeBody("deletes", List.of(TARGETED))
                .sequence("deletes", List.of(BROADCAST));
        assertThat(refusalOf(checksummed(checksum, inBodyAndSequence))).isEqualTo(40433);
        assertThat(refusalOf(checksummed(checksum, twoSequences))).isEqualTo(40431);
        assertThat(client.adminCommand("ping")).containsKey("ok");
        assertThat(mongos.requests("delete")).isEmpty();
    }

    @Test
    void aFieldThatStandsTwiceInTheBodyIsAnErrorWhichOfThemEverAServerTakes() {
        for (String filters :
                List.of("filter: {customerId: 42, orderId: 42003}, filteX: {}", "filteX: {}, filter: {}")) {
            byte[] message = client.msg(BsonDocument.parse("{find: 'orders', " + filters + ", $db: 'shop'}"))
                    .encode();
            for (int i = 0; i < message.length; i++) {
                message[i] = message[i] == 'X' ? (byte) 'r' : message[i];
            }
            client.sendBytes(message);
            assertThat(client.receive().body().getNumber("code").intValue()).isIn(40413, REFUSED);
        }
        assertThat(mongos.requests("find")).isEmpty();
    }

    /** A server closes on these, so that there is nothing to answer. */
    @ParameterizedTest
    @ValueSource(strings = {"checksum", "flagBits"})
    void aWrongChecksumAndAnUnknownRequiredFlagCloseTheConnection(String what) {
        byte[] message = delete(true, TARGETED).encode();
        int at = what.equals("checksum") ? message.length - 1 : 16;
        message[at] ^= 0x08;
        client.sendBytes(message);
        client.expectClosed();
        Awaitility.await().until(() -> proxy.runtime().counters().closes(CloseCause.CLIENT_PROTOCOL_ERROR) == 1);
        assertThat(mongos.requests("delete")).isEmpty();
    }

    private OpMsgBuilder delete(boolean checksum, BsonDocument... statements) {
        return checksummed(checksum, client.msg(DELETE).sequenceBeforeBody("deletes", List.of(statements)));
    }

    private static OpMsgBuilder checksummed(boolean checksum, OpMsgBuilder message) {
        return checksum ? message.checksum() : message;
    }

    private int refusalOf(OpMsgBuilder message) {
        client.send(message);
        WireFrame reply = client.receive();
        assertThat(reply.responseTo()).isEqualTo(message.requestId());
        return reply.body().getNumber("code").intValue();
    }
}
