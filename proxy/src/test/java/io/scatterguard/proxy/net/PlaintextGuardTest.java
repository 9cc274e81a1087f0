package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ClientHello is told from a message by its first bytes, however they are cut. */
class PlaintextGuardTest {
    private static final byte[] CLIENT_HELLO = HexFormat.of().parseHex("16030100f5010000f10303a1b2c3d4e5f6");
    /** A hello by OP_QUERY that happens to begin like a TLS record: messageLength 66,326. */
    private static final byte[] MESSAGE =
            HexFormat.of().parseHex("16030100" + "01000000" + "00000000" + "d4070000" + "00");

    private final Closing closing = new Closing();

    private EmbeddedChannel channel() {
        return new EmbeddedChannel(new PlaintextGuard(closing));
    }

    /** Remembers that it was told. */
    private static final class Closing implements Runnable {
        private int times;

        @Override
        public void run() {
            times++;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 17})
    void aClientHelloIsRecognised(int part) {
        EmbeddedChannel channel = channel();
        for (int at = 0; at < CLIENT_HELLO.length; at += part) {
            channel.writeInbound(Unpooled.copiedBuffer(CLIENT_HELLO, at, Math.min(part, CLIENT_HELLO.length - at)));
        }
        assertThat(closing.times).isPositive();
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 17})
    void aMessagePassesAndTheGuardIsGone(int part) {
        EmbeddedChannel channel = channel();
        ByteBuf passed = Unpooled.buffer();
        for (int at = 0; at < MESSAGE.length; at += part) {
            channel.writeInbound(Unpooled.copiedBuffer(MESSAGE, at, Math.min(part, MESSAGE.length - at)));
        }
        for (ByteBuf next = channel.readInbound(); next != null; next = channel.readInbound()) {
            passed.writeBytes(next);
            next.release();
        }
        assertThat(passed).isEqualTo(Unpooled.wrappedBuffer(MESSAGE));
        assertThat(closing.times).isZero();
        assertThat(channel.pipeline().get(PlaintextGuard.class)).isNull();
        passed.release();
        channel.finishAndReleaseAll();
    }

    @Test
    void anEmptyReadIsNothingYet() {
        EmbeddedChannel channel = channel();
        channel.writeInbound(Unpooled.buffer(0));
        assertThat(channel.pipeline().get(PlaintextGuard.class)).isNotNull();
        assertThat(closing.times).isZero();
        channel.finishAndReleaseAll();
    }
}
