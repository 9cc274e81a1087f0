package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What it costs when a client may not begin its handshake yet, and when it never can. */
class TlsAdmissionBoundsTest {
    private final HandshakeSlots slots = new HandshakeSlots(1);
    private final List<Throwable> errors = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new TlsAdmissionHandler(new TlsSettings(null, null, Duration.ofSeconds(1), slots), () -> {
                throw new IllegalStateException("no context");
            }),
            new ChannelInboundHandlerAdapter() {
                @Override
                public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                    errors.add(cause);
                }
            });

    @AfterEach
    void end() {
        channel.finishAndReleaseAll();
        assertThat(slots.waiting()).isZero();
    }

    @Test
    void aHandshakeThatCannotBeginKeepsNoSlot() {
        channel.writeInbound(Unpooled.buffer(1).writeByte(22));
        assertThat(slots.taken()).isZero();
        assertThat(errors).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatComesBeforeItsTurnIsCopiedAndBounded() {
        slots.take(() -> {});
        int sent = 0;
        while (errors.isEmpty()) {
            ByteBuf one = Unpooled.buffer(4_096).writeByte(22);
            channel.writeInbound(one);
            assertThat(one.refCnt()).isZero();
            sent++;
        }
        assertThat(sent).isEqualTo(TlsAdmissionHandler.MAX_EARLY_BYTES + 1);
        assertThat(errors).singleElement().isInstanceOf(TlsFailedException.class);
        assertThat(slots.waiting()).isEqualTo(1);
        channel.close();
        assertThat(slots.waiting()).isZero();
        slots.giveBack();
        assertThat(slots.taken()).isZero();
    }
}
