package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyHeadersTest {
    private static boolean trusts(String network, int bits, InetAddress peer) throws Exception {
        IpSubnetFilterRule rule = new IpSubnetFilterRule(InetAddress.getByName(network), bits, IpFilterRuleType.ACCEPT);
        return new ProxyHeaders(List.of(rule), true).trusts(new InetSocketAddress(peer, 40_000));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0, 8, 10.0.0.0, true",
        "10.0.0.0, 8, 10.255.255.255, true",
        "10.0.0.0, 8, 9.255.255.255, false",
        "10.0.0.0, 8, 11.0.0.0, false",
        "10.1.2.3, 32, 10.1.2.3, true",
        "10.1.2.3, 32, 10.1.2.2, false",
        "10.1.2.3, 32, 10.1.2.4, false",
        "0.0.0.0, 0, 203.0.113.7, true",
        "0.0.0.0, 0, ::1, false",
        "224.0.0.0, 3, 255.255.255.255, true",
        "224.0.0.0, 3, 223.255.255.255, false",
        "2001:db8::, 32, 2001:db8:ffff::1, true",
        "2001:db8::, 32, 2001:db9::, false",
        "2001:db8::, 33, 2001:db8:8000::, false",
        "::1, 128, ::1, true",
        "::1, 128, ::2, false",
        "::, 0, 2001:db8::, true",
        "::, 0, 10.1.2.3, false",
        "fe80::, 10, fe80::1%1, true",
    })
    void aPeerIsInANetworkOrNot(String network, int bits, String peer, boolean in) throws Exception {
        assertThat(trusts(network, bits, InetAddress.getByName(peer))).isEqualTo(in);
    }

    @Test
    void anIpv4PeerOfAnIpv6SocketIsWhatItIs() throws Exception {
        byte[] bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, 10, 1, 2, 3};
        InetAddress mapped = Inet6Address.getByAddress(null, bytes, -1);
        assertThat(mapped).isInstanceOf(Inet6Address.class);
        assertThat(trusts("10.0.0.0", 8, mapped)).isTrue();
        assertThat(trusts("11.0.0.0", 8, mapped)).isFalse();
        assertThat(trusts("::", 0, mapped)).isFalse();
    }

    @Test
    void withoutANetworkNobodyIsMeant() {
        assertThatThrownBy(() -> new ProxyHeaders(List.of(), true)).hasMessageContaining("trusted: no network");
    }
}
