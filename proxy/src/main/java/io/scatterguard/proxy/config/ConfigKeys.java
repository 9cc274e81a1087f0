package io.scatterguard.proxy.config;

import java.util.List;
import java.util.Map;
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
            "listeners[].upstream.direct",
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
            "listeners[].mode",
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
            "shardingRules[].bounds",
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
            "policy.default.rate",
            "policy.rules",
            "policy.rules[].name",
            "policy.rules[].match",
            "policy.rules[].match.namespace",
            "policy.rules[].match.commands",
            "policy.rules[].match.shape",
            "policy.rules[].match.certainty",
            "policy.rules[].match.appName",
            "policy.rules[].match.user",
            "policy.rules[].match.driver",
            "policy.rules[].match.clientAddress",
            "policy.rules[].match.commentTag",
            "policy.rules[].match.time",
            "policy.rules[].match.time.days",
            "policy.rules[].match.time.from",
            "policy.rules[].match.time.to",
            "policy.rules[].match.time.zone",
            "policy.rules[].match.placement",
            "policy.rules[].match.minShards",
            "policy.rules[].match.notes",
            "policy.rules[].action",
            "policy.rules[].rate",
            "policy.rules[].canary",
            "policy.rules[].exemptible",
            "policy.rules[].reason",
            "policy.rules[].owner",
            "policy.rules[].until",
            "policy.exemptions",
            "policy.exemptions[].id",
            "policy.exemptions[].match",
            "policy.exemptions[].match.namespace",
            "policy.exemptions[].match.commands",
            "policy.exemptions[].match.appName",
            "policy.exemptions[].match.user",
            "policy.exemptions[].match.driver",
            "policy.exemptions[].match.clientAddress",
            "policy.exemptions[].match.commentTag",
            "policy.exemptions[].match.time",
            "policy.exemptions[].match.time.days",
            "policy.exemptions[].match.time.from",
            "policy.exemptions[].match.time.to",
            "policy.exemptions[].match.time.zone",
            "policy.exemptions[].reason",
            "policy.exemptions[].owner",
            "policy.exemptions[].until",
            "policy.owners",
            "policy.owners[].owner",
            "policy.owners[].namespace",
            "policy.owners[].user",
            "policy.owners[].appName",
            "policy.baselineFile",
            "policy.baseline",
            "policy.baseline[].id",
            "policy.baseline[].namespace",
            "policy.baseline[].shape",
            "policy.baseline[].count",
            "policy.baseline[].lastSeen",
            "policy.baseline[].owner",
            "policy.baseline[].until",
            "policy.commentExemptions",
            "policy.tools",
            "policy.wouldFail",
            "policy.onInternalError",
            "policy.refusalDetail",
            "policy.refuseUnacknowledged",
            "audit",
            "audit.sinks",
            "audit.sinks[].type",
            "audit.sinks[].path",
            "audit.sinks[].maxBytes",
            "audit.sinks[].maxFiles",
            "audit.sinks[].rotateEvery",
            "audit.sinks[].gzip",
            "audit.sinks[].endpoint",
            "audit.sinks[].headers",
            "audit.sinks[].headers[].name",
            "audit.sinks[].headers[].value",
            "audit.sinks[].whenFull",
            "audit.record",
            "audit.findings",
            "audit.values",
            "audit.queueCapacity",
            "metrics",
            "metrics.topNamespaces",
            "metrics.otlp",
            "metrics.otlp.endpoint",
            "metrics.otlp.headers",
            "metrics.otlp.headers[].name",
            "metrics.otlp.headers[].value",
            "metrics.otlp.every",
            "tracing",
            "tracing.endpoint",
            "tracing.headers",
            "tracing.headers[].name",
            "tracing.headers[].value",
            "tracing.queueCapacity",
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

    /** Keys of earlier versions and of wrong places, and what to do with them. */
    private static final Map<String, String> MOVED = Map.of(
            "limits.firstByteTimeout",
            "called limits.handshakeTimeout now (rename it)",
            "refusalDetail",
            "of no effect here (expected: policy.refusalDetail)",
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

    /** What to do with the key {@code path} of an earlier version or a wrong place; null if it is none. */
    static @Nullable String moved(String path) {
        return MOVED.get(pattern(path));
    }

    private static String pattern(String path) {
        return path.replaceAll("\\[\\d+]", "[]");
    }
}
