package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.admin.CollectionsEndpoint;
import io.scatterguard.proxy.admin.Endpoint;
import io.scatterguard.proxy.admin.ExemptionsEndpoint;
import io.scatterguard.proxy.admin.ExplainEndpoint;
import io.scatterguard.proxy.admin.FindingsEndpoint;
import io.scatterguard.proxy.admin.FindingsResetEndpoint;
import io.scatterguard.proxy.admin.Guard;
import io.scatterguard.proxy.admin.HttpServer;
import io.scatterguard.proxy.admin.LiveEndpoint;
import io.scatterguard.proxy.admin.MetricsEndpoint;
import io.scatterguard.proxy.admin.ModeEndpoint;
import io.scatterguard.proxy.admin.OpenApiEndpoint;
import io.scatterguard.proxy.admin.PolicyEndpoint;
import io.scatterguard.proxy.admin.ReadyChecks;
import io.scatterguard.proxy.admin.ReadyChecks.Phase;
import io.scatterguard.proxy.admin.ReadyEndpoint;
import io.scatterguard.proxy.admin.ShapesEndpoint;
import io.scatterguard.proxy.admin.StatusEndpoint;
import io.scatterguard.proxy.admin.UpstreamCheck;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ObservationConfig;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.findings.ShapeTable;
import io.scatterguard.proxy.metrics.ProxyMetrics;
import io.scatterguard.proxy.session.CommandJudge;
import io.scatterguard.proxy.session.StatusReport;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a proxy answers by HTTP: the servers that are configured, from before the first metadata to after the last command. */
final class HttpWiring implements LivePart, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpWiring.class);

    private final List<StatusReport> reports = new CopyOnWriteArrayList<>();
    private final List<CommandJudge> judges = new CopyOnWriteArrayList<>();
    private final List<ReadyEndpoint.Check> ofListeners = new CopyOnWriteArrayList<>();
    private final List<HttpServer> servers = new ArrayList<>();
    private volatile Phase phase = Phase.STARTING;
    private @Nullable Guard guard;
    private @Nullable HttpServer health;
    private @Nullable HttpServer admin;

    /**
     * Starts what is configured.
     *
     * @param policy that in force, also to be changed
     * @param shapes what was seen of commands, also to be reset
     * @throws IOException if an address cannot be bound; nothing is left running
     */
    void start(LiveConfig live, ProxyMetrics metrics, CatalogRefresher catalog, LivePolicy policy, ShapeTable shapes)
            throws IOException {
        ObservationConfig observation = live.started().observation();
        List<Endpoint> open = List.of(new LiveEndpoint(), ready(live, catalog), new MetricsEndpoint(metrics));
        if (observation.health() != null) {
            health = started(
                    "health", HttpServer.start("health", observation.health().bind(), Guard.open(), open));
        }
        if (observation.admin() != null) {
            List<Endpoint> all = new ArrayList<>(open);
            all.add(new StatusEndpoint(reports));
            all.add(new CollectionsEndpoint(catalog::current));
            all.add(new PolicyEndpoint(policy::current));
            all.add(new ExemptionsEndpoint(policy::current, Clock.systemUTC()));
            all.add(new ModeEndpoint(modes(policy)));
            all.add(new FindingsEndpoint(shapes));
            all.add(new ShapesEndpoint(shapes));
            all.add(new FindingsResetEndpoint(shapes));
            all.add(new ExplainEndpoint(new LiveExplanations(live.started(), judges, catalog, policy)));
            all.add(new OpenApiEndpoint());
            ObservationConfig.Admin settings = observation.admin();
            Guard ofAdmin = Guard.of(settings);
            guard = ofAdmin;
            admin = started("admin", HttpServer.start("admin", settings.bind(), ofAdmin, all));
        }
    }

    /** The token counts from the next request on. Without the section, which only a start can take away, nobody has one. */
    @Override
    public Runnable prepare(ScatterguardConfig changed) {
        ObservationConfig.Admin settings = changed.observation().admin();
        Guard ofAdmin = guard;
        return ofAdmin == null ? () -> {} : () -> ofAdmin.use(settings == null ? null : settings.token());
    }

    private HttpServer started(String name, HttpServer server) {
        servers.add(server);
        LOG.info("answering HTTP: name={} bind={}", name, server.address());
        return server;
    }

    private static ModeEndpoint.Modes modes(LivePolicy policy) {
        return new ModeEndpoint.Modes() {
            @Override
            public boolean set(@Nullable HostAndPort listener, PolicyConfig.@Nullable Mode mode) {
                return policy.set(listener, mode);
            }

            @Override
            public long policyVersion() {
                return policy.version();
            }
        };
    }

    private ReadyEndpoint ready(LiveConfig live, CatalogRefresher catalog) {
        ScatterguardConfig config = live.started();
        ObservationConfig.Health health = config.observation().health();
        return new ReadyEndpoint(List.of(
                ReadyChecks.phase(() -> phase),
                ReadyChecks.configuration(live::lastRefused),
                ReadyChecks.catalog(
                        catalog,
                        config.catalog().refresh(),
                        health == null ? null : health.maxCatalogAge(),
                        Clock.systemUTC()),
                () -> ofListeners.stream()
                        .flatMap(check -> check.causes().stream())
                        .toList()));
    }

    /** A listener was made. */
    void listener(ListenerConfig listener, CommandJudge judge, StatusReport report) {
        String bind = listener.bind().toString();
        ofListeners.add(new UpstreamCheck(bind, listener.upstream().hosts(), System::nanoTime));
        ofListeners.add(ReadyChecks.bypass(bind, judge::isBypassed));
        reports.add(report);
        judges.add(judge);
    }

    void enter(Phase next) {
        phase = next;
    }

    /** The server of health; null if there is none. */
    @Nullable HttpServer health() {
        return health;
    }

    /** The server of the API; null if there is none. */
    @Nullable HttpServer admin() {
        return admin;
    }

    @Override
    public void close() {
        servers.forEach(HttpServer::close);
    }
}
