package io.scatterguard.proxy.net;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How a listener accepts and dials.
 *
 * @param bind the address to listen on; port 0 takes a free one
 * @param upstream the servers, unresolved, in order; at least one
 * @param timeouts how long clients may take
 * @param connectTimeout how long connecting to one server may take
 * @param proxyProtocol whether PROXY headers are accepted and sent
 * @param tls how both sides are encrypted
 */
public record ListenerSettings(
        InetSocketAddress bind,
        List<InetSocketAddress> upstream,
        ClientTimeouts timeouts,
        Duration connectTimeout,
        ProxyProtocolSettings proxyProtocol,
        TlsSettings tls) {
    public ListenerSettings {
        upstream = List.copyOf(upstream);
        if (upstream.isEmpty()) {
            throw new IllegalArgumentException("upstream: no server (expected: at least one)");
        }
    }
}
