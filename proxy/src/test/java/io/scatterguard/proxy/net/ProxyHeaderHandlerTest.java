package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.scatterguard.proxy.session.CloseCause;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderHandlerTest {
    private static final byte[] MESSAGE = {16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, (byte) 0xDD, 7, 0, 0};
    private static final byte[] CLIENT_HELLO = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01};
    private static final InetSocketAddress LISTED = new InetSocketAddress("10.1.2.3", 40_000);
    private static final InetSocketAddress NOT_LISTED = new InetSocketAddress("192.0.2.1", 40_000);

    private final List<CloseCause> ended = new ArrayList<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private int opened;
    private @Nullable EmbeddedChannel channel;

    @AfterEach
    void finish() {
        if (channel != null) {
            channel.finishAndReleaseAll();
        }
    }

    private EmbeddedChannel from(InetSocketAddress peer, boolean required) {
        ProxyHeaders headers = new ProxyHeaders(
                List.of(
                        new IpSubnetFilterRule("10.0.0.0", 8, IpFilterRuleType.ACCEPT),
                        new IpSubnetFilterRule("2001:db8::", 32, IpFilterRuleType.ACCEPT)),
                required);
        EmbeddedChannel made = new EmbeddedChannel();
        made.freezeTime();
        channel = made;
        ProxyHeaderHandler.Events events = new ProxyHeaderHandler.Events(
                () -> {
                    opened++;
                    made.pipeline().addLast(new Receiver());
                },
                (cause, error) -> ended.add(cause));
        made.pipeline().addLast(new HandshakeDeadline(Duration.ofSeconds(5)));
        made.pipeline().addLast(new ProxyHeaderHandler(headers, peer, events));
        return made;
    }

    private final class Receiver extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object msg) {
            ByteBuf bytes = (ByteBuf) msg;
            received.writeBytes(ByteBufUtil.getBytes(bytes));
            bytes.release();
        }
    }

    static List<byte[]> headers() {
        return ProxyHeaderParserTest.wellFormed()
                .map(ProxyHeaderParserTest.Case::bytes)
                .toList();
    }

    private static void feed(EmbeddedChannel to, byte[] bytes, int step) {
        for (int at = 0; at < bytes.length && to.isOpen(); at += step) {
            to.writeInbound(Unpooled.copiedBuffer(bytes, at, Math.min(step, bytes.length - at)));
        }
    }

    private static byte[] concatenated(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("headers")
    void aHeaderInAnyPartsOpensAndWhatFollowsArrives(byte[] header) {
        byte[] bytes = concatenated(header, MESSAGE);
        for (int step : new int[] {bytes.length, 1, 7, 16}) {
            opened = 0;
            received.reset();
            EmbeddedChannel from = from(LISTED, true);
            feed(from, bytes, step);
            assertThat(opened).isEqualTo(1);
            assertThat(received.toByteArray()).isEqualTo(MESSAGE);
            assertThat(from.pipeline().get(ProxyHeaderHandler.class)).isNull();
            from.finishAndReleaseAll();
        }
        assertThat(ended).isEmpty();
    }

    @Test
    void theAddressesAreThoseOfTheHeader() {
        EmbeddedChannel from = from(LISTED, true);
        feed(from, HeaderBytes.V2_TCP4, 100);
        assertThat(from.attr(ClientAddress.KEY).get()).isEqualTo(new InetSocketAddress("203.0.113.7", 51_234));
        assertThat(from.attr(ClientAddress.DESTINATION).get()).isEqualTo(new InetSocketAddress("10.0.0.5", 27_017));
        assertThat(opened).isEqualTo(1);
    }

    @Test
    void aLoadBalancerThatSpeaksForItselfKeepsItsOwnAddress() {
        EmbeddedChannel from = from(LISTED, true);
        feed(from, HeaderBytes.V2_LOCAL, 100);
        assertThat(from.attr(ClientAddress.KEY).get()).isNull();
        assertThat(opened).isEqualTo(1);
    }

    @Test
    void onlyTheFirstHeaderCounts() {
        feed(from(LISTED, true), concatenated(HeaderBytes.V2_TCP4, HeaderBytes.V2_TCP6), 100);
        assertThat(received.toByteArray()).isEqualTo(HeaderBytes.V2_TCP6);
    }

    /** Before all of the header has come, and whether headers are required or not. */
    @ParameterizedTest
    @MethodSource("headers")
    void aHeaderFromAPeerThatIsNotListedClosesAndIsNotBelieved(byte[] header) {
        for (boolean required : new boolean[] {true, false}) {
            ended.clear();
            EmbeddedChannel from = from(NOT_LISTED, required);
            feed(from, concatenated(header, MESSAGE), 1);
            assertThat(ended).containsExactly(CloseCause.PROXY_HEADER_UNTRUSTED);
            assertThat(from.isOpen()).isFalse();
            assertThat(from.attr(ClientAddress.KEY).get()).isNull();
            from.finishAndReleaseAll();
        }
        assertThat(opened).isZero();
        assertThat(received.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100})
    void aPeerThatIsNotListedIsAClientOfItsOwn(int step) {
        for (byte[] first : new byte[][] {MESSAGE, CLIENT_HELLO}) {
            received.reset();
            feed(from(NOT_LISTED, true), first, step);
            assertThat(received.toByteArray()).isEqualTo(first);
        }
        assertThat(opened).isEqualTo(2);
        assertThat(ended).isEmpty();
    }

    @Test
    void aListedPeerWithoutAHeaderIsClosedUnlessItMayGoWithout() {
        EmbeddedChannel strict = from(LISTED, true);
        feed(strict, MESSAGE, 100);
        assertThat(ended).containsExactly(CloseCause.PROXY_HEADER_MISSING);
        assertThat(strict.isOpen()).isFalse();
        assertThat(opened).isZero();
        strict.finishAndReleaseAll();

        EmbeddedChannel lenient = from(LISTED, false);
        feed(lenient, MESSAGE, 100);
        assertThat(opened).isEqualTo(1);
        assertThat(received.toByteArray()).isEqualTo(MESSAGE);
        assertThat(lenient.attr(ClientAddress.KEY).get()).isNull();
    }

    @ParameterizedTest
    @MethodSource("io.scatterguard.proxy.net.ProxyHeaderParserTest#malformed")
    void aMalformedHeaderCloses(byte[] header) {
        for (boolean required : new boolean[] {true, false}) {
            ended.clear();
            EmbeddedChannel from = from(LISTED, required);
            feed(from, concatenated(header, MESSAGE), 5);
            assertThat(ended).containsExactly(CloseCause.PROXY_HEADER_MALFORMED);
            assertThat(from.isOpen()).isFalse();
            from.finishAndReleaseAll();
        }
        assertThat(opened).isZero();
    }

    @ParameterizedTest
    @MethodSource("headers")
    void aHeaderThatStopsAnywhereIsClosedInTime(byte[] header) {
        for (int length : new int[] {0, 1, Math.min(12, header.length - 1), header.length - 1}) {
            ended.clear();
            EmbeddedChannel from = from(LISTED, false);
            from.writeInbound(Unpooled.copiedBuffer(header, 0, length));
            from.advanceTimeBy(4_999, TimeUnit.MILLISECONDS);
            from.runScheduledPendingTasks();
            assertThat(from.isOpen()).isTrue();
            from.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            from.runScheduledPendingTasks();
            assertThat(ended).containsExactly(CloseCause.HANDSHAKE_TIMEOUT);
            assertThat(from.isOpen()).isFalse();
            from.finishAndReleaseAll();
        }
    }

    /** What a health check does. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 27})
    void aPeerThatGoesBeforeItsHeaderHasEndedIsCountedOnce(int length) {
        EmbeddedChannel from = from(LISTED, true);
        from.writeInbound(Unpooled.copiedBuffer(HeaderBytes.V2_TCP4, 0, length));
        from.close();
        assertThat(ended).containsExactly(CloseCause.CLIENT_CLOSED);
        assertThat(opened).isZero();
    }

    @Test
    void aShutdownClosesWhatIsNotOpenedAndLeavesTheRest() {
        EmbeddedChannel from = from(LISTED, true);
        ProxyHeaderHandler handler = from.pipeline().get(ProxyHeaderHandler.class);
        handler.shutDown();
        assertThat(ended).containsExactly(CloseCause.SHUTDOWN);
        from.finishAndReleaseAll();

        EmbeddedChannel open = from(LISTED, true);
        ProxyHeaderHandler gone = open.pipeline().get(ProxyHeaderHandler.class);
        feed(open, HeaderBytes.V2_TCP4, 100);
        gone.shutDown();
        assertThat(open.isOpen()).isTrue();
        assertThat(ended).hasSize(1);
    }
}
