package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.BlockingCalls;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Raw bytes through the proxy: what is sent in one packet, in which order it is answered, and that bytes stay as they are. */
@ExtendWith(BlockHoundExtension.class)
class OrderOfRepliesTest {
    private static final BsonDocument TARGETED =
            BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}");
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
    private static final BsonDocument PING = BsonDocument.parse("{ping: 1, $db: 'admin'}");
    private static final int SIXTEEN_MEBIBYTES = 16 * 1024 * 1024;

    private ScriptedMongos mongos;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
    }

    @AfterEach
    void stop() {
        mongos.close();
    }

    @Test
    void aLargeFindARefusalAndAPingInOnePacketAreAnsweredInThatOrder() {
        mongos.always("find", Reply.cursorOfBytes("shop.orders", SIXTEEN_MEBIBYTES));
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(TARGETED), client.msg(BROADCAST), client.msg(PING));
            WireFrame find = client.receive();
            WireFrame refusal = client.receive();
            WireFrame ping = client.receive();
            assertThat(find.responseTo()).isEqualTo(1);
            assertThat(find.header().messageLength()).isGreaterThan(SIXTEEN_MEBIBYTES);
            assertThat(refusal.responseTo()).isEqualTo(2);
            assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(61_001);
            assertThat(ping.responseTo()).isEqualTo(3);
            assertThat(ping.body().getNumber("ok").intValue()).isEqualTo(1);
            assertThat(mongos.requests("find")).hasSize(1);
        }
    }

    @Test
    void aRouterThatThrowsForwardsTheCommandAndIsCounted() {
        mongos.always("find", Reply.ok());
        RuntimeParts faulty = RuntimeParts.standard().withRouter((command, catalog, release) -> {
            throw new IllegalStateException("planted");
        });
        assertForwardedAndCounted(faulty);
    }

    @Test
    void aPolicyThatThrowsForwardsTheCommandAndIsCounted() {
        mongos.always("find", Reply.ok());
        RuntimeParts faulty = RuntimeParts.standard().withPolicy(configured -> (command, route, client, now) -> {
            throw new IllegalStateException("planted");
        });
        assertForwardedAndCounted(faulty);
    }

    /** Proves that the check of blocked event loops sees the proxy's own loops, whatever their transport. */
    @Test
    void aRouterThatBlocksTheEventLoopIsCaught() {
        mongos.always("find", Reply.ok());
        RuntimeParts blocking = RuntimeParts.standard().withRouter((command, catalog, release) -> {
            LockSupport.parkNanos(1);
            return new KeyRouter().route(command, catalog, release);
        });
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, blocking);
                RawClient client = proxy.rawClient()) {
            assertThat(client.command(TARGETED)).isEqualTo(BsonDocument.parse("{ok: 1.0}"));
        }
        assertThat(BlockingCalls.drain()).isNotEmpty();
    }

    private void assertForwardedAndCounted(RuntimeParts faulty) {
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, faulty);
                RawClient client = proxy.rawClient()) {
            assertThat(client.command(BROADCAST)).isEqualTo(BsonDocument.parse("{ok: 1.0}"));
            assertThat(proxy.runtime().counters().internalErrorCount()).isEqualTo(1);
            assertThat(mongos.requests("find")).hasSize(1);
        }
    }

    @Test
    void everyByteOfARequestAndOfAReplyIsPassedOnAsItCame() {
        BsonDocument insert = BsonDocument.parse("{insert: 'orders', $db: 'shop'}");
        List<BsonDocument> documents = List.of(BsonDocument.parse("{customerId: 1, orderId: 1}"));
        byte[] replyBytes = OpMsgBuilder.of(900, BsonDocument.parse("{ok: 1.0, n: 1}"))
                .responseTo(1)
                .checksum()
                .encode();
        mongos.once("insert", Reply.bytes(replyBytes));
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            OpMsgBuilder request = client.msg(insert)
                    .sequenceBeforeBody("documents", documents)
                    .checksum();
            client.send(request);
            assertThat(client.receive().bytes()).isEqualTo(replyBytes);
            assertThat(mongos.requests("insert").get(0).bytes()).isEqualTo(request.encode());
        }
    }

    @Test
    void aWriteThatAwaitsNoReplyIsForwardedThoughItBroadcasts() {
        mongos.always("find", Reply.ok());
        BsonDocument update = BsonDocument.parse("{update: 'orders', $db: 'shop', "
                + "updates: [{q: {status: 'open'}, u: {$set: {a: 1}}, multi: true}]}");
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(update).moreToCome(), client.msg(TARGETED));
            assertThat(client.receive().responseTo()).isEqualTo(2);
            assertThat(mongos.requests("update")).hasSize(1);
            assertThat(proxy.runtime().counters().wouldRefuseCommands()).isEqualTo(1);
        }
    }

    @Test
    void anExhaustStreamArrivesFrameByFrameAndARefusalAfterIt() {
        mongos.always(
                "getMore",
                Reply.exhaust(List.of(
                        BsonDocument.parse("{ok: 1.0, n: 1}"),
                        BsonDocument.parse("{ok: 1.0, n: 2}"),
                        BsonDocument.parse("{ok: 1.0, n: 3}"))));
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            BsonDocument getMore = BsonDocument.parse("{getMore: 7, collection: 'orders', $db: 'shop'}");
            client.send(client.msg(getMore).exhaustAllowed(), client.msg(BROADCAST));
            for (int n = 1; n <= 3; n++) {
                assertThat(client.receive().body().getNumber("n").intValue()).isEqualTo(n);
            }
            assertThat(client.receive().responseTo()).isEqualTo(2);
        }
    }

    @Test
    void aReplyThatAnswersNothingClosesBothSides() {
        mongos.always(
                "find",
                Reply.bytes(OpMsgBuilder.of(900, BsonDocument.parse("{ok: 1.0}"))
                        .responseTo(4711)
                        .encode()));
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(TARGETED));
            client.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.RESPONSE_MISMATCH))
                    .isEqualTo(1);
        }
    }

    @Test
    void aClientThatLeavesTakesItsServerConnectionAlongAndAServerThatDiesItsClient() {
        CountDownLatch never = new CountDownLatch(1);
        mongos.always("find", Reply.ok().after(never));
        mongos.always("count", Reply.close());
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard())) {
            RawClient leaving = proxy.rawClient();
            leaving.send(leaving.msg(TARGETED));
            mongos.awaitRequests("find", 1);
            int before = mongos.openConnections();
            leaving.close();
            Awaitility.await().until(() -> mongos.openConnections() < before);
            try (RawClient client = proxy.rawClient()) {
                client.timeout(Duration.ofSeconds(5));
                client.send(client.msg(BsonDocument.parse("{count: 'settings', $db: 'shop'}")));
                client.expectClosed();
            }
            Awaitility.await().until(() -> proxy.runtime().counters().openConnections() == 0);
        }
    }
}
