package io.scatterguard.proxy.net;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How a listener accepts and dials.
 *
 * @param bind the address to listen on; port 0 takes a free one
 * @param upstream the servers, unresolved, in order; at least one
 * @param maxConnections client connections at once; further ones are closed at once
 * @param firstByteTimeout how long a client may take from connecting to the end of its first request
 * @param connectTimeout how long connecting to one server may take
 * @param tls how both sides are encrypted
 */
public record ListenerSettings(
        InetSocketAddress bind,
        List<InetSocketAddress> upstream,
        int maxConnections,
        Duration firstByteTimeout,
        Duration connectTimeout,
        TlsSettings tls) {
    public ListenerSettings {
        upstream = List.copyOf(upstream);
        if (upstream.isEmpty()) {
            throw new IllegalArgumentException("upstream: no server (expected: at least one)");
        }
        if (maxConnections < 1) {
            throw new IllegalArgumentException("maxConnections: " + maxConnections + " (expected: at least 1)");
        }
    }
}
