package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RawClientTest {
    private static final BsonDocument PING = BsonDocument.parse("{ping: 1, $db: \"admin\"}");
    private static final BsonDocument INSERT = BsonDocument.parse("{insert: \"orders\", $db: \"shop\"}");
    private static final List<BsonDocument> DOCUMENTS =
            List.of(new BsonDocument("_id", new BsonInt32(1)), new BsonDocument("_id", new BsonInt32(2)));

    private ScriptedMongos mongos;
    private RawClient client;

    @BeforeEach
    void connect() {
        mongos = ScriptedMongos.start().always("insert", Reply.json("{n: 2, ok: 1.0}"));
        client = RawClient.connect(mongos.port());
    }

    @AfterEach
    void close() {
        client.close();
        mongos.close();
    }

    @Test
    void sendsACommandAndReturnsTheReplyDocument() {
        assertThat(client.command(PING)).isEqualTo(BsonDocument.parse("{ok: 1.0}"));
    }

    @Test
    void sequencesGoAfterOrBeforeTheBody() {
        OpMsgBuilder after = client.msg(INSERT).sequence("documents", DOCUMENTS);
        OpMsgBuilder before = client.msg(INSERT).sequenceBeforeBody("documents", DOCUMENTS);
        client.send(after, before);
        client.receive();
        client.receive();

        List<WireFrame> received = mongos.awaitRequests("insert", 2);
        for (WireFrame frame : received) {
            assertThat(frame.sequence("documents")).isEqualTo(DOCUMENTS);
            assertThat(frame.body()).isEqualTo(INSERT);
        }
        assertThat(received.get(0).bytes()).isEqualTo(after.encode());
        assertThat(received.get(1).bytes()).isEqualTo(before.encode()).hasSameSizeAs(after.encode());
        assertThat(received.get(0).bytes()[20]).as("kind of the first section").isZero();
        assertThat(received.get(1).bytes()[20]).as("kind of the first section").isOne();
    }

    @Test
    void aSequenceBeforeABodyAlreadyPlacedIsAMistakeOfTheTest() {
        OpMsgBuilder message = client.msg(INSERT).sequence("documents", DOCUMENTS);
        assertThatThrownBy(() -> message.sequenceBeforeBody("more", DOCUMENTS))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aChecksumIsSentVerifiedAndAnswered() {
        client.send(client.msg(PING).checksum());
        WireFrame reply = client.receive();
        assertThat(reply.checksumPresent()).isTrue();
        assertThat(mongos.requests("ping").get(0).checksumPresent()).isTrue();
    }

    @Test
    void aWrongChecksumIsNoticed() {
        byte[] message = client.msg(PING).checksum().encode();
        message[message.length - 1] ^= 1;
        assertThatThrownBy(() -> FrameReader.parse(message))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("checksum: ");
    }

    @Test
    void everyTruncationIsNoticed() {
        byte[] message = client.msg(INSERT).sequence("documents", DOCUMENTS).encode();
        for (int length = WireHeader.BYTES; length < message.length; length++) {
            byte[] cut = Arrays.copyOf(message, length);
            cut[0] = (byte) length;
            int expected = length;
            // Cutting exactly between the sections leaves a message that is whole.
            if (length != 21 + RawMessage.bson(INSERT).length) {
                assertThatThrownBy(() -> FrameReader.parse(cut))
                        .as("cut to %d bytes", expected)
                        .isInstanceOf(MalformedFrameException.class);
            }
        }
    }

    @Test
    void anOpQueryIsAnsweredByAnOpReply() {
        OpQueryBuilder plain = client.query(BsonDocument.parse("{isMaster: 1, helloOk: true}"));
        OpQueryBuilder wrapped =
                client.query(BsonDocument.parse("{ismaster: 1}")).wrapped();
        client.send(plain, wrapped);

        WireFrame first = client.receive();
        assertThat(first.opCode()).isEqualTo(WireHeader.OP_REPLY);
        assertThat(first.responseTo()).isEqualTo(plain.requestId());
        assertThat(first.body().getString("msg").getValue()).isEqualTo("isdbgrid");
        assertThat(first.body().getBoolean("helloOk").getValue()).isTrue();
        WireFrame second = client.receive();
        assertThat(second.responseTo()).isEqualTo(wrapped.requestId());
        assertThat(second.body().containsKey("helloOk")).isFalse();
        assertThat(mongos.requests()).extracting(WireFrame::database).containsOnly("admin");
    }

    @Test
    void aWriteWithMoreToComeGetsNoReply() {
        client.send(client.msg(INSERT).sequence("documents", DOCUMENTS).moreToCome(), client.msg(PING));
        assertThat(client.receive().responseTo()).isEqualTo(2);
        assertThat(mongos.requests("insert")).singleElement().matches(WireFrame::moreToCome);
    }

    @Test
    void aReplyIsReadHeaderFirstAndByteByByte() {
        client.send(client.msg(PING), client.msg(PING));
        WireHeader header = client.receiveHeaderOnly();
        assertThat(header.responseTo()).isEqualTo(1);
        assertThat(client.receiveRest(header).body().getNumber("ok").intValue()).isOne();
        byte[] second = new byte[header.messageLength()];
        for (int i = 0; i < second.length; i++) {
            second[i] = client.readBytes(1)[0];
        }
        assertThat(FrameReader.parse(second).responseTo()).isEqualTo(2);
    }

    @Test
    void aMissingReplyIsAnAssertionError() {
        CountDownLatch never = new CountDownLatch(1);
        mongos.always("find", Reply.ok().after(never));
        client.timeout(Duration.ofMillis(20)).send(client.msg(BsonDocument.parse("{find: \"orders\", $db: \"shop\"}")));
        assertThatThrownBy(() -> client.receive())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("timed out");
        assertThatThrownBy(() -> client.expectClosed()).isInstanceOf(AssertionError.class);
        never.countDown();
    }

    @Test
    void afterAHalfCloseWhatWasAskedIsStillAnswered() {
        client.send(client.msg(PING));
        client.halfClose();
        assertThat(client.receive().responseTo()).isEqualTo(1);
        client.expectClosed();
        mongos.awaitOpenConnections(0);
    }

    @Test
    void expectClosedRejectsAByte() {
        client.send(client.msg(PING));
        assertThatThrownBy(() -> client.expectClosed())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected: connection closed");
    }

    @Test
    void aResetIsSeenByTheServer() {
        mongos.awaitOpenConnections(1);
        client.reset();
        mongos.awaitOpenConnections(0);
        assertThat(mongos.totalConnections()).isOne();
    }
}
