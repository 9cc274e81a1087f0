package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyDecoderTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new ReplyDecoder());

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 19, 20, 21, 500, 100_000})
    void passesEveryByteOnHoweverItArrives(int partBytes) {
        ByteBuf all = Unpooled.buffer();
        all.writeBytes(Frames.reply(11, 1, 0, "{ok: 1, x: '" + "z".repeat(300) + "'}"));
        all.writeBytes(Frames.reply(12, 2, OpMsg.MORE_TO_COME, "{ok: 1}"));
        // The shortest possible reply: a header alone, shorter than header and flag bits.
        all.writeBytes(Frames.message(13, 12, 4242, Unpooled.buffer()));
        all.writeBytes(Frames.reply(14, 3, 0, "{ok: 0}"));
        ByteBuf expected = all.copy();
        ByteBuf passed = Unpooled.buffer();
        StringBuilder events = new StringBuilder();
        while (all.isReadable()) {
            channel.writeInbound(all.readBytes(Math.min(partBytes, all.readableBytes())));
            ReplyChunk chunk = channel.readInbound();
            while (chunk != null) {
                passed.writeBytes(chunk.bytes());
                chunk.bytes().release();
                events.append(chunk.first() ? "<" + chunk.header().responseTo() : "");
                events.append(chunk.last() ? (chunk.moreToCome() ? "+>" : ">") : "");
                chunk = channel.readInbound();
            }
        }
        assertThat(passed).isEqualTo(expected);
        assertThat(events).hasToString("<1><2+><12><3>");
        assertThat(channel.finishAndReleaseAll()).isFalse();
    }

    @Test
    void nothingOfALargeReplyIsHeldBack() {
        ByteBuf reply = Frames.reply(1, 1, 0, "{ok: 1, x: '" + "z".repeat(100_000) + "'}");
        int passed = 0;
        while (reply.isReadable()) {
            int part = Math.min(1_000, reply.readableBytes());
            channel.writeInbound(reply.readBytes(part));
            ReplyChunk chunk = channel.readInbound();
            passed += part;
            assertThat(chunk.bytes().readableBytes()).isEqualTo(part);
            chunk.bytes().release();
        }
        assertThat(passed).isGreaterThan(100_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 15, Integer.MAX_VALUE})
    void aWrongLengthPoisonsTheDecoder(int length) {
        ByteBuf bad = Frames.reply(1, 1, 0, "{ok: 1}");
        bad.setIntLE(0, length);
        assertThatThrownBy(() -> channel.writeInbound(bad)).isInstanceOf(ProtocolException.class);
        assertThat(channel.writeInbound(Frames.reply(2, 2, 0, "{ok: 1}"))).isFalse();
        channel.finishAndReleaseAll();
    }
}
