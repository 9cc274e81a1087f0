package io.scatterguard.proxy.net;

import io.scatterguard.proxy.upstream.Upstream;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * How a listener accepts and dials.
 *
 * @param bind the address to listen on; port 0 takes a free one
 * @param upstream which servers connections go to
 * @param timeouts how long clients may take
 * @param connectTimeout how long connecting to one server may take
 * @param proxyProtocol whether PROXY headers are accepted and sent
 * @param tls how both sides are encrypted
 */
public record ListenerSettings(
        InetSocketAddress bind,
        Upstream upstream,
        ClientTimeouts timeouts,
        Duration connectTimeout,
        ProxyProtocolSettings proxyProtocol,
        TlsSettings tls) {}
