package io.scatterguard.proxy.config;

import org.jspecify.annotations.Nullable;

/**
 * An address applications connect to, and what is behind it.
 *
 * @param bind where to listen; port 0 lets the system choose
 * @param upstream where to forward
 * @param tls how clients reach it by TLS; null for plain connections
 * @param proxyProtocol whose PROXY headers are believed; null where none may come
 * @param opcodes which messages that are no commands are refused
 * @param statusCommand whether the proxy itself answers {@code {scatterguard: 1}}
 * @param mode how much of the policy is applied here; null for what the policy says
 */
public record ListenerConfig(
        HostAndPort bind,
        UpstreamConfig upstream,
        @Nullable ListenerTlsConfig tls,
        @Nullable ProxyProtocolConfig proxyProtocol,
        OpcodesConfig opcodes,
        boolean statusCommand,
        PolicyConfig.@Nullable Mode mode) {
    /** Next to the server's own ports, and on this machine only. */
    public static final HostAndPort DEFAULT_BIND = new HostAndPort("127.0.0.1", 27_100);

    /** The same listener with another mode; null for what the policy says. */
    public ListenerConfig withMode(PolicyConfig.@Nullable Mode other) {
        return new ListenerConfig(bind, upstream, tls, proxyProtocol, opcodes, statusCommand, other);
    }

    /** A listener with the defaults for everything else. */
    public ListenerConfig(HostAndPort bind, UpstreamConfig upstream) {
        this(bind, upstream, null, null, OpcodesConfig.FORWARD_ALL, true, null);
    }
}
