package io.scatterguard.proxy.config;

import io.scatterguard.proxy.config.OpcodesConfig.Treatment;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what concerns connections: listeners, servers, limits. */
final class ConnectionsReader {
    /** For a listener that is wrong, so that the rest is still checked; port 0 collides with nothing. */
    static final ListenerConfig STAND_IN = new ListenerConfig(
            new HostAndPort("localhost", 0),
            new UpstreamConfig(UpstreamConfig.Kind.MONGOS, List.of(new HostAndPort("localhost", 1))));

    private ConnectionsReader() {}

    static ListenerConfig listener(Section section) {
        HostAndPort bind = section.value("bind", "host:port", text -> HostAndPort.parse(text, -1))
                .orElse(section.has("bind") ? STAND_IN.bind() : ListenerConfig.DEFAULT_BIND);
        Optional<UpstreamConfig> upstream = section.require("upstream", "a mapping with hosts")
                ? upstream(section.child("upstream"))
                : Optional.empty();
        return new ListenerConfig(
                bind,
                upstream.orElse(STAND_IN.upstream()),
                TlsReader.listener(section.child("tls")),
                proxyProtocol(section.child("proxyProtocol")),
                opcodes(section.child("opcodes")),
                section.flag("statusCommand", STAND_IN.statusCommand()),
                section.choice("mode", PolicyConfig.Mode.class).orElse(null));
    }

    private static @Nullable ProxyProtocolConfig proxyProtocol(Section section) {
        if (section.isAbsent()) {
            return null;
        }
        section.require("from", NetworkRange.EXPECTED);
        List<NetworkRange> from = section.values("from", text -> NetworkRange.EXPECTED, NetworkRange::parse);
        boolean required = section.flag("required", true);
        return from.isEmpty()
                ? null
                : section.build(() -> new ProxyProtocolConfig(from, required)).orElse(null);
    }

    private static OpcodesConfig opcodes(Section section) {
        Set<OpcodesConfig.Key> refused = EnumSet.noneOf(OpcodesConfig.Key.class);
        for (OpcodesConfig.Key key : OpcodesConfig.Key.values()) {
            if (section.choice(key.text(), Treatment.class).orElse(Treatment.FORWARD) == Treatment.REFUSE) {
                refused.add(key);
            }
        }
        return new OpcodesConfig(refused);
    }

    private static Optional<UpstreamConfig> upstream(Section section) {
        UpstreamConfig.Kind kind =
                section.choice("kind", UpstreamConfig.Kind.class).orElse(UpstreamConfig.Kind.MONGOS);
        section.require("hosts", "at least one host:port");
        List<HostAndPort> hosts = section.values(
                "hosts",
                text -> "host:port, or host for port " + UpstreamConfig.DEFAULT_PORT,
                text -> HostAndPort.parse(text, UpstreamConfig.DEFAULT_PORT));
        boolean direct = section.flag("direct", false);
        return hosts.isEmpty() ? Optional.empty() : section.build(() -> new UpstreamConfig(kind, hosts, direct));
    }

    static ServerConfig server(Section section) {
        ServerConfig standard = ServerConfig.STANDARD;
        return new ServerConfig(
                section.choice("auth", ServerConfig.Auth.class).orElse(standard.auth()),
                section.choice("proxyProtocol", ServerConfig.ProxyProtocol.class)
                        .orElse(standard.proxyProtocol()),
                TlsReader.server(section.child("tls")),
                section.choice("identity", ServerConfig.Identity.class).orElse(standard.identity()));
    }

    static LimitsConfig limits(Section section) {
        LimitsConfig standard = LimitsConfig.STANDARD;
        return section.build(() -> new LimitsConfig(
                        section.integer("maxConnections", standard.maxConnections()),
                        section.integer("maxConnectionsPerAddress", standard.maxConnectionsPerAddress()),
                        section.integer("connectionRate", standard.connectionRate()),
                        section.duration("handshakeTimeout", standard.handshakeTimeout()),
                        section.duration("idleTimeout", standard.idleTimeout()),
                        section.duration("connectTimeout", standard.connectTimeout()),
                        section.integer("maxInFlight", standard.maxInFlight()),
                        section.bytes("requestBuffer", standard.requestBuffer()),
                        section.duration("requestBufferTimeout", standard.requestBufferTimeout()),
                        section.duration("requestStallTimeout", standard.requestStallTimeout()),
                        section.duration("shutdownGrace", standard.shutdownGrace()),
                        section.duration("tlsHandshakeTimeout", standard.tlsHandshakeTimeout()),
                        section.integer("maxTlsHandshakes", standard.maxTlsHandshakes())))
                .orElse(standard);
    }
}
