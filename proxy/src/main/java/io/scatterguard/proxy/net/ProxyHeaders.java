package io.scatterguard.proxy.net;

import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Whose PROXY headers a listener believes. Who may write a header may say to be anyone, so nobody else's is read.
 *
 * @param trusted the networks of the load balancers; at least one
 * @param required whether a connection from these without a header is closed; otherwise it is a client's own
 */
public record ProxyHeaders(List<IpSubnetFilterRule> trusted, boolean required) {
    public ProxyHeaders {
        trusted = List.copyOf(trusted);
        if (trusted.isEmpty()) {
            throw new IllegalArgumentException("trusted: no network (expected: at least one)");
        }
    }

    /** Whether {@code connected} is in one of the networks; an IPv4 peer of an IPv6 socket is in those of IPv4. */
    boolean trusts(InetSocketAddress connected) {
        InetSocketAddress peer = unmapped(connected);
        for (IpSubnetFilterRule network : trusted) {
            if (network.matches(peer)) {
                return true;
            }
        }
        return false;
    }

    private static InetSocketAddress unmapped(InetSocketAddress peer) {
        try {
            // Of the 16 bytes of a mapped address Java makes an IPv4 address.
            return new InetSocketAddress(
                    InetAddress.getByAddress(peer.getAddress().getAddress()), peer.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
