package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.SinkStatus;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.RulesFile;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.Secret;
import io.scatterguard.proxy.config.SecretUri;
import io.scatterguard.proxy.config.ServerTlsConfig;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.UpstreamConfig;
import io.scatterguard.proxy.policy.Baseline;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.tls.TlsContexts;
import io.scatterguard.proxy.upstream.Deployment;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A proxy for a test suite: on a free loopback port, in front of a database or of an embedded server, and with what it found at
 * hand. Thread-safe.
 */
public final class GuardedProxy implements AutoCloseable {
    private static final Duration RECORDS = Duration.ofSeconds(30);
    private static final Duration LEAVING = Duration.ofSeconds(1);
    private static final long LEAVING_POLL_MILLIS = 5;
    private static final int TOKEN_BYTES = 16;

    private final GuardDatabase database;
    private final ProxyRuntime runtime;
    private final FindingsSink sink;
    private final Set<String> declared;
    private final @Nullable Secret token;
    private volatile long ownConnections;
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
                setup.upstream() == null ? null : ClusterAccess.expanded("upstream", setup.upstream(), System.getenv());
        List<ShardingRule> rules = new ArrayList<>(base == null ? List.of() : base.shardingRules());
        if (setup.rules() != null) {
            rules.addAll(RulesFile.read(setup.rules()));
        }
        if (setup.audit() != null) {
            GuardConfig.checkAudit(setup.audit());
        }
        ServerTlsConfig tls = base == null ? null : base.server().tls();
        GuardDatabase database = uri == null
                ? GuardDatabase.start()
                : GuardDatabase.at(uri, TlsContexts.driverOnce(tls), tls == null || tls.hostnameCheck());
        GuardedProxy started = null;
        try {
            Secret token = setup.api() ? randomToken() : null;
            ScatterguardConfig config = GuardConfig.of(setup, base, database, rules, token);
            FindingsSink sink = new FindingsSink(new Baseline(config.policy().baseline()).known(Instant.now()));
            ProxyRuntime runtime =
                    ProxyRuntime.start(config, RuntimeParts.standard().withSink(sink));
            started = new GuardedProxy(database, runtime, sink, collections(rules), token);
            requireAnswer(started, database);
            return started;
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (started != null) {
                started.close();
            }
            database.close();
            throw e;
        }
    }

    private static Set<String> collections(List<ShardingRule> rules) {
        return rules.stream()
                .map(ShardingRule::subject)
                .filter(subject -> subject.contains("."))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Who cannot be reached through the proxy is found out now, not by a suite of which every test waits. */
    private static void requireAnswer(GuardedProxy proxy, GuardDatabase database)
            throws IOException, InterruptedException {
        if (database.uri() == null) {
            return;
        }
        try {
            Deployment.at("mongodb://" + proxy.address() + "/?directConnection=true", null, true);
            proxy.awaitLeaving();
            proxy.ownConnections = proxy.runtime.counters().acceptedConnections();
        } catch (IOException e) {
            throw new IOException(
                    "--upstream: " + database.uri() + " does not answer through the proxy: "
                            + Redacted.of(String.valueOf(e.getMessage())),
                    e);
        }
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

    /** What became of the commands since the start. */
    public Coverage coverage() throws InterruptedException {
        await();
        boolean cluster = database.upstream().kind() == UpstreamConfig.Kind.MONGOS;
        Map<String, Long> withoutRule = cluster ? new TreeMap<>() : sink.unsharded();
        Set<String> unused = new TreeSet<>(declared);
        withoutRule.keySet().removeAll(declared);
        unused.removeAll(sink.namespaces());
        long missed = runtime.audit().internalErrors()
                + runtime.counters().internalErrorCount()
                + runtime.audit().sinks().get(0).dropped();
        return new Coverage(
                runtime.counters().acceptedConnections() - ownConnections,
                sink.routed(),
                sink.judged(),
                missed,
                withoutRule,
                List.copyOf(unused));
    }

    /** How many records the file of {@link GuardSetup#audit} lacks. */
    long notInFile() {
        return runtime.audit().sinks().stream()
                .skip(1)
                .mapToLong(SinkStatus::dropped)
                .sum();
    }

    /**
     * What became of the commands.
     *
     * @param connections how many were made to the proxy
     * @param routed how many commands were about data or metadata
     * @param judged of how many of them a shard key, or what they are, decided where they go
     * @param missed how many could not be judged or recorded, for a fault of ours
     * @param withoutRule in front of what is not sharded: collections that were used and no rule names, with their commands
     * @param unusedRules collections that rules name and nobody used
     */
    public record Coverage(
            long connections,
            long routed,
            long judged,
            long missed,
            Map<String, Long> withoutRule,
            List<String> unusedRules) {
        public Coverage {
            withoutRule = Collections.unmodifiableMap(new TreeMap<>(withoutRule));
            unusedRules = List.copyOf(unusedRules);
        }
    }

    /** Waits, for a moment, until nobody is connected any more: what a client has sent last is still on its way. */
    void awaitLeaving() throws InterruptedException {
        long deadline = System.nanoTime() + LEAVING.toNanos();
        while (runtime.counters().openConnections() > 0 && System.nanoTime() < deadline) {
            Thread.sleep(LEAVING_POLL_MILLIS);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            try {
                runtime.close();
            } finally {
                closed = true;
                database.close();
            }
        }
    }
}
