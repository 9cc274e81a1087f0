package io.scatterguard.proxy.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every key there is, {@code []} standing for an element of a list. The reader takes what it knows from here, and a test
 * holds {@code docs/configuration.md} to it.
 */
public final class ConfigKeys {
    private static final List<String> PATHS = List.of(
            "cluster",
            "listeners",
            "listeners[].bind",
            "listeners[].upstream",
            "listeners[].upstream.kind",
            "listeners[].upstream.hosts",
            "listeners[].proxyProtocol",
            "listeners[].proxyProtocol.from",
            "listeners[].proxyProtocol.required",
            "listeners[].tls",
            "listeners[].tls.certificate",
            "listeners[].tls.key",
            "listeners[].tls.keyPassword",
            "listeners[].tls.clientCa",
            "listeners[].tls.clientCertificates",
            "listeners[].tls.minVersion",
            "listeners[].tls.ciphers",
            "listeners[].opcodes",
            "listeners[].opcodes.OP_QUERY",
            "listeners[].opcodes.OP_GET_MORE",
            "listeners[].opcodes.OP_KILL_CURSORS",
            "listeners[].opcodes.OP_INSERT",
            "listeners[].opcodes.OP_UPDATE",
            "listeners[].opcodes.OP_DELETE",
            "listeners[].opcodes.unknown",
            "listeners[].statusCommand",
            "server",
            "server.auth",
            "server.tls",
            "server.tls.ca",
            "server.tls.certificate",
            "server.tls.key",
            "server.tls.keyPassword",
            "server.tls.hostnameCheck",
            "server.tls.minVersion",
            "server.proxyProtocol",
            "server.identity",
            "catalog",
            "catalog.uri",
            "catalog.refresh",
            "catalog.onUnknown",
            "catalog.detail",
            "catalog.loadTimeout",
            "shardingRulesFile",
            "shardingRules",
            "shardingRules[].namespace",
            "shardingRules[].key",
            "shardingRules[].unique",
            "shardingRules[].collation",
            "shardingRules[].shards",
            "shardingRules[].splitAt",
            "shardingRules[].chunks",
            "shardingRules[].chunks[].min",
            "shardingRules[].chunks[].shard",
            "shardingRules[].unsplittable",
            "shardingRules[].timeseries",
            "shardingRules[].timeseries.timeField",
            "shardingRules[].timeseries.metaField",
            "shardingRules[].timeseries.granularity",
            "shardingRules[].timeseries.bucketMaxSpanSeconds",
            "shardingRules[].timeseries.bucketRoundingSeconds",
            "shardingRules[].uniqueIndexes",
            "shardingRules[].viewOn",
            "shardingRules[].pipeline",
            "shardingRules[].database",
            "shardingRules[].primary",
            "shardingRules[].clusterShards",
            "routerVersion",
            "transport",
            "policy",
            "policy.mode",
            "policy.default",
            "policy.default.reads",
            "policy.default.writes",
            "policy.rules",
            "policy.rules[].name",
            "policy.rules[].match",
            "policy.rules[].match.namespace",
            "policy.rules[].match.commands",
            "policy.rules[].match.shape",
            "policy.rules[].match.certainty",
            "policy.rules[].match.appName",
            "policy.rules[].match.user",
            "policy.rules[].action",
            "policy.rules[].exemptible",
            "policy.exemptions",
            "policy.exemptions[].id",
            "policy.exemptions[].match",
            "policy.exemptions[].match.namespace",
            "policy.exemptions[].match.commands",
            "policy.exemptions[].match.appName",
            "policy.exemptions[].match.user",
            "policy.exemptions[].reason",
            "policy.exemptions[].owner",
            "policy.exemptions[].until",
            "policy.commentExemptions",
            "policy.tools",
            "policy.wouldFail",
            "policy.onInternalError",
            "audit",
            "audit.sinks",
            "audit.sinks[].type",
            "audit.sinks[].path",
            "audit.sinks[].maxBytes",
            "audit.sinks[].maxFiles",
            "audit.record",
            "audit.values",
            "audit.queueCapacity",
            "metrics",
            "metrics.topNamespaces",
            "health",
            "health.bind",
            "health.maxCatalogAge",
            "admin",
            "admin.bind",
            "admin.token",
            "limits",
            "limits.maxConnections",
            "limits.maxConnectionsPerAddress",
            "limits.connectionRate",
            "limits.handshakeTimeout",
            "limits.idleTimeout",
            "limits.connectTimeout",
            "limits.maxInFlight",
            "limits.requestBuffer",
            "limits.requestBufferTimeout",
            "limits.requestStallTimeout",
            "limits.shutdownGrace",
            "limits.tlsHandshakeTimeout",
            "limits.maxTlsHandshakes");

    /** Every mapping's own keys: a file of rules asks once for each of its chunks. */
    private static final Map<String, List<String>> BY_PARENT = PATHS.stream()
            .map(path -> path.substring(0, Math.max(0, path.lastIndexOf('.'))))
            .distinct()
            .collect(Collectors.toUnmodifiableMap(parent -> parent, ConfigKeys::below));

    /** Planned keys: somebody who sets one must learn that nothing would come of it. */
    private static final Set<String> NOT_YET =
            Set.of("refusalDetail", "policy.refusalDetail", "policy.refuseUnacknowledged", "audit.findings");

    /** Keys of earlier versions and of wrong places, and what to do with them. */
    private static final Map<String, String> MOVED = Map.of(
            "limits.firstByteTimeout",
            "called limits.handshakeTimeout now (rename it)",
            "tls",
            "of no effect here (expected: listeners[].tls towards clients, server.tls towards servers)");

    private ConfigKeys() {}

    /** Every key this version reads, in the order of the documentation. */
    public static List<String> paths() {
        return PATHS;
    }

    /** The keys directly in the mapping at {@code parent}, for instance {@code listeners[0].upstream}; "" for the file. */
    static List<String> in(String parent) {
        return BY_PARENT.getOrDefault(pattern(parent), List.of());
    }

    private static List<String> below(String parent) {
        String prefix = parent.isEmpty() ? "" : parent + ".";
        return PATHS.stream()
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()))
                .filter(key -> key.indexOf('.') < 0)
                .toList();
    }

    /** Whether {@code path} is planned, but not read by this version. */
    static boolean isNotYetSupported(String path) {
        return NOT_YET.contains(pattern(path));
    }

    /** What to do with the key {@code path} of an earlier version or a wrong place; null if it is none. */
    static @Nullable String moved(String path) {
        return MOVED.get(pattern(path));
    }

    private static String pattern(String path) {
        return path.replaceAll("\\[\\d+]", "[]");
    }
}
