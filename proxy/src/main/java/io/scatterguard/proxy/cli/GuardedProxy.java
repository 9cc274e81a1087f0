package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.AuditConfig;
import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ObservationConfig;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.Secret;
import io.scatterguard.proxy.config.SecretUri;
import io.scatterguard.proxy.config.ServerConfig;
import io.scatterguard.proxy.config.ServerTlsConfig;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.SinkConfig;
import io.scatterguard.proxy.config.TlsVersion;
import io.scatterguard.proxy.config.UpstreamConfig;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.tls.TlsContexts;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A proxy for a test suite: on a free loopback port, in front of a database or of an embedded server, and with what it found at
 * hand. Thread-safe.
 */
public final class GuardedProxy implements AutoCloseable {
    private static final Duration RECORDS = Duration.ofSeconds(30);
    private static final String CLUSTER = "tests";
    private static final int TOKEN_BYTES = 16;

    private final GuardDatabase database;
    private final ProxyRuntime runtime;
    private final FindingsSink sink;
    private final Set<String> declared;
    private final @Nullable Secret token;
    private volatile boolean closed;

    private GuardedProxy(
            GuardDatabase database,
            ProxyRuntime runtime,
            FindingsSink sink,
            Set<String> declared,
            @Nullable Secret token) {
        this.database = database;
        this.runtime = runtime;
        this.sink = sink;
        this.declared = declared;
        this.token = token;
    }

    /**
     * Starts it.
     *
     * @throws IOException if the database does not answer, or something cannot be bound; nothing is left running
     * @throws io.scatterguard.proxy.config.ConfigException if a file of {@code setup} cannot be used
     */
    public static GuardedProxy start(GuardSetup setup) throws IOException, InterruptedException {
        ScatterguardConfig base = setup.config() == null ? null : ConfigReader.read(setup.config());
        SecretUri uri =
                setup.upstream() == null ? null : ClusterAccess.secret("upstream", setup.upstream(), System.getenv());
        List<ShardingRule> rules = new ArrayList<>(base == null ? List.of() : base.shardingRules());
        if (setup.rules() != null) {
            rules.addAll(RulesFile.read(setup.rules()));
        }
        GuardDatabase database = uri == null
                ? GuardDatabase.start()
                : GuardDatabase.at(
                        uri,
                        base == null
                                ? null
                                : TlsContexts.driverOnce(base.server().tls()));
        try {
            Secret token = setup.api() ? randomToken() : null;
            ScatterguardConfig config = config(setup, base, database, rules, token);
            FindingsSink sink = new FindingsSink(
                    config.policy().baseline().stream().map(BaselineEntry::id).collect(Collectors.toSet()));
            ProxyRuntime runtime =
                    ProxyRuntime.start(config, RuntimeParts.standard().withSink(sink));
            Set<String> declared = rules.stream().map(ShardingRule::subject).collect(Collectors.toUnmodifiableSet());
            return new GuardedProxy(database, runtime, sink, declared, token);
        } catch (IOException | InterruptedException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static ScatterguardConfig config(
            GuardSetup setup,
            @Nullable ScatterguardConfig given,
            GuardDatabase database,
            List<ShardingRule> rules,
            @Nullable Secret token) {
        ScatterguardConfig base = given == null ? ScatterguardConfig.inFrontOf(database.upstream()) : given;
        PolicyConfig policy = (given == null ? PolicyConfig.strict() : base.policy())
                .withMode(setup.mode())
                .withKnown(setup.baseline());
        ObservationConfig.Admin admin =
                token == null ? null : new ObservationConfig.Admin(new HostAndPort("127.0.0.1", 0), token);
        return new ScatterguardConfig(
                given == null ? CLUSTER : base.cluster(),
                List.of(new ListenerConfig(new HostAndPort("127.0.0.1", 0), database.upstream())),
                server(base.server(), database.tls()),
                catalog(setup, base.catalog(), database),
                rules,
                setup.routerVersion() == null ? base.routerVersion() : setup.routerVersion(),
                base.transport(),
                policy,
                audit(setup.audit()),
                base.limits(),
                new ObservationConfig(ObservationConfig.DEFAULT_TOP_NAMESPACES, null, null, null, admin));
    }

    /** The connection string says whether TLS is spoken, the configuration how. */
    private static ServerConfig server(ServerConfig base, boolean tls) {
        ServerTlsConfig how =
                base.tls() == null ? new ServerTlsConfig(null, null, true, TlsVersion.TLS1_2) : base.tls();
        return new ServerConfig(base.auth(), ServerConfig.ProxyProtocol.OFF, tls ? how : null, base.identity());
    }

    /** A cluster tells its keys itself; of anything else only the declared ones are known. */
    private static CatalogConfig catalog(GuardSetup setup, CatalogConfig base, GuardDatabase database) {
        boolean cluster = database.upstream().kind() == UpstreamConfig.Kind.MONGOS;
        return new CatalogConfig(
                cluster ? database.uri() : null, base.refresh(), setup.onUnknown(), base.detail(), base.loadTimeout());
    }

    private static AuditConfig audit(@Nullable Path file) {
        List<SinkConfig> sinks = file == null
                ? List.of()
                : List.of(new SinkConfig.RotatingFile(
                        file, 1L << 40, 2, Duration.ZERO, false, SinkConfig.WhenFull.BLOCK));
        return new AuditConfig(
                sinks,
                AuditConfig.Recorded.ROUTED,
                AuditConfig.Findings.EVERY,
                AuditConfig.Values.SHAPE,
                AuditConfig.DEFAULT_QUEUE_CAPACITY);
    }

    private static Secret randomToken() {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        return Secret.of(HexFormat.of().formatHex(token));
    }

    /** The connection string for clients. It holds the credentials of {@link GuardSetup#upstream}, if that has any. */
    public String uri() {
        return uri(null);
    }

    /**
     * Likewise.
     *
     * @param name the database in its path; null for that of the upstream's connection string
     */
    public String uri(@Nullable String name) {
        return database.clients().at(address(), name);
    }

    private HostAndPort address() {
        return new HostAndPort("127.0.0.1", runtime.address().getPort());
    }

    /** Whether {@link #uri} holds a password. */
    boolean isSecret() {
        return database.clients().isSecret();
    }

    /** Where the API is; null where there is none. */
    public @Nullable HostAndPort api() {
        return runtime.adminAddress();
    }

    /** What the API wants to see of whoever changes something; null where there is none. */
    @Nullable Secret token() {
        return token;
    }

    /**
     * What was found since the start, or the last {@link #reset}: of every command that was answered before this was called.
     *
     * @throws IllegalStateException if the records do not come within 30 seconds
     */
    public Findings findings() throws InterruptedException {
        await();
        return sink.findings();
    }

    /** Likewise, and forgets it: what is found at the same time is in this or in the next. */
    public Findings take() throws InterruptedException {
        await();
        return sink.take();
    }

    /** Forgets what was found by now. */
    public void reset() throws InterruptedException {
        await();
        sink.reset();
    }

    private void await() throws InterruptedException {
        if (!closed && !runtime.awaitRecords(RECORDS)) {
            throw new IllegalStateException("the findings are not complete after " + RECORDS.toSeconds() + " s");
        }
    }

    /** How many commands were routed since the start. */
    public long routed() throws InterruptedException {
        await();
        return sink.routed();
    }

    /** How many commands could not be judged or recorded, for a fault of ours: then findings may be missing. */
    public long missed() {
        return runtime.audit().dropped()
                + runtime.audit().internalErrors()
                + runtime.counters().internalErrorCount();
    }

    /**
     * In front of what is not sharded: the collections that were used and that no rule names, and how many commands each had. Of
     * a cluster, none.
     */
    public Map<String, Long> withoutRule() throws InterruptedException {
        await();
        if (database.upstream().kind() == UpstreamConfig.Kind.MONGOS) {
            return Map.of();
        }
        Map<String, Long> found = new TreeMap<>(sink.unsharded());
        found.keySet().removeAll(declared);
        return found;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            try {
                runtime.close();
            } finally {
                database.close();
            }
            closed = true;
        }
    }
}
