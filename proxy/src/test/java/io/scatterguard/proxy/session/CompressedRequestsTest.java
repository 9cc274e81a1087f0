package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.audit.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressedRequestsTest {
    private static final String FIND = "{find: 'orders', filter: {customer: 7}, $db: 'shop'}";
    private static final String REFUSED = "{find: 'refused', $db: 'shop'}";

    private final MessageCompression compression = MessageCompression.load();

    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void isForwardedAsItCameAndItsRefusalIsCompressedLikeIt(int id) {
        SessionFixture f = SessionFixture.connected();
        ByteBuf find = compressed(id, SessionFixture.frame(1, 0, 0, FIND));
        byte[] asSent = ByteBufUtil.getBytes(find);
        f.request(find);
        f.request(compressed(id, SessionFixture.frame(2, 0, 0, REFUSED)));
        assertThat(f.server.written).containsExactly(asSent);
        assertThat(f.client.written).as("a refusal before its turn").isEmpty();
        reply(f, compressed(id, SessionFixture.frame(101, 1, 0, "{ok: 1.0, cursor: {firstBatch: [1, 2]}}")));
        assertThat(f.client.responsesTo()).containsExactly(1, 2);
        BsonDocument refusal = inflated(f.client.written.get(1), id);
        assertThat(refusal.getInt32("code").getValue()).isEqualTo(Refusal.CODE);
        assertThat(find.refCnt()).isZero();
        Outcome found = f.outcomes.get(f.outcomes.size() - 2);
        assertThat(found.ok()).isTrue();
        assertThat(found.nReturned()).isEqualTo(2);
        assertThat(found.requestBytes()).isEqualTo(asSent.length);
        Outcome refused = f.outcomes.get(f.outcomes.size() - 1);
        assertThat(refused.code()).isEqualTo(Refusal.CODE);
        assertThat(refused.replyBytes()).isEqualTo(f.client.written.get(1).length);
        assertThat(f.counters.requests(OpCode.OP_COMPRESSED)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aCompressedWriteWithoutReplyAwaitsNothing(int id) {
        SessionFixture f = SessionFixture.connected();
        f.request(compressed(id, SessionFixture.frame(1, 0, OpMsg.MORE_TO_COME, "{insert: 'c', $db: 'shop'}")));
        f.request(compressed(id, SessionFixture.frame(2, 0, OpMsg.MORE_TO_COME, "{update: 'refused', $db: 'shop'}")));
        f.request(3, REFUSED);
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.client.responsesTo()).containsExactly(3);
    }

    @Test
    void whatCannotBeDecompressedClosesWithACause() {
        ByteBuf find = SessionFixture.frame(1, 0, 0, FIND);
        ByteBuf nested = compressed(2, compressed(2, find.copy()));
        ByteBuf unknown = compressed(2, find.copy()).setByte(24, 9);
        ByteBuf damaged = compressed(2, find.copy()).setByte(30, 0);
        ByteBuf longer = compressed(2, find.copy());
        longer.setIntLE(20, longer.getIntLE(20) + 1);
        ByteBuf huge = compressed(2, find).setIntLE(20, MessageHeader.DEFAULT_MAX_MESSAGE_BYTES);
        for (ByteBuf bytes : List.of(nested, unknown, damaged, longer, huge)) {
            SessionFixture f = SessionFixture.connected();
            f.request(bytes);
            assertThat(f.server.written).isEmpty();
            assertThat(f.counters.closes(CloseCause.CLIENT_PROTOCOL_ERROR)).isEqualTo(1);
            assertThat(bytes.refCnt()).isZero();
        }
    }

    @Test
    void aCompressedHelloIsReadRewrittenAndItsReplyLearntFrom() {
        SessionFixture f = SessionFixture.connected();
        ByteBuf kept = compressed(2, SessionFixture.frame(1, 0, 0, "{hello: 1, compression: ['zlib'], $db: 'admin'}"));
        byte[] asSent = ByteBufUtil.getBytes(kept);
        f.request(kept);
        f.request(compressed(2, SessionFixture.frame(2, 0, 0, "{hello: 1, compression: ['lz4'], $db: 'admin'}")));
        assertThat(f.server.written.get(0)).isEqualTo(asSent);
        assertThat(inflated(f.server.written.get(1), 2).getArray("compression")).isEqualTo(new BsonArray());
        reply(f, compressed(2, SessionFixture.frame(101, 1, 0, "{ok: 1.0, maxMessageSizeBytes: 5000}")));
        assertThat(f.session.maxMessageBytes()).isEqualTo(5000);
        ByteBuf tooLarge = SessionFixture.frame(3, 0, 0, "{find: '" + "x".repeat(5000) + "', $db: 'shop'}");
        f.request(compressed(2, tooLarge));
        assertThat(f.counters.closes(CloseCause.CLIENT_PROTOCOL_ERROR)).isEqualTo(1);
    }

    @Test
    void aCompressedConversationIsFollowed() {
        SessionFixture f = SessionFixture.connected(true);
        f.request(compressed(
                3,
                SessionFixture.frame(
                        1,
                        0,
                        0,
                        "{saslStart: 1, mechanism: 'PLAIN', payload: {$binary: "
                                + "{base64: 'AHUAcA==', subType: '00'}}, $db: 'admin'}")));
        reply(f, compressed(3, SessionFixture.frame(101, 1, 0, "{ok: 1.0, done: true, conversationId: 1}")));
        f.request(2, FIND);
        assertThat(f.sources.get(f.sources.size() - 1).client().user()).isEqualTo("u");
    }

    /** The flag that another reply follows stands inside what is compressed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aCompressedExhaustStreamKeepsItsPlace(int id) {
        for (String batch : List.of("{a: 1}", "{x: '" + incompressible(300_000) + "'}")) {
            SessionFixture f = SessionFixture.connected();
            String getMore = "{getMore: {$numberLong: '7'}, collection: 'c', $db: 'shop'}";
            f.request(compressed(id, SessionFixture.frame(1, 0, OpMsg.EXHAUST_ALLOWED, getMore)));
            f.request(2, REFUSED);
            String body = "{ok: 1.0, cursor: {nextBatch: [" + batch + "]}}";
            reply(f, compressed(id, SessionFixture.frame(101, 1, OpMsg.MORE_TO_COME, body)));
            reply(f, compressed(id, SessionFixture.frame(102, 101, OpMsg.MORE_TO_COME, body)));
            assertThat(f.client.responsesTo()).containsExactly(1, 101);
            reply(f, compressed(id, SessionFixture.frame(103, 102, 0, body)));
            assertThat(f.client.responsesTo()).containsExactly(1, 101, 102, 2);
            assertThat(f.session.isClosed()).isFalse();
        }
    }

    @Test
    void theOutcomeOfACompressedReplyIsReadUpToSixtyFourKibibytes() {
        SessionFixture f = SessionFixture.connected();
        for (int size : new int[] {1_000, 60_000, 70_000}) {
            f.request(1, FIND);
            String body = "{ok: 1.0, n: 4, x: '" + "y".repeat(size) + "'}";
            ByteBuf reply = compressed(2, SessionFixture.frame(101, 1, 0, body));
            byte[] asSent = ByteBufUtil.getBytes(reply);
            reply(f, reply);
            assertThat(f.client.written.get(f.client.written.size() - 1)).isEqualTo(asSent);
            Outcome outcome = f.outcomes.get(f.outcomes.size() - 1);
            assertThat(outcome.nReturned()).as("%s bytes", size).isEqualTo(size < 65_000 ? 4 : null);
        }
    }

    @Test
    void aCompressedReplyThatIsDamagedIsForwardedAndItsOutcomeUnknown() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, FIND);
        ByteBuf reply = compressed(2, SessionFixture.frame(101, 1, 0, "{ok: 1.0}"));
        reply(f, reply.setByte(28, 0x55));
        assertThat(f.client.responsesTo()).containsExactly(1);
        assertThat(f.outcomes.get(1).ok()).isNull();
    }

    @Test
    void anOpQueryInsideIsAnsweredByACompressedOpReply() {
        SessionFixture f = SessionFixture.connected();
        ByteBuf query =
                Unpooled.buffer().writeIntLE(0).writeIntLE(5).writeIntLE(0).writeIntLE(OpCode.OP_QUERY.value());
        query.writeIntLE(0);
        query.writeCharSequence("shop.$cmd", StandardCharsets.US_ASCII);
        query.writeByte(0).writeIntLE(0).writeIntLE(-1);
        ByteBuf body = SessionFixture.frame(5, 0, 0, "{find: 'refused'}");
        query.writeBytes(body, 21, body.readableBytes() - 21);
        body.release();
        f.request(compressed(2, query.setIntLE(0, query.readableBytes())));
        ByteBuf reply = Unpooled.wrappedBuffer(f.client.written.get(0));
        assertThat(reply.getIntLE(12)).isEqualTo(OpCode.OP_COMPRESSED.value());
        assertThat(reply.getIntLE(16)).isEqualTo(OpCode.OP_REPLY.value());
        assertThat(reply.getIntLE(8)).isEqualTo(5);
    }

    private static String incompressible(int length) {
        StringBuilder text = new StringBuilder();
        java.util.Random random = new java.util.Random(7);
        for (int i = 0; i < length; i++) {
            text.append((char) ('0' + random.nextInt(64) % 75));
        }
        return text.toString().replace('\\', 'b');
    }

    /** Takes {@code message}. */
    private ByteBuf compressed(int id, ByteBuf message) {
        try {
            return compression.deflate(UnpooledByteBufAllocator.DEFAULT, message, id);
        } finally {
            message.release();
        }
    }

    private BsonDocument inflated(byte[] bytes, int id) {
        OpCompressed message = (OpCompressed) WireMessage.decode(Unpooled.wrappedBuffer(bytes));
        assertThat(message.compressorId()).isEqualTo(id);
        OpMsg content =
                (OpMsg) WireMessage.decode(compression.inflate(UnpooledByteBufAllocator.DEFAULT, message, 48_000_000));
        BsonDocument body = content.body().toBsonDocument();
        content.release();
        return body;
    }

    /** In parts of a thousand bytes. */
    private static void reply(SessionFixture f, ByteBuf bytes) {
        MessageHeader header = MessageHeader.read(bytes, 0);
        boolean first = true;
        int before = f.client.written.size();
        while (bytes.isReadable()) {
            ByteBuf part = bytes.readRetainedSlice(Math.min(1_000, bytes.readableBytes()));
            f.session.onReply(new ReplyChunk(header, 0, part, first, !bytes.isReadable()));
            first = false;
        }
        bytes.release();
        joinReply(f, before, header.messageLength());
    }

    /** Puts the parts of the reply that were written at {@code from} together, so that each write is one message. */
    private static void joinReply(SessionFixture f, int from, int length) {
        ByteBuf whole = Unpooled.buffer(length);
        while (whole.readableBytes() < length && f.client.written.size() > from) {
            whole.writeBytes(f.client.written.remove(from));
        }
        f.client.written.add(from, ByteBufUtil.getBytes(whole));
    }

    @Test
    void theStringsOfTheOfferAreKept() {
        SessionFixture f = SessionFixture.connected();
        f.request(1, "{hello: 1, compression: ['zstd', 'lz4', 'snappy', 'zlib'], $db: 'admin'}");
        assertThat(f.lastForwarded().getArray("compression"))
                .containsExactly(new BsonString("zstd"), new BsonString("snappy"), new BsonString("zlib"));
    }
}
