package io.scatterguard.proxy.net;

import io.netty.handler.ipfilter.IpSubnetFilterRule;
import java.net.InetSocketAddress;
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

    boolean trusts(InetSocketAddress peer) {
        for (IpSubnetFilterRule network : trusted) {
            if (network.matches(peer)) {
                return true;
            }
        }
        return false;
    }
}
