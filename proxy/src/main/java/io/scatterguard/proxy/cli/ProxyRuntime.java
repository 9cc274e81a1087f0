package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.proxy.admin.HttpServer;
import io.scatterguard.proxy.admin.ReadyChecks.Phase;
import io.scatterguard.proxy.audit.AuditPipeline;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.CatalogSource;
import io.scatterguard.proxy.catalog.MongoCatalogSource;
import io.scatterguard.proxy.catalog.NoCatalogSource;
import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.ConfigError;
import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.Transport;
import io.scatterguard.proxy.metrics.PolicyMeters;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.net.EventLoops;
import io.scatterguard.proxy.net.ProxyListener;
import io.scatterguard.proxy.net.ServerPreface;
import io.scatterguard.proxy.net.SharedLimits;
import io.scatterguard.proxy.session.ConnectionGate;
import io.scatterguard.proxy.session.ConnectionLimits;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.proxy.tls.TlsContexts;
import io.scatterguard.proxy.tracing.Traces;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A whole proxy: catalog, policy, audit and listeners, wired from a configuration, started and stopped together. */
public final class ProxyRuntime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyRuntime.class);

    /** How long the start waits for the first metadata; after that it goes on without. */
    private static final Duration FIRST_LOAD = Duration.ofSeconds(10);

    private final ScatterguardConfig config;
    private final TlsContexts tls;
    private final CatalogRefresher catalog;
    private final AuditPipeline audit;
    private final LivePolicy policy;
    private final LiveConfig live;
    private final ExpiryNotices notices;
    private final EventLoops loops;
    private final ProxyMetrics metrics;
    private final HttpWiring http = new HttpWiring();
    private final SessionCounters counters;
    private final @Nullable Traces traces;
    private final ListenerStarter.Shared shared;
    private final List<ProxyListener> listeners = new ArrayList<>();

    private ProxyRuntime(
            ScatterguardConfig config,
            RuntimeParts parts,
            TlsContexts tls,
            DeclaredKeys declared,
            CatalogRefresher catalog,
            LiveAudit audit) {
        this.config = config;
        this.tls = tls;
        this.catalog = catalog;
        this.audit = audit.pipeline();
        this.policy = new LivePolicy(config, parts.policy());
        this.notices = new ExpiryNotices(policy::current, Clock.systemUTC());
        LivePart keys = LivePart.of(changed -> declared.replace(changed.shardingRules(), catalog::overlayChanged));
        this.live = new LiveConfig(config, policy, List.of(keys, audit, http, notices));
        this.metrics = MetricsWiring.create(config, policy);
        this.counters = new SessionCounters(metrics.commands());
        this.loops = config.transport() == Transport.NIO ? EventLoops.createNio() : EventLoops.create();
        SharedLimits limits = new SharedLimits(
                new ConnectionGate(
                        new ConnectionLimits(
                                config.limits().maxConnections(),
                                config.limits().maxConnectionsPerAddress(),
                                config.limits().connectionRate()),
                        counters,
                        System::nanoTime),
                new RequestBudget(config.limits().requestBuffer()));
        ClientTables tables = new ClientTables(policy, this.audit);
        MetricsWiring.bind(metrics, counters, limits.budget(), catalog, this.audit, tls);
        MetricsWiring.bindMemory(metrics, tables, parts.allocator());
        this.traces = OtlpWiring.traces(config, this.audit, metrics);
        OtlpWiring.push(config, metrics);
        this.shared = new ListenerStarter.Shared(
                config,
                parts,
                tls,
                catalog,
                policy,
                live,
                this.audit,
                traces == null ? this.audit : traces,
                metrics,
                counters,
                limits,
                tables);
    }

    /**
     * Starts everything; returns once the listeners accept.
     *
     * @throws IOException if a listener cannot be bound; nothing is left running
     * @throws ConfigException if a file of TLS or {@code catalog.uri} cannot be used
     */
    public static ProxyRuntime start(ScatterguardConfig config, RuntimeParts parts)
            throws IOException, InterruptedException {
        ProxyRuntime runtime = assemble(config, parts);
        ListenerStarter starter = new ListenerStarter(runtime.shared, runtime.loops, runtime.http);
        starter.warnOfMissingCompressors();
        try {
            runtime.http.start(runtime.live, runtime.metrics, runtime.catalog, runtime.policy, runtime.audit.shapes());
            runtime.notices.start();
            runtime.catalog.start();
            if (!runtime.catalog.awaitFirstLoad(FIRST_LOAD)) {
                LOG.warn(
                        "no metadata yet: every prediction is an upper bound until it could be read, except by a declared shard key: catalog={}",
                        config.catalog().uri());
            }
            DeclaredKeys.warnOfNothing(config, runtime.catalog.current());
            MetricsWiring.bindPolicy(runtime.metrics, runtime.policy::current);
            PolicyMeters.bindEdits(runtime.metrics, runtime.live);
            ServerPreface preface = ProxyProtocolWiring.sent(config.server().proxyProtocol());
            if (preface != ServerPreface.NONE) {
                new LoadBalancerPorts(config, runtime.tls).check(runtime.loops, preface);
            }
            for (int i = 0; i < config.listeners().size(); i++) {
                starter.requireSameCluster(i, preface);
                runtime.listeners.add(starter.start(i));
            }
            runtime.http.enter(Phase.RUNNING);
            return runtime;
        } catch (IOException | InterruptedException | RuntimeException e) {
            runtime.close();
            throw e;
        }
    }

    /** Nothing of it runs on if one part cannot be made: of a whole test run that would be threads and files. */
    private static ProxyRuntime assemble(ScatterguardConfig config, RuntimeParts parts) {
        TlsContexts tls = TlsContexts.open(config, parts.tls());
        try {
            DeclaredKeys declared = DeclaredKeys.of(config);
            CatalogRefresher catalog = new CatalogRefresher(
                    source(config, tls),
                    config.catalog().refresh(),
                    config.catalog().detail() == CatalogConfig.Detail.KEYS,
                    declared);
            try {
                return assemble(config, parts, tls, declared, catalog);
            } catch (RuntimeException e) {
                catalog.close();
                throw e;
            }
        } catch (RuntimeException e) {
            tls.close();
            throw e;
        }
    }

    private static ProxyRuntime assemble(
            ScatterguardConfig config,
            RuntimeParts parts,
            TlsContexts tls,
            DeclaredKeys declared,
            CatalogRefresher catalog) {
        LiveAudit audit = LiveAudit.start(config, parts.sinks());
        try {
            return new ProxyRuntime(config, parts, tls, declared, catalog, audit);
        } catch (RuntimeException e) {
            audit.pipeline().close();
            throw e;
        }
    }

    /** The driver knows better than the configuration which options there are. */
    private static CatalogSource source(ScatterguardConfig config, TlsContexts tls) {
        if (config.catalog().uri() == null) {
            return new NoCatalogSource();
        }
        try {
            return MongoCatalogSource.open(config.catalog().requiredUri().reveal(), tls.driver());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "of the catalog", List.of(new ConfigError("", 0, String.valueOf(e.getMessage()))));
        }
    }

    /** The address of the first listener. */
    public InetSocketAddress address() {
        return listeners.get(0).localAddress();
    }

    /** A connection string for the first listener. */
    public String connectionString() {
        return "mongodb://" + address().getAddress().getHostAddress() + ":"
                + address().getPort() + "/";
    }

    /** The configuration, to be changed while this runs. */
    LiveConfig live() {
        return live;
    }

    /** The policy in force, likewise. */
    LivePolicy policy() {
        return policy;
    }

    /** Applies what of {@code changed} can change while this runs; what cannot waits for a start, and the log says so. */
    public void apply(ScatterguardConfig changed) {
        live.apply(changed);
    }

    /**
     * Sets the mode of a listener, or of all, until it is taken back; every command that comes after this returns is judged by
     * it.
     *
     * @param bind as configured; null for all
     * @param mode null for what the configuration says
     * @return whether there is such a listener
     */
    public boolean setMode(@Nullable HostAndPort bind, PolicyConfig.@Nullable Mode mode) {
        return policy.set(bind, mode);
    }

    public SessionCounters counters() {
        return counters;
    }

    public ProxyMetrics metrics() {
        return metrics;
    }

    /** Where health and metrics are answered, with the port that was taken; null if nowhere. */
    public @Nullable HostAndPort healthAddress() {
        HttpServer server = http.health();
        return server == null ? null : server.address();
    }

    /** Where the API is answered, with the port that was taken; null if nowhere. */
    public @Nullable HostAndPort adminAddress() {
        HttpServer server = http.admin();
        return server == null ? null : server.address();
    }

    /** What large requests hold at present. */
    public RequestBudget requestBudget() {
        return shared.limits().budget();
    }

    public CatalogRefresher catalog() {
        return catalog;
    }

    public AuditPipeline audit() {
        return audit;
    }

    /**
     * Waits until the audit sinks have the records of all commands whose replies clients have got by now.
     *
     * @return false if they do not within {@code timeout}
     */
    public boolean awaitRecords(Duration timeout) throws InterruptedException {
        // A loop records a command in the same turn in which it writes the end of its reply.
        return loops.settle(timeout) && audit.awaitWritten(timeout);
    }

    /** Stops accepting, lets what is in flight finish within the grace period, and stops everything. */
    @Override
    public void close() {
        notices.close();
        http.enter(Phase.DRAINING);
        listeners.forEach(ProxyListener::stopAccepting);
        for (ProxyListener listener : listeners) {
            try {
                listener.stop(config.limits().shutdownGrace());
            } catch (InterruptedException e) {
                // The others have something to close as well; they do not wait any longer either.
                Thread.currentThread().interrupt();
            }
        }
        catalog.close();
        tls.close();
        audit.close();
        if (traces != null) {
            traces.close();
        }
        loops.close();
        http.close();
        metrics.close();
        LOG.info(
                "stopped: connections={} forwarded={} refused={} auditRecords={} auditDropped={} internalErrors={}",
                counters.acceptedConnections(),
                counters.forwardedRequests(),
                counters.refusedCommands(),
                audit.recorded(),
                audit.dropped(),
                counters.internalErrorCount());
    }
}
