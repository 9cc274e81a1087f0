package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.scatterguard.protocol.wire.ProtocolException;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderParserTest {
    private static final byte[] MESSAGE = {16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, (byte) 0xDD, 7, 0, 0};
    private static final ProxyHeader TCP4 = header("203.0.113.7", "10.0.0.5");
    private static final ProxyHeader TCP6 = header("2001:db8::7", "2001:db8::5");

    /** A header and what it says. */
    static final class Case {
        private final String name;
        private final byte[] bytes;
        private final ProxyHeader header;

        Case(String name, byte[] bytes, ProxyHeader header) {
            this.name = name;
            this.bytes = bytes;
            this.header = header;
        }

        byte[] bytes() {
            return bytes;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> wellFormed() {
        String inet = "cb007107" + "0a000005" + "c8226989";
        ProxyHeader none = ProxyHeader.WITHOUT_ADDRESSES;
        return Stream.of(
                new Case("v1 TCP4", HeaderBytes.V1_TCP4, TCP4),
                new Case("v1 TCP6", HeaderBytes.V1_TCP6, TCP6),
                new Case("v1 UNKNOWN", HeaderBytes.V1_UNKNOWN, none),
                new Case("v1 UNKNOWN with addresses", HeaderBytes.v1("PROXY UNKNOWN ff:: 1.2.3.4 a b\r\n"), none),
                new Case(
                        "v1 mapped",
                        HeaderBytes.v1("PROXY TCP6 ::ffff:203.0.113.7 ::ffff:10.0.0.5 51234 27017\r\n"),
                        TCP4),
                new Case("v2 TCP4", HeaderBytes.V2_TCP4, TCP4),
                new Case("v2 TCP6", HeaderBytes.V2_TCP6, TCP6),
                new Case("v2 LOCAL", HeaderBytes.V2_LOCAL, none),
                new Case("v2 LOCAL with an address", HeaderBytes.v2("20", "11", inet), none),
                new Case("v2 LOCAL of a family that is none", HeaderBytes.v2("20", "99", "00"), none),
                new Case("v2 UNSPEC", HeaderBytes.v2("21", "00", "0000"), none),
                new Case("v2 Unix", HeaderBytes.v2("21", "31", "2f".repeat(216)), none),
                new Case(
                        "v2 mapped",
                        HeaderBytes.v2("21", "21", mapped("cb007107") + mapped("0a000005") + "c8226989"),
                        TCP4),
                new Case("v2 with a NOOP", HeaderBytes.v2("21", "11", inet + "040000"), TCP4),
                new Case("v2 with TLS in TLS in TLS", HeaderBytes.v2("21", "11", inet + tls(tls(tls("")))), TCP4),
                new Case("v2 with TLVs that are none", HeaderBytes.v2("21", "11", inet + "20ffff00"), TCP4),
                new Case("v2 of the largest size", HeaderBytes.v2("21", "11", inet + "ee".repeat(4068)), TCP4));
    }

    private static String mapped(String inet) {
        return "00000000000000000000ffff" + inet;
    }

    private static String tls(String inner) {
        return "20" + String.format("%04x", 5 + inner.length() / 2) + "0700000000" + inner;
    }

    static Stream<byte[]> malformed() {
        String inet = "cb007107" + "0a000005" + "c8226989";
        return Stream.of(
                HeaderBytes.v2("11", "11", inet),
                HeaderBytes.v2("22", "11", inet),
                HeaderBytes.v2("21", "12", inet),
                HeaderBytes.v2("21", "22", inet.repeat(3)),
                HeaderBytes.v2("21", "32", "2f".repeat(216)),
                HeaderBytes.v2("21", "41", inet),
                HeaderBytes.v2("21", "13", inet),
                HeaderBytes.v2("21", "11", 0, ""),
                HeaderBytes.v2("21", "11", 11, ""),
                HeaderBytes.v2("21", "21", 35, ""),
                HeaderBytes.v2("21", "31", 215, ""),
                HeaderBytes.v2("21", "11", 4081, ""),
                HeaderBytes.v2("21", "11", 65535, ""),
                HeaderBytes.v2("20", "00", 65535, ""),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5 51234\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5 51234 27017 \r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7  10.0.0.5 51234 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.300 10.0.0.5 51234 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 2001:db8::7 2001:db8::5 51234 27017\r\n"),
                HeaderBytes.v1("PROXY TCP6 203.0.113.7 10.0.0.5 51234 27017\r\n"),
                HeaderBytes.v1("PROXY TCP6 fe80::1%eth0 fe80::2 51234 27017\r\n"),
                HeaderBytes.v1("PROXY TCP6 [2001:db8::7] 2001:db8::5 51234 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 localhost 10.0.0.5 51234 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5 -1 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5 +1 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5 65536 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5 99999999999 27017\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5  27017\r\n"),
                HeaderBytes.v1("PROXY UDP4 203.0.113.7 10.0.0.5 51234 27017\r\n"),
                HeaderBytes.v1("PROXY \r\n"),
                HeaderBytes.v1("PROXY unknown\r\n"),
                HeaderBytes.v1("PROXY UNKNOWN" + " ".repeat(93) + "\r\n"),
                HeaderBytes.v1("PROXY TCP4 203.0.113.7 10.0.0.5 51234 27017\n" + "\n".repeat(80)));
    }

    @ParameterizedTest
    @MethodSource("wellFormed")
    void aHeaderIsReadWholeAndWhatFollowsIsLeft(Case header) {
        ByteBuf in = HeaderBytes.buffer(header.bytes(), MESSAGE);
        assertThat(ProxyHeaderParser.read(in)).isEqualTo(header.header);
        assertThat(in.readableBytes()).isEqualTo(MESSAGE.length);
        in.release();
    }

    @ParameterizedTest
    @MethodSource("wellFormed")
    void aHeaderThatIsTruncatedAnywhereIsWaitedForAndNothingIsTaken(Case header) {
        ByteBuf all = HeaderBytes.buffer(header.bytes());
        for (int length = 0; length < header.bytes().length; length++) {
            ByteBuf in = all.slice(0, length);
            assertThat(ProxyHeaderParser.read(in)).as("%d bytes", length).isNull();
            assertThat(in.readerIndex()).isZero();
        }
        all.release();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void aMalformedHeaderIsAnErrorAndNeverAnAddress(byte[] bytes) {
        ByteBuf in = HeaderBytes.buffer(bytes);
        assertThatThrownBy(() -> ProxyHeaderParser.read(in))
                .isInstanceOf(ProtocolException.class)
                .hasMessageStartingWith("PROXY header, ")
                .hasMessageContaining("(expected: ");
        in.release();
    }

    /** Sixteen bytes are enough: nothing is waited for, or kept, that a length promises. */
    @Test
    void aLengthBeyondTheBoundIsAnErrorBeforeItsBytesCome() {
        ByteBuf in = HeaderBytes.buffer(HeaderBytes.v2("21", "11", 4081, ""));
        assertThat(in.readableBytes()).isEqualTo(16);
        assertThatThrownBy(() -> ProxyHeaderParser.read(in)).hasMessageContaining("length: 4081 (expected: 0..4080)");
        in.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {"160301", "10000000", "0d0a0d0a010d0a", "50524f5859", "0d", "50"})
    void whatIsNoHeaderIsToldFromOneByItsFirstBytes(String hex) {
        ByteBuf in = HeaderBytes.buffer(HexFormat.of().parseHex(hex));
        List<String> undecided = List.of("50524f5859", "0d", "50");
        assertThat(ProxyHeaderParser.start(in))
                .isEqualTo(
                        undecided.contains(hex)
                                ? ProxyHeaderParser.Start.UNDECIDED
                                : ProxyHeaderParser.Start.NO_HEADER);
        in.release();
    }

    /** Headers with bytes changed at random: wherever Netty's decoder finds addresses too, they are the same. */
    @Test
    void whatIsReadIsWhatNettyReads() {
        Random random = new Random(42);
        List<byte[]> seeds =
                wellFormed().map(Case::bytes).filter(b -> b.length < 300).toList();
        int both = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            ProxyHeader ours = ours(bytes);
            if (ours != null && ours.source() != null && nettysIs(bytes, ours.source())) {
                both++;
            }
        }
        assertThat(both).isGreaterThan(2_000);
    }

    private static @Nullable ProxyHeader ours(byte[] bytes) {
        ByteBuf in = HeaderBytes.buffer(bytes);
        try {
            return ProxyHeaderParser.read(in);
        } catch (ProtocolException e) {
            return null;
        } finally {
            in.release();
        }
    }

    private static boolean nettysIs(byte[] bytes, InetSocketAddress source) {
        EmbeddedChannel channel = new EmbeddedChannel(new HAProxyMessageDecoder());
        try {
            channel.writeInbound(HeaderBytes.buffer(bytes));
            if (!(channel.readInbound() instanceof HAProxyMessage message)) {
                return false;
            }
            String address = message.sourceAddress();
            int port = message.sourcePort();
            message.release();
            assertThat(new InetSocketAddress(address, port)).isEqualTo(source);
            return true;
        } catch (DecoderException e) {
            return false;
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static ProxyHeader header(String source, String destination) {
        return new ProxyHeader(new InetSocketAddress(source, 51_234), new InetSocketAddress(destination, 27_017));
    }
}
