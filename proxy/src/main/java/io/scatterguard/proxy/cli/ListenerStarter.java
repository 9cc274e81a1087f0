package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.audit.Auditor;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.ClusterIdCheck;
import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.LimitsConfig;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.UpstreamConfig;
import io.scatterguard.proxy.metrics.ConnectionMeters;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.net.ClientTimeouts;
import io.scatterguard.proxy.net.EventLoops;
import io.scatterguard.proxy.net.HandshakeSlots;
import io.scatterguard.proxy.net.ListenerSettings;
import io.scatterguard.proxy.net.ProxyListener;
import io.scatterguard.proxy.net.ServerPreface;
import io.scatterguard.proxy.net.SharedLimits;
import io.scatterguard.proxy.net.TlsSettings;
import io.scatterguard.proxy.session.CloseLog;
import io.scatterguard.proxy.session.CommandJudge;
import io.scatterguard.proxy.session.SessionContext;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.proxy.session.SessionLimits;
import io.scatterguard.proxy.tls.TlsContexts;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the listeners of a proxy, one after the other. */
final class ListenerStarter {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerStarter.class);

    private static final int MAX_HELD_REQUESTS = 64;

    /**
     * What all listeners of a proxy share.
     *
     * @param auditor takes their records; {@code audit}, or what stands before it
     */
    record Shared(
            ScatterguardConfig config,
            RuntimeParts parts,
            TlsContexts tls,
            CatalogRefresher catalog,
            LivePolicy policy,
            LiveConfig live,
            AuditPipeline audit,
            Auditor auditor,
            ProxyMetrics metrics,
            SessionCounters counters,
            SharedLimits limits,
            ClientTables tables) {}

    private final Shared shared;
    private final ScatterguardConfig config;
    private final EventLoops loops;
    private final HttpWiring http;
    private final HandshakeSlots handshakes;
    private final MessageCompression compression = MessageCompression.load();
    private final CloseLog closeLog = new CloseLog(System::nanoTime);

    ListenerStarter(Shared shared, EventLoops loops, HttpWiring http) {
        this.shared = shared;
        this.config = shared.config();
        this.loops = loops;
        this.http = http;
        this.handshakes = new HandshakeSlots(config.limits().maxTlsHandshakes());
    }

    /** Without its library a compressor is no longer offered to the server; the traffic then is not compressed by it. */
    void warnOfMissingCompressors() {
        if (!compression.missing().isEmpty()) {
            LOG.warn(
                    "compressors without their native library are taken out of hello (a folder for temporary files that"
                            + " allows execution is needed, see java.io.tmpdir): compressors={}",
                    compression.missing());
        }
    }

    /**
     * A catalog of another cluster would make every prediction wrong without a sign of it.
     *
     * @param preface what servers want to see before they answer: then there is nobody to ask
     */
    void requireSameCluster(int index, ServerPreface preface) throws IOException {
        ListenerConfig listener = config.listeners().get(index);
        boolean router = listener.upstream().kind() != UpstreamConfig.Kind.REPLICA_SET;
        if (preface != ServerPreface.NONE || !router || config.catalog().uri() == null) {
            return;
        }
        String upstream = CatalogConfig.through(
                        listener.upstream(), config.server().tls())
                .requiredUri()
                .reveal();
        ClusterIdCheck check = ClusterIdCheck.between(
                config.catalog().requiredUri().reveal(), upstream, shared.tls().driver());
        if (check.outcome() == ClusterIdCheck.Outcome.DIFFERENT) {
            throw new IOException(check.message());
        } else if (check.outcome() == ClusterIdCheck.Outcome.UNKNOWN) {
            LOG.warn("{}", check.message());
        }
    }

    /** @throws IOException if it cannot be bound */
    ProxyListener start(int index) throws IOException {
        ListenerConfig listener = config.listeners().get(index);
        SessionContext context = context(listener, index);
        TlsSettings encryption = new TlsSettings(
                shared.tls().listener(index),
                shared.tls().servers(),
                config.limits().tlsHandshakeTimeout(),
                handshakes);
        ListenerSettings settings = new ListenerSettings(
                new InetSocketAddress(listener.bind().host(), listener.bind().port()),
                // Last of what is made: it watches servers until the listener closes it.
                ListenerWiring.upstream(listener, config, shared.tls()),
                timeouts(config.limits()),
                config.limits().connectTimeout(),
                ProxyProtocolWiring.settings(listener, config.server()),
                encryption);
        ProxyListener started = ProxyListener.start(settings, context, shared.limits(), loops);
        LOG.info(
                "listening: bind={} tls={} upstream={} upstreamTls={} mode={} transport={}",
                started.localAddress(),
                listener.tls() != null,
                listener.upstream().hosts(),
                config.server().tls() != null,
                shared.policy().mode(index).text(),
                loops.transport());
        return started;
    }

    private static ClientTimeouts timeouts(LimitsConfig limits) {
        return new ClientTimeouts(
                limits.handshakeTimeout(),
                limits.idleTimeout(),
                limits.requestBufferTimeout(),
                limits.requestStallTimeout());
    }

    private SessionContext context(ListenerConfig listener, int index) {
        CommandJudge judge = shared.policy()
                .judge(index, ListenerWiring.router(listener, shared.parts().router()), shared.catalog()::current);
        judge.whenBypassMayHaveChanged(shared.audit().pressure()::reconsider);
        ConnectionMeters.bindListener(shared.metrics(), listener.bind().toString(), judge);
        ProxyStatus status = new ProxyStatus(
                shared.live(), shared.policy(), index, shared.catalog(), shared.audit(), shared.counters());
        http.listener(listener, judge, status);
        return new SessionContext(
                listener.bind().toString(),
                judge,
                shared.auditor(),
                shared.counters(),
                closeLog,
                new SessionLimits(config.limits().maxInFlight(), MAX_HELD_REQUESTS),
                shared.parts().allocator(),
                ListenerWiring.server(config),
                compression,
                ListenerWiring.traits(listener, status),
                ListenerWiring.catalog(config, shared.catalog()),
                shared.tables().refusedTransactions(),
                System::nanoTime);
    }
}
