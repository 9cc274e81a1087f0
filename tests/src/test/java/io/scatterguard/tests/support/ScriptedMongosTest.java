package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScriptedMongosTest {
    private static final BsonDocument PING = BsonDocument.parse("{ping: 1, $db: \"admin\"}");
    private static final BsonDocument FIND = BsonDocument.parse("{find: \"orders\", $db: \"shop\"}");
    private static final int SIXTEEN_MEBIBYTES = 16 * 1024 * 1024;

    private ScriptedMongos mongos;
    private RawClient client;

    @BeforeEach
    void connect() {
        mongos = ScriptedMongos.start();
        client = RawClient.connect(mongos.port());
    }

    @AfterEach
    void close() {
        client.close();
        mongos.close();
    }

    @Test
    void aHandlerSeesTheRequest() {
        mongos.on(
                "find",
                request -> Reply.cursor(
                        "shop." + request.command().getString("find").getValue(), 0, List.of()));
        assertThat(client.command(FIND).getDocument("cursor").getString("ns").getValue())
                .isEqualTo("shop.orders");
    }

    @Test
    void anUnknownCommandIsError59() {
        BsonDocument reply = client.command(BsonDocument.parse("{noSuchThing: 1, $db: \"admin\"}"));
        assertThat(reply.getNumber("code").intValue()).isEqualTo(59);
        assertThat(reply.getNumber("ok").intValue()).isZero();
    }

    @Test
    void queuedRepliesComeFirst() {
        mongos.always("find", Reply.ok())
                .once("find", Reply.json("{ok: 1.0, a: 1}"))
                .once("FIND", Reply.error(91, "ShutdownInProgress", "bye"));
        assertThat(client.command(FIND).containsKey("a")).isTrue();
        assertThat(client.command(FIND).getNumber("code").intValue()).isEqualTo(91);
        assertThat(client.command(FIND)).isEqualTo(BsonDocument.parse("{ok: 1.0}"));
    }

    @Test
    void aLargeReplyHasTheAskedSizeAndComesInGatedChunks() {
        Semaphore gate = new Semaphore(2);
        mongos.always(
                "find", Reply.cursorOfBytes("shop.orders", SIXTEEN_MEBIBYTES).inChunks(1 << 20, gate));
        client.send(client.msg(FIND));
        WireHeader header = client.receiveHeaderOnly();
        client.readBytes((2 << 20) - WireHeader.BYTES);
        assertThat(gate.availablePermits()).isZero();

        gate.release(header.messageLength()); // More than enough for what is left.
        client.readBytes(header.messageLength() - (2 << 20));
        int sum = ReplyDocuments.ofBytes(SIXTEEN_MEBIBYTES).stream()
                .mapToInt(document -> RawMessage.bson(document).length)
                .sum();
        assertThat(sum).isEqualTo(SIXTEEN_MEBIBYTES);
        assertThat(header.messageLength()).isBetween(SIXTEEN_MEBIBYTES, SIXTEEN_MEBIBYTES + 1024);
        assertThat(client.command(PING).getNumber("ok").intValue()).isOne();
    }

    @Test
    void aDelayedReplyKeepsItsTurnAndHidesNothing() {
        CountDownLatch latch = new CountDownLatch(1);
        mongos.always("find", Reply.ok().after(latch));
        client.send(client.msg(FIND), client.msg(PING));
        mongos.awaitRequests(2); // The second is seen while the first is held back.
        latch.countDown();
        assertThat(client.receive().responseTo()).isEqualTo(1);
        assertThat(client.receive().responseTo()).isEqualTo(2);
    }

    @Test
    void aClientThatLeavesDuringADelayedReplyIsNoticed() {
        CountDownLatch never = new CountDownLatch(1);
        mongos.always("find", Reply.ok().after(never));
        client.send(client.msg(FIND));
        mongos.awaitRequests("find", 1);
        client.close();
        mongos.awaitOpenConnections(0);
    }

    @Test
    void exhaustRepliesAnswerThePreviousReply() {
        mongos.always(
                "getMore",
                Reply.exhaust(List.of(
                        BsonDocument.parse("{n: 1}"), BsonDocument.parse("{n: 2}"), BsonDocument.parse("{n: 3}"))));
        OpMsgBuilder request = client.msg(BsonDocument.parse("{getMore: 7, collection: \"c\", $db: \"d\"}"))
                .exhaustAllowed();
        client.send(request);
        WireFrame first = client.receive();
        WireFrame second = client.receive();
        WireFrame third = client.receive();
        assertThat(first.responseTo()).isEqualTo(request.requestId());
        assertThat(second.responseTo()).isEqualTo(first.requestId());
        assertThat(third.responseTo()).isEqualTo(second.requestId());
        assertThat(List.of(first, second, third))
                .extracting(WireFrame::moreToCome)
                .containsExactly(true, true, false);
        assertThat(mongos.requests("getMore")).singleElement().matches(WireFrame::exhaustAllowed);
    }

    @Test
    void aConnectionIsClosedInsteadOfOrInsideAReply() {
        mongos.once("find", Reply.ok().closingAfter(20)).once("find", Reply.close());
        client.send(client.msg(FIND));
        client.readBytes(20);
        client.expectClosed();
        try (RawClient other = RawClient.connect(mongos.port())) {
            other.send(other.msg(FIND));
            other.expectClosed();
        }
        mongos.awaitOpenConnections(0);
    }

    @Test
    void rawBytesAndSilenceAreReplies() {
        mongos.once("find", Reply.none()).once("find", Reply.bytes(new byte[] {1, 2, 3}));
        client.send(client.msg(FIND), client.msg(FIND));
        assertThat(client.readBytes(3)).containsExactly(1, 2, 3);
        mongos.connections().get(0).push(new byte[] {4});
        assertThat(client.readBytes(1)).containsExactly(4);
    }

    @Test
    void everyMessageIsRecordedPerConnection() {
        try (RawClient other = RawClient.connect(mongos.port())) {
            OpMsgBuilder ping = client.msg(PING);
            client.send(ping);
            client.receive();
            other.command(FIND);
            List<ScriptedConnection> connections = mongos.awaitConnections(2);
            assertThat(connections.get(0).received())
                    .singleElement()
                    .satisfies(frame -> assertThat(frame.bytes()).isEqualTo(ping.encode()));
            assertThat(connections.get(1).received())
                    .extracting(WireFrame::commandName)
                    .containsExactly("find");
            assertThat(mongos.requests()).hasSize(2);
            assertThat(mongos.openConnections()).isEqualTo(2);
        }
    }

    @Test
    void whatIsSentWhileReadingIsPausedArrivesAfterwards() {
        mongos.pauseReading();
        client.send(client.msg(PING), client.msg(PING), client.msg(PING));
        mongos.resumeReading();
        assertThat(mongos.awaitRequests("ping", 3)).hasSize(3);
    }

    @Test
    void aStreamedHelloGoesOnUntilTheClientLeaves() {
        mongos.withTopologyVersion();
        BsonDocument hello = BsonDocument.parse("{hello: 1, $db: \"admin\", maxAwaitTimeMS: 1}")
                .append("topologyVersion", MongosCommands.topologyVersion());
        client.send(client.msg(hello).exhaustAllowed());
        WireFrame first = client.receive();
        WireFrame second = client.receive();
        assertThat(second.responseTo()).isEqualTo(first.requestId());
        assertThat(second.moreToCome()).isTrue();
        assertThat(second.body().containsKey("topologyVersion")).isTrue();
        client.close();
        mongos.awaitOpenConnections(0);
    }

    @Test
    void garbageAndAThrowingScriptMakeCloseFail() {
        ScriptedMongos failing = ScriptedMongos.start().on("ping", request -> {
            throw new IllegalStateException("script");
        });
        try (RawClient first = RawClient.connect(failing.port());
                RawClient second = RawClient.connect(failing.port())) {
            first.send(first.msg(PING));
            first.expectClosed();
            second.sendBytes(new byte[WireHeader.BYTES]);
            second.expectClosed();
        }
        assertThat(failing.failures()).hasSize(2);
        assertThatThrownBy(failing::close).isInstanceOf(AssertionError.class).hasMessageContaining("messageLength: 0");
    }
}
