package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.catalog.LiveCatalog;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.ServerConfig;
import io.scatterguard.proxy.config.ServerTlsConfig;
import io.scatterguard.proxy.config.UpstreamConfig;
import io.scatterguard.proxy.routing.Rehearsal;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.session.AccessControl;
import io.scatterguard.proxy.session.CertificateNotice;
import io.scatterguard.proxy.session.ListenerCatalog;
import io.scatterguard.proxy.session.ListenerTraits;
import io.scatterguard.proxy.session.ServerTraits;
import io.scatterguard.proxy.session.StatusReport;
import io.scatterguard.proxy.tls.TlsContexts;
import io.scatterguard.proxy.upstream.FixedServers;
import io.scatterguard.proxy.upstream.PrimaryMonitor;
import io.scatterguard.proxy.upstream.Upstream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Turns what is configured of a listener and of its servers into what its sessions take. */
final class ListenerWiring {
    private ListenerWiring() {}

    static ServerTraits server(ScatterguardConfig config) {
        String version = config.routerVersion();
        AccessControl accessControl = config.server().auth() == ServerConfig.Auth.REQUIRED
                ? AccessControl.required()
                : AccessControl.learnt(config.catalog().hasCredentials());
        return new ServerTraits(
                version == null ? null : RouterRelease.parse(version),
                accessControl,
                config.server().identity() == ServerConfig.Identity.CONNECTION_STATUS,
                new CertificateNotice(System::nanoTime));
    }

    /** Where no router says so itself, what a cluster would refuse is looked for. */
    static Router router(ListenerConfig listener, Router router) {
        return switch (listener.upstream().kind()) {
            case MONGOS -> router;
            case STANDALONE -> new Rehearsal(router, false);
            // Behind what looks like a mongos, drivers number their writes.
            case REPLICA_SET -> new Rehearsal(router, true);
        };
    }

    /** A request that waits holds room that others may wait for: never as long as makes it count as stalled. */
    static ListenerCatalog catalog(ScatterguardConfig config, LiveCatalog live) {
        Duration stalled = config.limits().requestStallTimeout().dividedBy(2);
        Duration timeout = config.catalog().loadTimeout();
        return new ListenerCatalog(live, timeout.compareTo(stalled) < 0 ? timeout : stalled, System::nanoTime);
    }

    static ListenerTraits traits(ListenerConfig listener, StatusReport status) {
        return new ListenerTraits(
                listener.opcodes().refused().stream()
                        .map(key -> OpCode.valueOf(key.name()))
                        .collect(Collectors.toUnmodifiableSet()),
                listener.statusCommand() ? status : null,
                listener.upstream().kind() == UpstreamConfig.Kind.REPLICA_SET);
    }

    /** Which servers the listener's connections go to; whoever listens closes it. */
    static Upstream upstream(ListenerConfig listener, ScatterguardConfig config, TlsContexts tls) {
        List<InetSocketAddress> hosts = listener.upstream().hosts().stream()
                .map(host -> InetSocketAddress.createUnresolved(host.host(), host.port()))
                .toList();
        if (listener.upstream().kind() != UpstreamConfig.Kind.REPLICA_SET) {
            return new FixedServers(hosts);
        }
        ServerTlsConfig server = config.server().tls();
        boolean hostnameCheck = server == null || server.hostnameCheck();
        return PrimaryMonitor.start(
                hosts,
                listener.upstream().direct(),
                tls.driver(),
                hostnameCheck,
                config.limits().connectTimeout());
    }
}
