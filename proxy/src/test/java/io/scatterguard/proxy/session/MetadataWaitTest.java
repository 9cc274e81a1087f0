package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request on a namespace that is not loaded waits once, within a bound, and what follows it keeps its place. */
class MetadataWaitTest {
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String LOADED = "{find: 'd', filter: {}, $db: 'shop'}";
    private static final String PING = "{ping: 1, $db: 'admin'}";
    private static final String OK = "{ok: 1.0}";

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static SessionFixture without(String... namespaces) {
        SessionFixture f = SessionFixture.connected();
        f.catalog.without(namespaces);
        return f;
    }

    @Test
    void whatFollowsKeepsItsPlaceAndTheHeldBoundPausesTheClient() {
        SessionFixture f = without("shop.c");
        f.request(1, LOADED);
        f.request(2, FIND);
        f.request(3, PING);
        assertThat(f.client.reading).isTrue();
        f.request(4, LOADED);
        assertThat(f.client.reading).as("bound of 3 held requests").isFalse();
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.catalog.asked).containsExactly(List.of(new Namespace("shop", "c")));
        f.catalog.publish();
        assertThat(f.server.requestIds()).as("on the thread that loads").containsExactly(1);
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1, 2, 3, 4);
        assertThat(f.server.flushed).isEqualTo(4);
        assertThat(f.loop.timers()).isZero();
        assertThat(f.client.reading).as("bound of 4 in flight").isFalse();
        f.reply(101, 1, 0, OK);
        assertThat(f.client.reading).isTrue();
    }

    @Test
    void replyingToWhatCameBeforeDoesNotEndTheWait() {
        SessionFixture f = without("shop.c");
        f.request(1, LOADED);
        f.request(2, FIND);
        f.reply(101, 1, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1);
        assertThat(f.server.requestIds()).containsExactly(1);
        f.catalog.publish();
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1, 2);
    }

    @Test
    void waitsNoLongerThanTheTimeoutAndNobodyWaitsForTheSameSoonAgain() {
        SessionFixture f = without("shop.c");
        f.request(1, FIND);
        f.nanos += Duration.ofMillis(1999).toNanos();
        f.loop.pass(Duration.ofMillis(1999));
        assertThat(f.server.requestIds()).isEmpty();
        f.nanos += Duration.ofMillis(1).toNanos();
        f.loop.pass(Duration.ofMillis(1));
        assertThat(f.server.requestIds()).containsExactly(1);
        f.reply(101, 1, 0, OK);
        assertThat(f.outcomes.get(f.outcomes.size() - 1).proxyMicros())
                .as("the wait is ours")
                .isEqualTo(2_000_000);
        f.request(2, FIND);
        f.reply(102, 2, 0, OK);
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        f.nanos += LoadPatience.PAUSE.toNanos();
        f.request(3, FIND);
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.catalog.asked).hasSize(2);
        f.catalog.endLoad(0);
        f.loop.run();
        assertThat(f.server.requestIds()).as("an earlier load ended").containsExactly(1, 2);
        f.catalog.publish();
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1, 2, 3);
        assertThat(f.counters.metadataWaits()).isEqualTo(2);
        assertThat(f.counters.metadataMisses()).isEqualTo(1);
        f.reply(103, 3, 0, OK);
        assertThat(f.outcomes).as("each is recorded once").hasSize(4);
    }

    @Test
    void whatCannotBeHadIsNotWaitedForToTheEnd() {
        SessionFixture f = without("shop.c");
        f.request(1, FIND);
        f.catalog.endLoads();
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.catalog.asked).hasSize(1);
    }

    /** The source has answered, so that others go on to wait for what they need. */
    @Test
    void whatIsDamagedWasWaitedForInVain() {
        SessionFixture f = without("shop.c", "shop.d");
        f.request(1, FIND);
        f.catalog.publishDamage();
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.counters.metadataWaits()).isOne();
        assertThat(f.counters.metadataMisses()).isOne();
        SessionFixture g = without("shop.c");
        g.request(1, FIND);
        g.catalog.publish();
        g.loop.run();
        assertThat(g.counters.metadataWaits()).isOne();
        assertThat(g.counters.metadataMisses()).isZero();
    }

    @Test
    void aLoadThatThrowsOrFailsLosesNothing() {
        SessionFixture f = without("shop.c", "shop.e");
        f.request(1, FIND);
        f.catalog.failLoads();
        f.loop.run();
        f.catalog.fault = new IllegalStateException("broken");
        f.request(2, "{find: 'e', $db: 'shop'}");
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.loop.timers()).isZero();
        f.reply(101, 1, 0, OK);
        f.reply(102, 2, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
    }

    @Test
    void aRefusalOfWhatWaitedComesInItsTurn() {
        SessionFixture f = without("shop.refused");
        f.request(1, LOADED);
        f.request(2, "{find: 'refused', $db: 'shop'}");
        f.request(3, LOADED);
        f.catalog.publish();
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1, 3);
        f.reply(101, 1, 0, OK);
        f.reply(103, 3, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{hello: 1, $db: 'admin'}",
                "{ping: 1, $db: 'shop'}",
                "{getMore: NumberLong(5), collection: 'c', $db: 'shop'}",
                "{killCursors: 'c', cursors: [NumberLong(5)], $db: 'shop'}",
                "{endSessions: [], $db: 'admin'}",
                "{commitTransaction: 1, $db: 'admin'}",
                "{saslStart: 1, mechanism: 'PLAIN', payload: 'c', $db: 'shop'}",
                "{aggregate: 1, pipeline: [], cursor: {}, $db: 'shop'}",
                "{listCollections: 1, $db: 'shop'}",
                "{explain: {explain: {find: 'c'}}, $db: 'shop'}",
                "{c: 'c', $db: 'shop'}"
            })
    void whatIsNotRoutedByTheNamespaceDoesNotWait(String command) {
        SessionFixture f = without("shop.c", "shop.", "admin.");
        f.request(1, command);
        assertThat(f.server.requestIds()).containsExactly(1);
        assertThat(f.catalog.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{insert: 'c', documents: [{}], $db: 'shop'}",
                "{findAndModify: 'c', $db: 'shop'}",
                "{explain: {find: 'c'}, $db: 'shop'}",
                "{collStats: 'c', $db: 'shop'}",
                "{listIndexes: 'c', $db: 'shop'}",
                "{drop: 'c', $db: 'shop'}",
                "{reshardCollection: 'shop.c', key: {a: 1}, $db: 'admin'}",
                "{bulkWrite: 1, ops: [], nsInfo: [{ns: 'shop.d'}, {ns: 'shop.c'}], $db: 'admin'}"
            })
    void whatIsRoutedByItWaits(String command) {
        SessionFixture f = without("shop.c");
        f.request(1, command);
        assertThat(f.server.requestIds()).isEmpty();
        assertThat(f.catalog.asked).containsExactly(List.of(new Namespace("shop", "c")));
    }

    @Test
    void neverWaitsInBypassNorBeforeAnAuthenticationNorBeforeTheFirstLoad() {
        SessionFixture bypassed = without("shop.c");
        bypassed.policy = PolicyBypass.BYPASS;
        SessionFixture unauthenticated = SessionFixture.connected(true);
        unauthenticated.catalog.without("shop.c");
        SessionFixture empty = without("shop.c");
        empty.catalog.incomplete();
        for (SessionFixture f : List.of(bypassed, unauthenticated, empty)) {
            f.request(1, FIND);
            assertThat(f.server.requestIds()).containsExactly(1);
            assertThat(f.catalog.asked).isEmpty();
        }
    }

    @Test
    void theEndOfASessionDropsWhatWaits() {
        SessionFixture f = without("shop.c");
        ByteBuf waiting = SessionFixture.frame(1, 0, 0, FIND);
        ByteBuf behind = SessionFixture.frame(2, 0, 0, LOADED);
        f.request(waiting);
        f.request(behind);
        f.session.close(CloseCause.SERVER_CLOSED);
        assertThat(waiting.refCnt() + behind.refCnt()).isZero();
        assertThat(f.loop.timers()).isZero();
        f.catalog.publish();
        f.loop.run();
        assertThat(f.server.written).isEmpty();
    }

    @Test
    void aDrainWaitsForIt() {
        SessionFixture f = without("shop.c");
        f.request(1, FIND);
        f.session.drain();
        assertThat(f.session.isClosed()).isFalse();
        f.catalog.publish();
        f.loop.run();
        assertThat(f.session.isClosed()).isFalse();
        f.reply(101, 1, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1);
        assertThat(f.session.isClosed()).isTrue();
        SessionFixture unanswered = without("shop.c");
        unanswered.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, FIND));
        unanswered.session.drain();
        unanswered.catalog.publish();
        unanswered.loop.run();
        assertThat(unanswered.server.requestIds()).containsExactly(1);
        assertThat(unanswered.session.isClosed()).isTrue();
    }

    @Test
    void aSessionThatWaitsIsNotIdle() {
        SessionFixture f = without("shop.c");
        f.request(1, FIND);
        f.session.onIdle();
        assertThat(f.session.isClosed()).isFalse();
    }

    @Test
    void whatAClientSentLastGoesOutWithoutWaiting() {
        SessionFixture f = without("shop.c");
        f.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, FIND));
        f.request(SessionFixture.frame(2, 0, OpMsg.MORE_TO_COME, FIND));
        f.session.onClientEnd(false);
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.session.isClosed()).as("more is to be handed over").isFalse();
        f.request(SessionFixture.frame(3, 0, OpMsg.MORE_TO_COME, FIND));
        f.session.onClientEnd(true);
        assertThat(f.server.requestIds()).containsExactly(1, 2, 3);
        assertThat(f.server.flushed).isEqualTo(3);
        assertThat(f.counters.closes(CloseCause.CLIENT_CLOSED)).isEqualTo(1);
    }

    @Test
    void unansweredAndExhaustRequestsWaitToo() {
        SessionFixture f = without("shop.c");
        f.request(SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, "{insert: 'c', documents: [{}], $db: 'shop'}"));
        f.request(SessionFixture.frame(2, 0, OpMsg.EXHAUST_ALLOWED, FIND));
        assertThat(f.server.written).isEmpty();
        f.catalog.publish();
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        f.reply(101, 2, OpMsg.MORE_TO_COME, OK);
        f.reply(102, 101, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(2, 101);
    }

    @Test
    void aCompressedRequestIsForwardedAsItCameAndCountedOnce() {
        SessionFixture f = without("shop.c");
        ByteBuf plain = SessionFixture.frame(1, 0, 0, FIND);
        ByteBuf compressed = MessageCompression.load().deflate(UnpooledByteBufAllocator.DEFAULT, plain, 2);
        plain.release();
        f.request(compressed);
        assertThat(f.server.written).isEmpty();
        f.catalog.publish();
        f.loop.run();
        assertThat(f.server.headers().get(0).opCode()).isEqualTo(OpCode.OP_COMPRESSED);
        assertThat(f.counters.requests(OpCode.OP_COMPRESSED)).isEqualTo(1);
        assertThat(compressed.refCnt()).isZero();
    }

    @Test
    void aLargeRequestThatWaitsPausesTheClient() {
        SessionFixture f = without("shop.c");
        String large = "x".repeat(HeldRequests.MAX_BYTES);
        f.request(1, "{insert: 'c', documents: [{a: '" + large + "'}], $db: 'shop'}");
        assertThat(f.client.reading).isFalse();
        f.catalog.publish();
        f.loop.run();
        assertThat(f.client.reading).isTrue();
    }

    @Test
    void onceSeveralInARowCannotBeHadNobodyWaitsForAny() {
        SessionFixture f = without("shop.c", "shop.d", "shop.e", "shop.f");
        int id = 0;
        for (String name : List.of("c", "d", "e")) {
            f.request(++id, "{find: '" + name + "', $db: 'shop'}");
            assertThat(f.server.written).hasSize(id - 1);
            f.loop.pass(FakeCatalog.LOAD_TIMEOUT);
            f.reply(100 + id, id, 0, OK);
        }
        f.request(4, "{find: 'f', $db: 'shop'}");
        f.reply(104, 4, 0, OK);
        assertThat(f.server.requestIds()).containsExactly(1, 2, 3, 4);
        f.nanos += LoadPatience.PAUSE.toNanos();
        f.request(5, "{find: 'f', $db: 'shop'}");
        assertThat(f.server.requestIds()).as("one tries again").containsExactly(1, 2, 3, 4);
    }

    @Test
    void aFaultAfterTheWaitLosesNothing() {
        SessionFixture f = without("shop.c");
        f.request(1, FIND);
        f.catalog.snapshotFault = new IllegalStateException("planted");
        f.catalog.publish();
        f.loop.run();
        assertThat(f.server.requestIds()).containsExactly(1);
        f.reply(101, 1, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1);
    }

    /** On the event loop nobody else would see it. */
    @Test
    void aFaultThatLosesARequestEndsTheSession() {
        SessionFixture f = without("shop.c");
        f.request(1, FIND);
        ByteBuf behind = SessionFixture.frame(2, 0, 0, LOADED);
        f.request(behind);
        f.server.onWrite = () -> {
            throw new IllegalStateException("planted");
        };
        f.catalog.publish();
        f.loop.run();
        assertThat(f.client.closed).isTrue();
        assertThat(f.counters.closes(CloseCause.INTERNAL_ERROR)).isOne();
        assertThat(behind.refCnt()).isZero();
    }

    /** A client may ask for whatever it likes: it waits a few times, and for what is not tracked never. */
    @Test
    void aFloodOfNamespacesAsksForFew() {
        int count = 100_000;
        String[] names = new String[count];
        Arrays.setAll(names, i -> "shop.n" + i);
        FakeCatalog catalog = new FakeCatalog().without(names);
        FakeLoop loop = new FakeLoop();
        ListenerCatalog shared = new ListenerCatalog(catalog, FakeCatalog.LOAD_TIMEOUT, () -> 0);
        int[] waits = {0};
        MetadataWait wait = new MetadataWait(shared, new SessionCounters(), loop, () -> false, () -> waits[0]++);
        for (int i = 0; i < count; i++) {
            assertThat(wait.begins(find("untracked" + i))).isFalse();
        }
        assertThat(catalog.asked).as("not tracked").isEmpty();
        for (int i = 0; i < count; i++) {
            if (wait.begins(find("n" + i))) {
                loop.pass(FakeCatalog.LOAD_TIMEOUT);
            }
        }
        assertThat(waits[0]).isEqualTo(LoadPatience.LIMIT);
        assertThat(catalog.asked).hasSize(LoadPatience.LIMIT);
        MetadataWait other = new MetadataWait(shared, new SessionCounters(), loop, () -> false, () -> {});
        assertThat(other.begins(find("n0")) || other.begins(find("n99999")))
                .as("in another session")
                .isFalse();
    }

    private static CommandView find(String collection) {
        return CommandView.of("shop", BsonView.encode(new BsonDocument("find", new BsonString(collection))));
    }
}
