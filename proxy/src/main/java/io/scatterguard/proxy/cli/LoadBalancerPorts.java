package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.catalog.ClusterIdCheck;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.net.EventLoops;
import io.scatterguard.proxy.net.ServerPreface;
import io.scatterguard.proxy.net.ServerProbe;
import io.scatterguard.proxy.net.ServerProbe.Answers;
import io.scatterguard.proxy.net.ServerProbe.Reached;
import io.scatterguard.proxy.tls.TlsContexts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether every server takes connections that begin with a PROXY header, from ordinary clients: a {@code mongos} does so
 * on its {@code loadBalancerPort} only, and before 7.0.22, 8.0.10 and 8.1 (SERVER-99834) only for clients that say {@code
 * loadBalanced: true}. Anything else would fail every client with an error that does not name the cause.
 */
final class LoadBalancerPorts {
    private static final Logger LOG = LoggerFactory.getLogger(LoadBalancerPorts.class);

    private static final int LOAD_BALANCER_SUPPORT_MISMATCH = 354;
    private static final String NEEDED = "a mongos 7.0.22, 8.0.10, 8.1 or later";
    private static final List<BsonDocument> QUESTIONS = List.of(
            BsonDocument.parse("{hello: 1, $db: 'admin'}"),
            BsonDocument.parse("{buildInfo: 1, $db: 'admin'}"),
            BsonDocument.parse("{find: 'version', limit: 1, singleBatch: true, $db: 'config'}"));

    private final ScatterguardConfig config;
    private final TlsContexts tls;

    LoadBalancerPorts(ScatterguardConfig config, TlsContexts tls) {
        this.config = config;
        this.tls = tls;
    }

    /**
     * Asks every server of every listener, all at once; a server that cannot be reached is named in a warning.
     *
     * @throws IOException if one cannot serve ordinary clients there, or is of another cluster than the catalog; names
     *     every one, what was found and what is needed
     */
    void check(EventLoops loops, ServerPreface preface) throws IOException {
        Map<HostAndPort, CompletableFuture<Answers>> asked = new LinkedHashMap<>();
        try (ServerProbe probe =
                new ServerProbe(loops, preface, tls.servers(), config.limits().connectTimeout())) {
            config.listeners().stream()
                    .flatMap(listener -> listener.upstream().hosts().stream())
                    .distinct()
                    .forEach(host -> asked.put(
                            host, probe.ask(InetSocketAddress.createUnresolved(host.host(), host.port()), QUESTIONS)));
            CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                    .join();
        }
        List<String> problems = new ArrayList<>();
        asked.forEach((host, answers) -> {
            String problem = problem(host, answers.join());
            if (problem != null) {
                problems.add(problem);
            }
        });
        if (!problems.isEmpty()) {
            throw new IOException("server.proxyProtocol: " + String.join("; ", problems));
        }
    }

    private @Nullable String problem(HostAndPort host, Answers answers) {
        if (answers.reached() == Reached.NOTHING) {
            LOG.warn("server.proxyProtocol: {} cannot be reached and is not checked: {}", host, answers.error());
            return null;
        }
        if (answers.reached() == Reached.TLS_FAILED) {
            return host + ": no TLS after a PROXY header: " + answers.error()
                    + " (expected in upstream.hosts: the loadBalancerPort of " + NEEDED
                    + ", with a certificate that server.tls accepts)";
        }
        if (answers.replies().isEmpty()) {
            return host + ": not the loadBalancerPort of a mongos: " + answers.error()
                    + " after a PROXY header (expected: that port of " + NEEDED
                    + " in upstream.hosts; it is set with setParameter loadBalancerPort"
                    + (config.server().tls() == null
                            ? "; and server.tls where it asks for TLS)"
                            : "; and no server.tls where it speaks none)");
        }
        BsonDocument hello = answers.replies().get(0);
        if (number(hello, "ok") == 1) {
            return clusterProblem(host, answers);
        }
        if (number(hello, "code") == LOAD_BALANCER_SUPPORT_MISMATCH) {
            return host + ": release " + release(answers)
                    + " serves only clients with loadBalanced=true on its loadBalancerPort (expected: " + NEEDED
                    + "; or server.proxyProtocol: off, with its ordinary port in upstream.hosts)";
        }
        LOG.warn(
                "server.proxyProtocol: {} answered hello with error {} and is not checked",
                host,
                number(hello, "code"));
        return null;
    }

    /** The driver that compares clusters otherwise cannot send a header, so the probe brings the id along. */
    private @Nullable String clusterProblem(HostAndPort host, Answers answers) {
        ClusterIdCheck check = ClusterIdCheck.of(
                config.catalog().requiredUri().reveal(), clusterId(answers), "the answer has none", tls.driver());
        if (check.outcome() == ClusterIdCheck.Outcome.DIFFERENT) {
            return host + ": " + check.message();
        } else if (check.outcome() == ClusterIdCheck.Outcome.UNKNOWN) {
            LOG.warn("{}: {}", host, check.message());
        }
        return null;
    }

    private static @Nullable ObjectId clusterId(Answers answers) {
        if (answers.replies().size() < QUESTIONS.size()) {
            return null;
        }
        BsonValue cursor = answers.replies().get(2).get("cursor");
        BsonValue batch =
                cursor != null && cursor.isDocument() ? cursor.asDocument().get("firstBatch") : null;
        BsonValue version = batch != null && batch.isArray() && !batch.asArray().isEmpty()
                ? batch.asArray().get(0)
                : null;
        BsonValue id =
                version != null && version.isDocument() ? version.asDocument().get("clusterId") : null;
        return id != null && id.isObjectId() ? id.asObjectId().getValue() : null;
    }

    private static String release(Answers answers) {
        BsonValue version =
                answers.replies().size() > 1 ? answers.replies().get(1).get("version") : null;
        return version != null && version.isString() ? version.asString().getValue() : "(unknown)";
    }

    private static int number(BsonDocument document, String key) {
        BsonValue value = document.get(key);
        return value != null && value.isNumber() ? value.asNumber().intValue() : -1;
    }
}
