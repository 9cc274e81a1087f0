package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedConnection;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A reply whose {@code responseTo} matches nothing closes both sides, is counted, and is never delivered. In a stream each
 * reply answers the {@code requestId} of the reply before it. From mongo-java-driver PR 1975.
 */
@ExtendWith(BlockHoundExtension.class)
class S21UnmatchedRepliesTest {
    private static final BsonDocument FIND = BsonDocument.parse("{find: 'settings', $db: 'shop'}");
    private static final BsonDocument OK = BsonDocument.parse("{ok: 1.0}");

    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;
    private RawClient client;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
        client = proxy.rawClient();
        client.adminCommand("ping");
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        mongos.close();
    }

    @Test
    void aReplyToAnotherRequestIsNotDelivered() {
        mongos.always("find", Reply.bytes(reply(1, 4_711, 0)));
        client.send(client.msg(FIND));
        assertMismatch();
    }

    @Test
    void aReplyToAnEarlierRequestIsNotDelivered() {
        mongos.always("find", Reply.bytes(reply(1, 1, 0)));
        client.send(client.msg(FIND));
        assertMismatch();
    }

    @Test
    void aReplyToTheSecondOfTwoRequestsIsNotTakenForOneToTheFirst() {
        mongos.on("find", request -> Reply.bytes(reply(1, request.requestId() + 1, 0)));
        client.send(client.msg(FIND), client.msg(FIND));
        assertMismatch();
    }

    @Test
    void aReplyThatNobodyAskedForIsNotDelivered() {
        ScriptedConnection server = connection();
        server.push(reply(1, 1, 0));
        assertMismatch();
    }

    @Test
    void inAStreamTheFirstRequestIsAnsweredOnceOnly() {
        mongos.on("find", request -> out -> {
            out.bytes(reply(901, request.requestId(), WireFrame.MORE_TO_COME));
            out.bytes(reply(902, request.requestId(), WireFrame.MORE_TO_COME));
        });
        client.send(client.msg(FIND).exhaustAllowed());
        assertThat(client.receive().requestId()).isEqualTo(901);
        assertMismatch();
    }

    @Test
    void aStreamWhoseRepliesAnswerEachOtherPasses() {
        mongos.on("find", request -> out -> {
            out.bytes(reply(901, request.requestId(), WireFrame.MORE_TO_COME));
            out.bytes(reply(902, 901, WireFrame.MORE_TO_COME));
            out.bytes(reply(903, 902, 0));
        });
        client.send(client.msg(FIND).exhaustAllowed());
        for (int id = 901; id <= 903; id++) {
            assertThat(client.receive().requestId()).isEqualTo(id);
        }
        assertThat(client.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
        assertThat(proxy.runtime().counters().closes(CloseCause.RESPONSE_MISMATCH))
                .isZero();
    }

    private void assertMismatch() {
        ScriptedConnection server = connection();
        client.expectClosed();
        assertThat(proxy.runtime().counters().closes(CloseCause.RESPONSE_MISMATCH))
                .isEqualTo(1);
        Awaitility.await().until(() -> !server.isOpen());
    }

    /** The server's end of the client's connection: the one that had a ping. */
    private ScriptedConnection connection() {
        return mongos.connections().stream()
                .filter(connection -> connection.received().stream()
                        .anyMatch(frame -> frame.commandName().equals("ping")))
                .findFirst()
                .orElseThrow();
    }

    private static byte[] reply(int requestId, int responseTo, int flags) {
        return OpMsgBuilder.of(requestId, OK)
                .responseTo(responseTo)
                .flags(flags)
                .encode();
    }
}
