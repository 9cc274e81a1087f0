package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.config.AuditConfig;
import io.scatterguard.proxy.config.CatalogConfig;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ObservationConfig;
import io.scatterguard.proxy.config.OpcodesConfig;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.config.Secret;
import io.scatterguard.proxy.config.ServerConfig;
import io.scatterguard.proxy.config.ServerTlsConfig;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.SinkConfig;
import io.scatterguard.proxy.config.TlsVersion;
import io.scatterguard.proxy.config.UpstreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration of a {@link GuardedProxy}: what its setup says, over what a configuration of {@code serve} says. */
final class GuardConfig {
    private static final String CLUSTER = "tests";

    /** Nobody wants to know of a broadcast by a message that no policy judges. */
    private static final OpcodesConfig OPCODES = new OpcodesConfig(Set.of(
            OpcodesConfig.Key.OP_QUERY,
            OpcodesConfig.Key.OP_GET_MORE,
            OpcodesConfig.Key.OP_INSERT,
            OpcodesConfig.Key.OP_UPDATE,
            OpcodesConfig.Key.OP_DELETE));

    private GuardConfig() {}

    /**
     * Everything together.
     *
     * @param given the configuration of the setup; null for none
     * @param rules all that are declared
     * @param token of the API; null where there is none
     */
    static ScatterguardConfig of(
            GuardSetup setup,
            @Nullable ScatterguardConfig given,
            GuardDatabase database,
            List<ShardingRule> rules,
            @Nullable Secret token) {
        ScatterguardConfig base = given == null ? ScatterguardConfig.inFrontOf(database.upstream()) : given;
        PolicyConfig policy = (given == null ? PolicyConfig.strict() : base.policy())
                .withMode(setup.mode())
                .withKnown(setup.baseline());
        return new ScatterguardConfig(
                given == null ? CLUSTER : base.cluster(),
                List.of(listener(database)),
                server(base.server(), database),
                catalog(setup, base.catalog(), database),
                rules,
                setup.routerVersion() == null ? base.routerVersion() : setup.routerVersion(),
                base.transport(),
                policy,
                audit(setup.audit()),
                base.limits(),
                new ObservationConfig(
                        ObservationConfig.DEFAULT_TOP_NAMESPACES,
                        null,
                        null,
                        null,
                        token == null ? null : new ObservationConfig.Admin(new HostAndPort("127.0.0.1", 0), token)));
    }

    private static ListenerConfig listener(GuardDatabase database) {
        return new ListenerConfig(
                new HostAndPort("127.0.0.1", 0), database.upstream(), null, null, OPCODES, true, null);
    }

    /** The connection string says whether TLS is spoken, the configuration how. */
    private static ServerConfig server(ServerConfig base, GuardDatabase database) {
        ServerTlsConfig tls = null;
        if (database.tls()) {
            ServerTlsConfig how = base.tls();
            tls = new ServerTlsConfig(
                    how == null ? null : how.ca(),
                    how == null ? null : how.identity(),
                    database.hostnameCheck(),
                    how == null ? TlsVersion.TLS1_2 : how.minVersion());
        }
        // Whether this database has access control, it says itself.
        return new ServerConfig(ServerConfig.Auth.AUTO, ServerConfig.ProxyProtocol.OFF, tls, base.identity());
    }

    /** A cluster tells its keys itself; of anything else only the declared ones are known. */
    private static CatalogConfig catalog(GuardSetup setup, CatalogConfig base, GuardDatabase database) {
        boolean cluster = database.upstream().kind() == UpstreamConfig.Kind.MONGOS;
        return new CatalogConfig(
                cluster ? database.uri() : null, base.refresh(), setup.onUnknown(), base.detail(), base.loadTimeout());
    }

    private static AuditConfig audit(@Nullable Path file) {
        return new AuditConfig(
                file == null ? List.of() : List.of(sink(file)),
                AuditConfig.Recorded.ROUTED,
                AuditConfig.Findings.EVERY,
                AuditConfig.Values.SHAPE,
                AuditConfig.DEFAULT_QUEUE_CAPACITY);
    }

    /** A suite does not wait for a file: what that lacks is said at the end. */
    private static SinkConfig sink(Path file) {
        return new SinkConfig.RotatingFile(file, 1L << 40, 2, Duration.ZERO, false, SinkConfig.WhenFull.DROP);
    }

    /**
     * Finds out, before anything is started, whether {@code file} can be expected to take records.
     *
     * @throws InputException if it cannot
     */
    static void checkAudit(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new InputException("--audit " + file + ": no regular file (expected: a file, or none yet)");
        }
        try (AuditSink sink = AuditWiring.sink(sink(file))) {
            sink.check();
        } catch (IOException e) {
            throw new InputException("--audit " + file + ": " + e.getMessage());
        }
    }
}
