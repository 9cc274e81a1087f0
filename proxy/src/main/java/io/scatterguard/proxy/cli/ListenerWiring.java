package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.catalog.LiveCatalog;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.ServerConfig;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.session.AccessControl;
import io.scatterguard.proxy.session.CertificateNotice;
import io.scatterguard.proxy.session.ListenerCatalog;
import io.scatterguard.proxy.session.ListenerTraits;
import io.scatterguard.proxy.session.ServerTraits;
import io.scatterguard.proxy.session.StatusReport;
import java.time.Duration;
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
                listener.statusCommand() ? status : null);
    }
}
