package io.scatterguard.proxy.config;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The whole configuration of one process, which serves one cluster.
 *
 * @param cluster the name on every record and metric
 * @param listeners at least one
 * @param server how the servers behind all listeners are dialled
 * @param catalog where the metadata comes from
 * @param shardingRules what is declared besides; a later one of the same collection, view or database counts
 * @param routerVersion the router's release to assume, as {@code major.minor}; null for what each server says in its hello
 * @param transport how sockets are driven
 * @param policy what is done with which commands
 * @param audit what is recorded
 * @param limits bounds
 * @param observation what can be seen of the running proxy, and where
 */
public record ScatterguardConfig(
        String cluster,
        List<ListenerConfig> listeners,
        ServerConfig server,
        CatalogConfig catalog,
        List<ShardingRule> shardingRules,
        @Nullable String routerVersion,
        Transport transport,
        PolicyConfig policy,
        AuditConfig audit,
        LimitsConfig limits,
        ObservationConfig observation) {
    public static final String DEFAULT_CLUSTER = "default";

    static final String RELEASE_EXPECTED = "major.minor, like 6.0";

    private static final Pattern RELEASE = Pattern.compile("\\d{1,3}\\.\\d{1,3}");

    public ScatterguardConfig {
        listeners = List.copyOf(listeners);
        shardingRules = List.copyOf(shardingRules);
        new Requirements()
                .line("cluster", cluster)
                .that(!listeners.isEmpty(), "listeners", "none (expected: at least one, with upstream.hosts)")
                .that(
                        routerVersion == null || isRelease(routerVersion),
                        "routerVersion",
                        "not a release (expected: " + RELEASE_EXPECTED + ")")
                .that(
                        server.proxyProtocol() == ServerConfig.ProxyProtocol.OFF
                                || catalog.uri() == null
                                || !readThroughUpstream(catalog.uri(), listeners),
                        "catalog.uri",
                        "names a host of a listener's upstream, whose port takes nobody without a PROXY header"
                                + " (expected with server.proxyProtocol: ordinary ports of mongos, or the config servers)")
                .that(
                        server.proxyProtocol() == ServerConfig.ProxyProtocol.OFF
                                || listeners.stream()
                                        .noneMatch(listener ->
                                                listener.upstream().kind() == UpstreamConfig.Kind.REPLICA_SET),
                        "server.proxyProtocol",
                        server.proxyProtocol().text()
                                + ", and a listener's upstream is a replica set, whose members are"
                                + " dialled at the ports of the set's own configuration, which take no PROXY headers"
                                + " (expected: off, or no upstream of kind replicaSet)")
                .that(
                        server.tls() == null
                                || catalog.uri() == null
                                || !catalog.uri().hasCredentials()
                                || catalog.uri().decidesTls(),
                        "catalog.uri",
                        "holds credentials and says nothing of TLS, so they would be sent without, though server.tls is set"
                                + " (expected: tls=true among its options, or tls=false where that is meant)")
                .distinct(
                        "listeners",
                        listeners,
                        "bind",
                        listener -> listener.bind().port() == 0 ? null : listener.bind())
                .check();
    }

    private static boolean readThroughUpstream(SecretUri uri, List<ListenerConfig> listeners) {
        List<String> hosts = uri.hosts();
        return listeners.stream()
                .flatMap(listener -> listener.upstream().hosts().stream())
                .anyMatch(host -> hosts.contains(host.toString())
                        || (host.port() == UpstreamConfig.DEFAULT_PORT && hosts.contains(host.host())));
    }

    static boolean isRelease(String text) {
        return RELEASE.matcher(text).matches();
    }

    /** The defaults in front of {@code upstream}. */
    public static ScatterguardConfig inFrontOf(UpstreamConfig upstream) {
        return new ScatterguardConfig(
                DEFAULT_CLUSTER,
                List.of(new ListenerConfig(ListenerConfig.DEFAULT_BIND, upstream)),
                ServerConfig.STANDARD,
                CatalogConfig.through(upstream, null),
                List.of(),
                null,
                Transport.AUTO,
                PolicyConfig.standard(),
                AuditConfig.standard(),
                LimitsConfig.STANDARD,
                ObservationConfig.STANDARD);
    }
}
