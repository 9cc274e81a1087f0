package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** A place is taken by the first byte, and given back however the connection ends. */
class TlsAdmissionHandlerTest {
    private static final SslContext CONTEXT = context();

    private final HandshakeSlots slots = new HandshakeSlots(1);
    private final TlsSettings settings = new TlsSettings(() -> CONTEXT, null, Duration.ofSeconds(10), slots);

    /** Any: no handshake is ever finished here. */
    private static SslContext context() {
        try {
            return SslContextBuilder.forClient().sslProvider(SslProvider.JDK).build();
        } catch (SSLException e) {
            throw new AssertionError(e);
        }
    }

    private EmbeddedChannel channel() {
        return new EmbeddedChannel(new TlsAdmissionHandler(settings, () -> CONTEXT));
    }

    private static ByteBuf bytes(int count) {
        return Unpooled.buffer(count).writeZero(count);
    }

    @Test
    void aSilentConnectionTakesNoPlace() {
        EmbeddedChannel silent = channel();
        assertThat(slots.taken()).isZero();
        silent.finishAndReleaseAll();
        assertThat(slots.taken()).isZero();
    }

    @Test
    void theFirstByteTakesAPlaceAndTheEndGivesItBack() {
        EmbeddedChannel channel = channel();
        channel.writeInbound(bytes(1));
        assertThat(channel.pipeline().get(SslHandler.class)).isNotNull();
        assertThat(channel.pipeline().get(TlsAdmissionHandler.class)).isNull();
        assertThat(slots.taken()).isEqualTo(1);
        channel.finishAndReleaseAll();
        assertThat(slots.taken()).isZero();
    }

    @Test
    void whoGoesAwayWhileWaitingLeavesNothingBehind() {
        slots.take(() -> {});
        EmbeddedChannel waiting = channel();
        ByteBuf early = bytes(100);
        waiting.writeInbound(early);
        assertThat(slots.waiting()).isEqualTo(1);
        waiting.finishAndReleaseAll();
        assertThat(slots.waiting()).isZero();
        assertThat(early.refCnt()).isZero();
        slots.giveBack();
        assertThat(slots.taken()).isZero();
    }

    @Test
    void whoWaitedBeginsWhenAPlaceIsFree() {
        slots.take(() -> {});
        EmbeddedChannel waiting = channel();
        waiting.writeInbound(bytes(1));
        waiting.writeInbound(bytes(1));
        assertThat(waiting.pipeline().get(SslHandler.class)).isNull();
        slots.giveBack();
        waiting.runPendingTasks();
        assertThat(waiting.pipeline().get(SslHandler.class)).isNotNull();
        assertThat(slots.taken()).isEqualTo(1);
        waiting.finishAndReleaseAll();
        assertThat(slots.taken()).isZero();
    }

    @Test
    void whoSendsTooMuchWhileWaitingIsAnError() {
        slots.take(() -> {});
        EmbeddedChannel waiting = channel();
        waiting.writeInbound(bytes(TlsAdmissionHandler.MAX_EARLY_BYTES));
        waiting.checkException();
        assertThatThrownBy(() -> waiting.writeInbound(bytes(1)))
                .isInstanceOf(TlsFailedException.class)
                .hasMessageContaining("before the TLS handshake");
        waiting.finishAndReleaseAll();
    }
}
