package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In bypass even what cannot be read is forwarded as it came: the way out of a fault of ours in reading, too. */
class BypassTest {
    @AfterEach
    void closeSessions() {
        SessionFixture.closeAll();
    }

    private static SessionFixture bypassed() {
        SessionFixture f = SessionFixture.connected();
        f.policy = PolicyBypass.BYPASS;
        return f;
    }

    private static ByteBuf message(OpCode opCode, int requestId, byte... body) {
        ByteBuf message = Unpooled.buffer();
        new MessageHeader(16 + body.length, requestId, 0, opCode.value()).writeTo(message);
        return message.writeBytes(body);
    }

    /** Hands it over as the decoder does that asks nobody whether it is right. */
    private static byte[] passed(SessionFixture f, ByteBuf bytes) {
        byte[] expected = ByteBufUtil.getBytes(bytes);
        f.server.written.clear();
        f.session.onRequest(WireMessage.decodeLeniently(bytes));
        assertThat(f.client.closed).isFalse();
        assertThat(f.server.written).hasSize(1);
        assertThat(f.server.written.get(0)).isEqualTo(expected);
        return expected;
    }

    @Test
    void aMessageThatIsNoneGoesToTheServerAndItsReplyBack() {
        SessionFixture f = bypassed();
        passed(f, message(OpCode.OP_MSG, 1, (byte) 8, (byte) 0, (byte) 0, (byte) 0, (byte) 77));
        f.reply(101, 1, 0, "{ok: 0.0, code: 40}");
        assertThat(f.client.responsesTo()).containsExactly(1);
    }

    @Test
    void oneThatExpectsNoReplyIsNotWaitedFor() {
        SessionFixture f = bypassed();
        passed(f, message(OpCode.OP_MSG, 1, (byte) (OpMsg.MORE_TO_COME | 8), (byte) 0, (byte) 0, (byte) 0, (byte) 77));
        f.request(2, "{ping: 1, $db: 'admin'}");
        f.reply(102, 2, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(2);
    }

    /** What waits for metadata when the mode changes, and all that is behind it, is not kept from the way out. */
    @Test
    void bypassEndsAWaitForMetadata() {
        SessionFixture f = SessionFixture.connected();
        f.catalog.without("shop.c");
        f.request(1, "{find: 'c', filter: {}, $db: 'shop'}");
        f.request(2, "{ping: 1, $db: 'admin'}");
        f.loop.pass(MetadataWait.LOOK);
        assertThat(f.server.requestIds()).as("judged, and waiting").isEmpty();
        f.policy = PolicyBypass.BYPASS;
        f.loop.pass(MetadataWait.LOOK);
        assertThat(f.server.requestIds()).containsExactly(1, 2);
        assertThat(f.loop.timers()).isZero();
    }

    /** Says that it was compressed by zlib, and is not. */
    @Test
    void whatCannotBeInflatedPasses() {
        SessionFixture f = bypassed();
        byte[] body = {(byte) 0xDD, 7, 0, 0, 100, 0, 0, 0, 2, 1, 2, 3};
        passed(f, message(OpCode.OP_COMPRESSED, 1, body));
        f.reply(101, 1, 0, "{ok: 1.0}");
        assertThat(f.client.responsesTo()).containsExactly(1);
        SessionFixture judged = SessionFixture.connected();
        judged.session.onRequest(WireMessage.decode(message(OpCode.OP_COMPRESSED, 1, body)));
        assertThat(judged.counters.closes(CloseCause.CLIENT_PROTOCOL_ERROR)).isOne();
    }
}
