package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyHeaderEncoderTest {
    @Test
    void addressesOfOneFamilyAreWrittenAsTheyAre() {
        assertThat(v2("203.0.113.7", "10.0.0.5")).isEqualTo(HeaderBytes.V2_TCP4);
        assertThat(v2("2001:db8::7", "2001:db8::5")).isEqualTo(HeaderBytes.V2_TCP6);
        assertThat(v1("203.0.113.7", "10.0.0.5")).isEqualTo("PROXY TCP4 203.0.113.7 10.0.0.5 51234 27017\r\n");
    }

    /** mongos takes no group of fewer than four digits. */
    @Test
    void anIpv6AddressInALineIsWrittenOutInFull() {
        assertThat(v1("2001:db8::7", "::1"))
                .isEqualTo("PROXY TCP6 2001:0db8:0000:0000:0000:0000:0000:0007"
                        + " 0000:0000:0000:0000:0000:0000:0000:0001 51234 27017\r\n")
                .hasSizeLessThanOrEqualTo(ProxyHeaderParser.MAX_V1_BYTES);
    }

    @Test
    void theScopeOfAnAddressIsNotWritten() {
        assertThat(v1("fe80::1%1", "fe80::2%1")).doesNotContain("%").contains(":0001 ");
    }

    @Test
    void whoIsNotKnownIsNotMadeUp() {
        assertThat(take(ProxyHeaderEncoder.v2(UnpooledByteBufAllocator.DEFAULT, ProxyHeader.WITHOUT_ADDRESSES)))
                .isEqualTo(HeaderBytes.V2_LOCAL);
        assertThat(take(ProxyHeaderEncoder.v1(UnpooledByteBufAllocator.DEFAULT, ProxyHeader.WITHOUT_ADDRESSES)))
                .isEqualTo(HeaderBytes.V1_UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "203.0.113.7, 10.0.0.5, 203.0.113.7",
        "2001:db8::7, ::1, 2001:db8::7",
        "203.0.113.7, 2001:db8::5, 203.0.113.7",
        "2001:db8::7, 10.0.0.5, 2001:db8::7",
        "0.0.0.0, 255.255.255.255, 0.0.0.0"
    })
    void whatIsWrittenIsReadBackByOursAndByNettys(String source, String destination, String read) {
        ProxyHeader header = header(source, destination);
        for (ByteBuf bytes : new ByteBuf[] {
            ProxyHeaderEncoder.v1(UnpooledByteBufAllocator.DEFAULT, header),
            ProxyHeaderEncoder.v2(UnpooledByteBufAllocator.DEFAULT, header)
        }) {
            assertThat(ProxyHeaderParser.read(bytes.duplicate())).isEqualTo(header);
            EmbeddedChannel netty = new EmbeddedChannel(new HAProxyMessageDecoder());
            netty.writeInbound(bytes);
            HAProxyMessage message = netty.readInbound();
            assertThat(new InetSocketAddress(message.sourceAddress(), message.sourcePort()))
                    .isEqualTo(new InetSocketAddress(read, 51_234));
            message.release();
            netty.finishAndReleaseAll();
        }
    }

    private static byte[] v2(String source, String destination) {
        return take(ProxyHeaderEncoder.v2(UnpooledByteBufAllocator.DEFAULT, header(source, destination)));
    }

    private static String v1(String source, String destination) {
        byte[] bytes = take(ProxyHeaderEncoder.v1(UnpooledByteBufAllocator.DEFAULT, header(source, destination)));
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static byte[] take(ByteBuf bytes) {
        byte[] array = ByteBufUtil.getBytes(bytes);
        bytes.release();
        return array;
    }

    private static ProxyHeader header(String source, String destination) {
        return new ProxyHeader(new InetSocketAddress(source, 51_234), new InetSocketAddress(destination, 27_017));
    }
}
