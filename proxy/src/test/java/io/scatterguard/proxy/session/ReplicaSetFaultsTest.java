package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of a replica set stay hidden whatever goes wrong, and their fall meets requests in every state. */
class ReplicaSetFaultsTest {
    private static final ListenerTraits AS_MONGOS = new ListenerTraits(Set.of(), null, true);
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String OK = "{ok: 1.0}";
    private static final String MEMBER =
            "{isWritablePrimary: true, hosts: ['a:1'], setName: 'rs0', maxWireVersion: 21, me: 'a:1', ok: 1.0}";
    private static final String MONGOS = "{isWritablePrimary: true, msg: 'isdbgrid', maxWireVersion: 21, ok: 1.0}";
    /** A compressor that is taken out, for which a buffer is needed. */
    private static final String OFFER = ", compression: ['lz4']";

    private int told;

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private SessionFixture connected() {
        SessionFixture f = new SessionFixture(AccessControl.learnt(false), AS_MONGOS);
        f.request(0, "{ping: 1, $db: 'admin'}");
        f.session.onServerConnected(f.server, () -> told++);
        f.reply(1000, 0, 0, OK);
        f.server.written.clear();
        f.client.written.clear();
        return f;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello: 1",
                "isMaster: 1",
                "ismaster: true",
                "ISMASTER: 1",
                "hello: 1, comment: {find: 'c'}",
                "isMaster: 'shop.c', $query: {find: 'c'}"
            })
    void everyHelloIsPresentedAlsoWhereItCouldNotBePlanned(String hello) {
        for (boolean fault : new boolean[] {false, true}) {
            SessionFixture f = connected();
            f.allocator.failing = fault;
            f.request(1, "{" + hello + OFFER + ", $db: 'admin'}");
            assertThat(f.counters.internalErrorCount()).isEqualTo(fault ? 1 : 0);
            f.allocator.failing = false;
            f.reply(101, 1, 0, MEMBER);
            assertThat(f.lastReply()).isEqualTo(BsonDocument.parse(MONGOS));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{isMaster: 1, compression: ['lz4']}",
                "{$query: {ismaster: 1, compression: ['lz4']}, $readPreference: {mode: 'secondary'}}",
                "{query: {hello: 1, compression: ['lz4']}}"
            })
    void soIsOneInAnOpQuery(String hello) {
        for (boolean fault : new boolean[] {false, true}) {
            SessionFixture f = connected();
            f.allocator.failing = fault;
            ByteBuf query = Unpooled.buffer().writeIntLE(0).writeBytes("admin.$cmd\0".getBytes(StandardCharsets.UTF_8));
            f.request(message(
                    1, 0, OpCode.OP_QUERY, query.writeIntLE(0).writeIntLE(-1).writeBytes(bson(hello))));
            f.allocator.failing = false;
            ByteBuf reply =
                    Unpooled.buffer().writeIntLE(8).writeLongLE(0).writeIntLE(0).writeIntLE(1);
            ByteBuf bytes = message(101, 1, OpCode.OP_REPLY, reply.writeBytes(bson(MEMBER)));
            f.session.onReply(new ReplyChunk(MessageHeader.read(bytes, 0), 0, bytes, true, true));
            byte[] got = f.client.written.get(0);
            assertThat(new RawBsonDocument(got, 36, got.length - 36)).isEqualTo(BsonDocument.parse(MONGOS));
        }
    }

    /** A stream of hello that could not be planned is one all the same: every frame is presented, and a drain ends it. */
    @Test
    void aStreamThatCouldNotBePlannedIsPresentedAndDrained() {
        SessionFixture f = connected();
        f.allocator.failing = true;
        f.request(SessionFixture.frame(1, 0, OpMsg.EXHAUST_ALLOWED, "{hello: 1" + OFFER + ", $db: 'admin'}"));
        f.allocator.failing = false;
        f.reply(101, 1, OpMsg.MORE_TO_COME, MEMBER);
        f.reply(102, 101, OpMsg.MORE_TO_COME, MEMBER);
        assertThat(f.client.written).hasSize(2);
        assertThat(f.lastReply()).isEqualTo(BsonDocument.parse(MONGOS));
        f.session.drain();
        assertThat(f.client.closed).isTrue();
    }

    /** A former primary may serve a stream for as long as the client reads it. */
    @Test
    void aStreamFromAFormerPrimaryEndsWithAWholeFrame() {
        SessionFixture f = connected();
        f.request(SessionFixture.frame(
                1, 0, OpMsg.EXHAUST_ALLOWED, "{getMore: NumberLong(5), collection: 'c', $db: 'shop'}"));
        f.reply(101, 1, OpMsg.MORE_TO_COME, OK);
        f.session.onPrimaryLost(true);
        assertThat(f.client.closed).isFalse();
        f.reply(102, 101, OpMsg.MORE_TO_COME, OK);
        assertThat(f.client.responsesTo()).containsExactly(1, 101);
        assertThat(f.client.closed).isTrue();
        assertThat(f.counters.closes(CloseCause.PRIMARY_CHANGED)).isOne();
        SessionFixture stopping = connected();
        stopping.request(SessionFixture.frame(
                1, 0, OpMsg.EXHAUST_ALLOWED, "{getMore: NumberLong(5), collection: 'c', $db: 'shop'}"));
        stopping.session.drain();
        stopping.reply(101, 1, OpMsg.MORE_TO_COME, OK);
        assertThat(stopping.client.closed)
                .as("within the grace period it may come to its end")
                .isFalse();
    }

    /** What waits for metadata was not sent anywhere yet, and is not any more. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPrimaryIsLostWhileARequestWaitsForMetadata(boolean reachable) {
        SessionFixture f = connected();
        f.catalog.without("shop.c");
        ByteBuf waiting = SessionFixture.frame(1, 0, 0, FIND);
        f.request(waiting);
        f.session.onPrimaryLost(reachable);
        assertThat(f.lastReply().getInt32("code").getValue()).isEqualTo(Farewell.CODE);
        assertThat(waiting.refCnt()).isZero();
        assertThat(f.loop.timers()).isZero();
        f.catalog.publish();
        f.loop.run();
        f.session.onPrimaryLost(true);
        assertThat(f.server.written).isEmpty();
        assertThat(f.counters.closes(CloseCause.PRIMARY_CHANGED)).isOne();
    }

    /** Whose connection is made after the primary was lost: what came early is answered, what comes late turned away. */
    @Test
    void aPrimaryIsLostWhileItIsDialled() {
        SessionFixture f = new SessionFixture(AccessControl.learnt(false), AS_MONGOS);
        f.request(1, FIND);
        f.session.onServerConnected(f.server, () -> told++);
        f.session.onPrimaryLost(true);
        f.reply(101, 1, 0, OK);
        assertThat(f.client.responsesTo()).containsExactly(1);
        f.request(2, FIND);
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        assertThat(f.client.closed).isTrue();
    }

    /** Each side may fail within the very write: whatever is then under way ends quietly, and once. */
    @Test
    void aWriteThatFailsAtOnceEndsTheSessionWithinIt() {
        SessionFixture f = connected();
        int before = f.outcomes.size();
        ByteBuf request = SessionFixture.frame(1, 0, 0, FIND);
        f.server.onWrite = () -> f.session.close(CloseCause.SERVER_FAILED);
        f.request(request);
        assertThat(request.refCnt()).isZero();
        assertThat(f.outcomes).hasSize(before + 1);
        SessionFixture g = connected();
        g.request(1, FIND);
        g.request(2, "{find: 'refused', filter: {}, $db: 'shop'}");
        int recorded = g.outcomes.size();
        g.client.onWrite = () -> g.session.close(CloseCause.CLIENT_FAILED);
        g.reply(101, 1, 0, OK);
        assertThat(g.client.written).hasSize(1);
        assertThat(g.outcomes).hasSize(recorded + 2);
        assertThat(g.counters.closes(CloseCause.CLIENT_FAILED)).isOne();
    }

    private static byte[] bson(String json) {
        return BsonView.encode(BsonDocument.parse(json)).toByteArray();
    }

    private static ByteBuf message(int requestId, int responseTo, OpCode opCode, ByteBuf body) {
        ByteBuf message = Unpooled.buffer();
        new MessageHeader(16 + body.readableBytes(), requestId, responseTo, opCode.value()).writeTo(message);
        return message.writeBytes(body);
    }
}
