package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions whose server is a member of a replica set that is presented as a mongos. */
class ReplicaSetSessionTest {
    private static final ListenerTraits AS_MONGOS = new ListenerTraits(Set.of(), null, true);
    private static final String HELLO = "{hello: 1, $db: 'admin'}";
    private static final String FIND = "{find: 'c', filter: {}, $db: 'shop'}";
    private static final String MEMBER =
            "{isWritablePrimary: true, hosts: ['a:1'], setName: 'rs0', maxWireVersion: 21, me: 'a:1', ok: 1.0}";
    private static final String MONGOS = "{isWritablePrimary: true, msg: 'isdbgrid', maxWireVersion: 21, ok: 1.0}";

    private int told;

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private SessionFixture connected() {
        SessionFixture f = new SessionFixture(AccessControl.learnt(false), AS_MONGOS);
        f.request(0, "{ping: 1, $db: 'admin'}");
        f.session.onServerConnected(f.server, () -> told++);
        f.reply(1000, 0, 0, "{ok: 1.0}");
        f.server.written.clear();
        f.client.written.clear();
        return f;
    }

    private static BsonDocument parsed(String json) {
        return BsonDocument.parse(json);
    }

    @Test
    void helloIsRewrittenAndEverythingElsePassesAsItCame() {
        SessionFixture f = connected();
        f.request(1, HELLO);
        f.reply(101, 1, 0, MEMBER);
        assertThat(f.lastReply()).isEqualTo(parsed(MONGOS));
        f.request(2, "{replSetGetStatus: 1, $db: 'admin'}");
        f.reply(102, 2, 0, MEMBER);
        assertThat(f.lastReply()).isEqualTo(parsed(MEMBER));
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
    }

    @Test
    void itIsRewrittenWhereverItIsSplit() {
        byte[] whole = bytes(SessionFixture.frame(101, 1, 0, MEMBER));
        for (int split = 16; split < whole.length; split++) {
            SessionFixture f = connected();
            f.request(1, HELLO);
            part(f, whole, 0, split);
            assertThat(f.client.written).isEmpty();
            part(f, whole, split, whole.length);
            assertThat(f.lastReply()).isEqualTo(parsed(MONGOS));
        }
        SessionFixture f = connected();
        f.request(1, HELLO);
        part(f, whole, 0, 16);
        for (int at = 16; at < whole.length; at++) {
            part(f, whole, at, at + 1);
        }
        assertThat(f.client.written).hasSize(1);
        assertThat(f.lastReply()).isEqualTo(parsed(MONGOS));
    }

    private static byte[] bytes(ByteBuf message) {
        byte[] bytes = ByteBufUtil.getBytes(message);
        message.release();
        return bytes;
    }

    private static void part(SessionFixture f, byte[] whole, int from, int to) {
        MessageHeader header = MessageHeader.read(Unpooled.wrappedBuffer(whole), 0);
        ByteBuf bytes = Unpooled.copiedBuffer(whole, from, to - from);
        f.session.onReply(new ReplyChunk(header, 0, bytes, from == 0, to == whole.length));
    }

    /** What has come of a reply is released when the session ends in the middle of it. */
    @Test
    void endsInTheMiddleOfAReply() {
        byte[] whole = bytes(SessionFixture.frame(101, 1, 0, MEMBER));
        SessionFixture f = connected();
        f.request(1, HELLO);
        part(f, whole, 0, 30);
        f.session.close(CloseCause.CLIENT_CLOSED);
        part(f, whole, 30, whole.length);
        assertThat(f.client.written).isEmpty();
    }

    @Test
    void everyFrameOfAStreamIsRewrittenUntilTheMemberSteppedDown() {
        SessionFixture f = connected();
        ByteBuf hello = SessionFixture.frame(1, 0, OpMsg.EXHAUST_ALLOWED, HELLO);
        f.request(hello);
        f.reply(101, 1, OpMsg.MORE_TO_COME, MEMBER);
        f.reply(102, 101, OpMsg.MORE_TO_COME, MEMBER);
        assertThat(f.client.written).hasSize(2);
        assertThat(f.lastReply()).isEqualTo(parsed(MONGOS));
        f.reply(103, 102, OpMsg.MORE_TO_COME, "{isWritablePrimary: false, secondary: true, hosts: ['a:1'], ok: 1.0}");
        assertThat(f.client.written)
                .as("nothing of a member that is no primary")
                .hasSize(2);
        endedWith(f, CloseCause.PRIMARY_CHANGED);
        assertThat(told).isOne();
    }

    @Test
    void speculativeAuthenticationIsKeptAndTheNextRequestGoesOn() {
        SessionFixture f = connected();
        f.request(
                1,
                "{isMaster: 1, speculativeAuthenticate: {saslStart: 1, mechanism: 'PLAIN', db: '$external',"
                        + " payload: {$binary: {base64: 'AGEAYg==', subType: '00'}}}, $db: 'admin'}");
        f.request(2, FIND);
        f.reply(
                101,
                1,
                0,
                "{ismaster: true, setName: 'rs0', speculativeAuthenticate: {done: true, conversationId: 1}, ok: 1}");
        assertThat(f.lastReply())
                .isEqualTo(parsed("{ismaster: true, msg: 'isdbgrid',"
                        + " speculativeAuthenticate: {done: true, conversationId: 1}, ok: 1}"));
        assertThat(f.server.requestIds()).containsExactly(1, 2);
    }

    @Test
    void anOpQueryGetsItsOpReply() {
        SessionFixture f = connected();
        ByteBuf query = Unpooled.buffer().writeIntLE(0).writeBytes("admin.$cmd\0".getBytes(StandardCharsets.UTF_8));
        query.writeIntLE(0).writeIntLE(-1).writeBytes(bson("{isMaster: 1, helloOk: true}"));
        f.request(message(1, 0, OpCode.OP_QUERY, query));
        ByteBuf reply =
                Unpooled.buffer().writeIntLE(8).writeLongLE(0).writeIntLE(0).writeIntLE(1);
        reply.writeBytes(bson("{ismaster: true, me: 'a:1', helloOk: true, ok: 1.0}"));
        replied(f, message(101, 1, OpCode.OP_REPLY, reply));
        byte[] got = f.client.written.get(0);
        assertThat(new RawBsonDocument(got, 36, got.length - 36))
                .isEqualTo(parsed("{ismaster: true, msg: 'isdbgrid', helloOk: true, ok: 1.0}"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aCompressedReplyIsRewrittenAndCompressedAgain(int compressorId) {
        MessageCompression compression = MessageCompression.load();
        SessionFixture f = connected();
        f.request(1, HELLO);
        ByteBuf plain = SessionFixture.frame(101, 1, 0, MEMBER);
        replied(f, compression.deflate(UnpooledByteBufAllocator.DEFAULT, plain, compressorId));
        plain.release();
        ByteBuf got = Unpooled.wrappedBuffer(f.client.written.get(0));
        assertThat(MessageHeader.read(got, 0).opCode()).isEqualTo(OpCode.OP_COMPRESSED);
        WireMessage message = WireMessage.decode(got);
        ByteBuf inflated = compression.inflate(UnpooledByteBufAllocator.DEFAULT, (OpCompressed) message, 1 << 16);
        OpMsg rewritten = (OpMsg) WireMessage.decode(inflated);
        assertThat(rewritten.body().toBsonDocument()).isEqualTo(parsed(MONGOS));
        rewritten.release();
        message.release();
    }

    /** As a server in quiesce answers; passed on as it is, and then the connection ends. */
    @Test
    void anErrorPassesAsItIs() {
        SessionFixture f = connected();
        f.request(1, HELLO);
        f.reply(101, 1, 0, "{ok: 0.0, code: 18, errmsg: 'no', hosts: ['a:1']}");
        assertThat(f.lastReply()).isEqualTo(parsed("{ok: 0.0, code: 18, errmsg: 'no', hosts: ['a:1']}"));
        assertThat(f.client.closed).isFalse();
        f.request(2, HELLO);
        f.reply(102, 2, 0, "{ok: 0.0, code: 91, errmsg: 'quiesce', topologyVersion: {counter: 3}}");
        assertThat(f.lastReply())
                .isEqualTo(parsed("{ok: 0.0, code: 91, errmsg: 'quiesce', topologyVersion: {counter: 3}}"));
        endedWith(f, CloseCause.PRIMARY_CHANGED);
    }

    @Test
    void aReplyThatIsTooLargeOrDamagedEndsTheSession() {
        SessionFixture large = connected();
        large.request(1, HELLO);
        BsonDocument huge = parsed(MEMBER).append("x", new BsonString("y".repeat(MongosPresentation.MAX_BYTES)));
        large.reply(101, 1, 0, huge.toJson());
        endedWith(large, CloseCause.SERVER_PROTOCOL_ERROR);
        assertThat(large.client.written).isEmpty();
        SessionFixture damaged = connected();
        damaged.request(1, HELLO);
        replied(damaged, SessionFixture.frame(101, 1, 0, MEMBER).setIntLE(21, 7));
        endedWith(damaged, CloseCause.SERVER_PROTOCOL_ERROR);
        assertThat(told).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {10_107, 13_435, 10_058, 11_600, 11_602, 13_436, 189, 91})
    void aCodeThatShowsItIsPassedOnThenTheSessionEndsAndTellsTheOthers(int code) {
        String top = "{ok: 0.0, code: %d, errmsg: 'x'}".formatted(code);
        String concern = "{n: 1, writeConcernError: {code: %d, errmsg: 'x'}, ok: 1.0}".formatted(code);
        for (String reply : new String[] {top, concern}) {
            told = 0;
            SessionFixture f = connected();
            f.request(1, "{insert: 'c', $db: 'shop'}");
            f.reply(101, 1, 0, reply);
            assertThat(f.lastReply()).isEqualTo(parsed(reply));
            endedWith(f, CloseCause.PRIMARY_CHANGED);
            assertThat(told).isOne();
        }
    }

    /** Where no record is made too: in what is not judged. */
    @Test
    void aCodeIsSeenInAnyReply() {
        SessionFixture f = connected();
        f.request(
                1,
                "{saslContinue: 1, conversationId: 1, payload: {$binary: {base64: '', subType: '00'}}, $db: 'admin'}");
        f.reply(101, 1, 0, "{ok: 0.0, code: 11600}");
        endedWith(f, CloseCause.PRIMARY_CHANGED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ok: 0.0, code: 112}",
                "{ok: 1.0, code: 91}",
                "{ok: 1.0, cursor: {id: 0, firstBatch: [{ok: 0, code: 10107}]}}",
                "{ok: 1.0, n: 0, writeErrors: [{index: 0, code: 10107}]}",
                "{ok: 1.0, n: 0, writeConcernError: {code: 64}}"
            })
    void otherRepliesEndNothing(String reply) {
        SessionFixture f = connected();
        f.request(1, FIND);
        f.reply(101, 1, 0, reply);
        assertThat(f.client.closed).isFalse();
        assertThat(told).isZero();
    }

    /** A listener in front of routers: what they say of shards that step down is theirs to handle. */
    @Test
    void inFrontOfARouterNothingIsRewrittenOrClosed() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, HELLO);
        f.reply(101, 1, 0, MEMBER);
        assertThat(f.lastReply()).isEqualTo(parsed(MEMBER));
        f.request(2, FIND);
        f.reply(102, 2, 0, "{ok: 0.0, code: 10107}");
        assertThat(f.client.closed).isFalse();
    }

    /** What is in flight is answered, unless the server is gone; a stream of hello is not waited for. */
    @Test
    void whenThePrimaryIsAnotherWhatIsInFlightEndsFirst() {
        SessionFixture f = connected();
        f.request(1, FIND);
        f.session.onPrimaryLost(true);
        f.reply(101, 1, 0, "{ok: 1.0}");
        assertThat(f.client.closed).isFalse();
        f.request(2, FIND);
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        endedWith(f, CloseCause.PRIMARY_CHANGED);

        SessionFixture gone = connected();
        gone.request(1, FIND);
        gone.session.onPrimaryLost(true);
        gone.session.onPrimaryLost(false);
        endedWith(gone, CloseCause.PRIMARY_CHANGED);

        SessionFixture streaming = connected();
        streaming.request(SessionFixture.frame(1, 0, OpMsg.EXHAUST_ALLOWED, HELLO));
        streaming.session.onPrimaryLost(true);
        endedWith(streaming, CloseCause.PRIMARY_CHANGED);
    }

    private static void endedWith(SessionFixture f, CloseCause cause) {
        assertThat(f.client.closed).isTrue();
        assertThat(f.server.closed).isTrue();
        assertThat(f.counters.closes(cause)).isOne();
    }

    private static byte[] bson(String json) {
        return BsonView.encode(parsed(json)).toByteArray();
    }

    private static ByteBuf message(int requestId, int responseTo, OpCode opCode, ByteBuf body) {
        ByteBuf message = Unpooled.buffer();
        new MessageHeader(16 + body.readableBytes(), requestId, responseTo, opCode.value()).writeTo(message);
        return message.writeBytes(body);
    }

    private static void replied(SessionFixture f, ByteBuf bytes) {
        f.session.onReply(new ReplyChunk(MessageHeader.read(bytes, 0), 0, bytes, true, true));
    }
}
