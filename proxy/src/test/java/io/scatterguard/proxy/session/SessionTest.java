package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionTest {
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String REFUSED = "{find: 'refused', filter: {}, $db: 'shop'}";
    private static final String OK = "{ok: 1.0}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @Test
    void aRefusalComesInItsTurnAfterEveryEarlierReply() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, FIND);
        f.request(2, REFUSED);
        f.request(3, FIND);
        f.request(4, REFUSED);
        assertThat(f.server.requestIds()).containsExactly(1, 3);
        assertThat(f.client.written).isEmpty();
        f.reply(101, 1, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        f.reply(103, 3, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2, 3, 4);
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        assertThat(f.counters.refusedCommands()).isEqualTo(2);
    }

    @Test
    void aRefusalWithNothingInFlightIsSentAtOnceAndTheConnectionGoesOn() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, REFUSED);
        assertThat(f.client.responsesTo()).containsExactly(1);
        assertThat(f.client.flushed).isEqualTo(1);
        BsonDocument refusal = f.lastReply();
        assertThat(refusal.getDouble("ok").getValue()).isZero();
        assertThat(refusal.getString("codeName").getValue()).isEqualTo("ScatterGatherRefused");
        assertThat(refusal.getArray("errorLabels")).containsExactly(new BsonString("ScatterguardRefused"));
        assertThat(refusal.getDocument("scatterguard").getString("namespace").getValue())
                .isEqualTo("shop.refused");
        f.request(2, FIND);
        f.reply(102, 2, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
    }

    @Test
    void requestsBeforeTheServerConnectionAreKeptInOrderWithinABound() {
        SessionFixture f = new SessionFixture();
        assertThat(f.dialled).isZero();
        f.request(1, FIND);
        f.request(2, FIND);
        assertThat(f.dialled).isEqualTo(1);
        assertThat(f.client.reading).isTrue();
        f.request(3, REFUSED);
        assertThat(f.client.reading).as("bound of 3 early requests").isFalse();
        f.session.onServerConnected(f.server);
        assertThat(f.client.reading).isTrue();
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.server.flushed).isEqualTo(2);
    }

    @Test
    void theServersHashOfAShapeIsKept() {
        SessionFixture f = SessionFixture.connected();
        String hash = "0123456789ABCDEF".repeat(4);
        f.request(1, "{explain: {find: 'orders'}, $db: 'shop'}");
        f.reply(1001, 1, 0, "{queryPlanner: {}, queryShapeHash: '" + hash + "', ok: 1.0}");
        f.request(2, "{find: 'orders', $db: 'shop'}");
        f.reply(1002, 2, 0, "{cursor: {id: 0, ns: 'shop.orders', firstBatch: []}, ok: 1.0}");

        int last = f.outcomes.size() - 1;
        assertThat(f.outcomes.get(last - 1).queryShapeHash()).isEqualTo(hash);
        assertThat(f.outcomes.get(last).queryShapeHash()).isNull();
    }

    @Test
    void tooManyRequestsInFlightPauseTheClient() {
        SessionFixture f = SessionFixture.connected();
        for (int id = 1; id <= 3; id++) {
            f.request(id, FIND);
        }
        assertThat(f.client.reading).isTrue();
        f.request(4, FIND);
        assertThat(f.client.reading).as("bound of 4 in flight").isFalse();
        f.reply(101, 1, 0, OK);
        assertThat(f.client.reading).isTrue();
    }

    @Test
    void backpressureIsReasonedPerSide() {
        SessionFixture f = SessionFixture.connected();
        f.server.writable = false;
        f.request(1, FIND);
        assertThat(f.client.reading).isFalse();
        f.server.writable = true;
        f.session.onServerWritable(true);
        assertThat(f.client.reading).isTrue();
        f.client.writable = false;
        f.reply(101, 1, 0, OK);
        assertThat(f.server.reading).isFalse();
        f.session.onClientWritable(true);
        assertThat(f.server.reading).isTrue();
    }

    @Test
    void aReplyToNothingInFlightClosesBothSides() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, FIND);
        f.reply(101, 77, 0, OK);
        assertThat(f.client.written).isEmpty();
        assertThat(f.client.closed).isTrue();
        assertThat(f.server.closed).isTrue();
        assertThat(f.counters.closes(CloseCause.RESPONSE_MISMATCH)).isEqualTo(1);
        assertThat(f.outcomes).hasSize(2);
        assertThat(f.outcomes.get(1).ok()).isNull();
    }

    @Test
    void anExhaustStreamIsPassedOnAndARefusalWaitsForItsEnd() {
        SessionFixture f = SessionFixture.connected();
        f.request(SessionFixture.frame(1, 0, OpMsg.EXHAUST_ALLOWED, "{hello: 1, $db: 'admin'}"));
        f.request(2, REFUSED);
        f.reply(101, 1, OpMsg.MORE_TO_COME, OK);
        f.reply(102, 101, OpMsg.MORE_TO_COME, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 101);
        f.reply(103, 102, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 101, 102, 2);
        assertThat(f.session.isClosed()).isFalse();
    }

    @Test
    void aWriteWithoutReplyIsForwardedEvenIfRefusedAndAwaitsNothing() {
        SessionFixture f = SessionFixture.connected();
        f.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, "{update: 'refused', $db: 'shop'}"));
        f.request(2, FIND);
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        f.reply(102, 2, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(2);
    }

    @Test
    void anUnknownOpcodeIsCountedAndForwardedAndHoldsNothingUp() {
        SessionFixture f = SessionFixture.connected();
        for (int id = 50; id < 60; id++) {
            f.request(opaque(id, 4242));
        }
        f.request(60, REFUSED);
        f.request(61, FIND);
        f.reply(161, 61, 0, OK);
        assertThat(f.server.requestIds()).hasSize(11);
        assertThat(f.client.responsesTo()).containsExactly(60, 61);
        assertThat(f.counters.requests(OpCode.UNKNOWN)).isEqualTo(10);
        assertThat(f.client.reading).isTrue();
    }

    @Test
    void aClientThatDoesNotReadItsRefusalsIsNotReadEither() {
        SessionFixture f = SessionFixture.connected();
        f.client.writable = false;
        f.request(1, REFUSED);
        assertThat(f.client.reading).isFalse();
        f.client.writable = true;
        f.session.onClientWritable(true);
        assertThat(f.client.reading).isTrue();
    }

    @Test
    void malformedRequestsCloseWithACause() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, "{}");
        assertThat(f.counters.closes(CloseCause.CLIENT_PROTOCOL_ERROR)).isEqualTo(1);
        assertThat(f.server.closed).isTrue();
        ByteBuf late = SessionFixture.frame(2, 0, 0, FIND);
        f.request(late);
        assertThat(late.refCnt()).isZero();
        assertThat(f.server.written).isEmpty();
    }

    @Test
    void eitherSideGoingAwayClosesTheOtherOnce() {
        for (CloseCause cause : List.of(CloseCause.CLIENT_CLOSED, CloseCause.SERVER_CLOSED)) {
            SessionFixture f = SessionFixture.connected();
            f.request(1, FIND);
            f.request(2, REFUSED);
            f.session.close(cause);
            f.session.close(CloseCause.INTERNAL_ERROR);
            assertThat(f.client.closed).isTrue();
            assertThat(f.server.closed).isTrue();
            assertThat(f.client.written)
                    .as("no refusal before the earlier reply")
                    .isEmpty();
            assertThat(f.counters.closes(cause)).isEqualTo(1);
            assertThat(f.counters.openConnections()).isZero();
            assertThat(f.outcomes).as("every record is completed").hasSize(3);
        }
    }

    @Test
    void closingWhileConnectingReleasesEarlyRequestsAndTheLateConnection() {
        SessionFixture f = new SessionFixture();
        ByteBuf early = SessionFixture.frame(1, 0, 0, FIND);
        f.request(early);
        f.session.close(CloseCause.CLIENT_CLOSED);
        assertThat(early.refCnt()).isZero();
        f.session.onServerConnected(f.server);
        assertThat(f.server.closed).isTrue();
        SessionFixture g = new SessionFixture();
        g.request(1, FIND);
        g.session.onConnectFailed(new java.net.ConnectException("planted"));
        assertThat(g.client.closed).isTrue();
        assertThat(g.counters.closes(CloseCause.CONNECT_FAILED)).isEqualTo(1);
    }

    @Test
    void drainingWaitsForWhatIsInFlight() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, FIND);
        f.session.drain();
        assertThat(f.session.isClosed()).isFalse();
        f.reply(101, 1, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1);
        assertThat(f.counters.closes(CloseCause.SHUTDOWN)).isEqualTo(1);
        SessionFixture idle = SessionFixture.connected();
        idle.session.drain();
        assertThat(idle.session.isClosed()).isTrue();
    }

    @Test
    void aHelloStreamDoesNotHoldADrainUpAndDrainingReadsNoMore() {
        SessionFixture f = SessionFixture.connected();
        f.request(SessionFixture.frame(1, 0, OpMsg.EXHAUST_ALLOWED, "{hello: 1, $db: 'admin'}"));
        f.reply(101, 1, OpMsg.MORE_TO_COME, OK);
        f.session.drain();
        assertThat(f.session.isClosed()).isTrue();
        SessionFixture busy = SessionFixture.connected();
        busy.request(1, FIND);
        busy.session.drain();
        assertThat(busy.client.reading).isFalse();
        SessionFixture connecting = new SessionFixture();
        connecting.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, "{insert: 'c', $db: 'shop'}"));
        connecting.session.drain();
        assertThat(connecting.session.isClosed()).isFalse();
        connecting.session.onServerConnected(connecting.server);
        assertThat(connecting.server.requestIds()).containsExactly(1);
        assertThat(connecting.session.isClosed()).isTrue();
    }

    @Test
    void theOutcomeOfALargeReplyIsReadToo() {
        SessionFixture f = SessionFixture.connected();
        f.request(SessionFixture.frame(1, 0, OpMsg.EXHAUST_ALLOWED, "{getMore: 7, collection: 'c', $db: 'shop'}"));
        f.reply(101, 1, OpMsg.MORE_TO_COME, "{ok: 1.0, cursor: {nextBatch: [{a: 1}]}}");
        f.reply(102, 101, 0, "{ok: 0.0, x: '" + "y".repeat(1_000_000) + "', code: 43}");
        assertThat(f.outcomes.get(1).ok()).isFalse();
        assertThat(f.outcomes.get(1).code()).isEqualTo(43);
        assertThat(f.outcomes.get(1).nReturned()).isNull();
    }

    @Test
    void aReplyInPartsIsPassedOnPartByPart() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, FIND);
        ByteBuf whole = SessionFixture.frame(101, 1, 0, "{ok: 1.0, cursor: {firstBatch: [{a: 1}, {a: 2}]}}");
        MessageHeader header = MessageHeader.read(whole, 0);
        f.session.onReply(new ReplyChunk(header, 0, whole.readRetainedSlice(30), true, false));
        assertThat(f.client.written).hasSize(1);
        f.session.onReply(new ReplyChunk(header, 0, whole, false, true));
        assertThat(f.client.written).hasSize(2);
        assertThat(f.outcomes.get(1).ok()).isTrue();
        assertThat(f.outcomes.get(1).nReturned()).isEqualTo(2);
        assertThat(f.outcomes.get(1).replyBytes()).isEqualTo(header.messageLength());
    }

    @Test
    void compressorsWeCannotReadAreTakenOutOfTheHandshakeAndWhatItSaysIsLearnt() {
        SessionFixture f = SessionFixture.connected();
        f.request(
                1,
                "{hello: 1, compression: ['lz4', 'zlib'], client: {application: {name: 'shop-app'}, "
                        + "driver: {name: 'java', version: '5'}, os: {type: 'Linux'}}, $db: 'admin'}");
        assertThat(f.lastForwarded().getArray("compression")).containsExactly(new BsonString("zlib"));
        assertThat(f.lastForwarded().containsKey("client")).isTrue();
        f.reply(101, 1, 0, "{ok: 1.0, maxWireVersion: 20, maxMessageSizeBytes: 5000}");
        assertThat(f.session.maxMessageBytes()).isEqualTo(5000);
        f.request(2, FIND);
        assertThat(f.releases.get(f.releases.size() - 1)).hasToString("6.3");
        assertThat(f.sources.get(1).client().appName()).isEqualTo("shop-app");
        assertThat(f.sources.get(1).client().driver()).isEqualTo("java 5");
        assertThat(f.sources.get(1).client().user()).isNull();
    }

    private static ByteBuf opaque(int requestId, int opCode) {
        return Unpooled.buffer()
                .writeIntLE(32)
                .writeIntLE(requestId)
                .writeIntLE(0)
                .writeIntLE(opCode)
                .writeZero(16);
    }
}
