package io.scatterguard.proxy.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a PROXY protocol header says: who connected, and to which address. Both are there, or neither: a header may say
 * that its sender speaks for itself (LOCAL), does not know (UNKNOWN), or that the client came through a Unix socket.
 *
 * @param source the client's address; an IPv4-mapped IPv6 address is an IPv4 address here
 * @param destination the address the client connected to
 * @see <a href="https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt">The PROXY protocol, versions 1 and 2</a>
 */
record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {
    /** Says nothing about a client: the connection's own addresses hold. */
    static final ProxyHeader WITHOUT_ADDRESSES = new ProxyHeader(null, null);
}
