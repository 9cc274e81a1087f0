package io.scatterguard.proxy.config;

/**
 * An address applications connect to, and what is behind it.
 *
 * @param bind where to listen; port 0 lets the system choose
 * @param upstream where to forward
 */
public record ListenerConfig(HostAndPort bind, UpstreamConfig upstream) {
    /** Next to the server's own ports, and on this machine only. */
    public static final HostAndPort DEFAULT_BIND = new HostAndPort("127.0.0.1", 27_100);
}
