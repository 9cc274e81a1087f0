package io.scatterguard.tests.support;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.session.CloseCause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;

/** A proxy whose sides are encrypted as a test says, in enforce mode; the metadata come through the same servers. */
public final class TlsProxy implements AutoCloseable {
    private final ProxyRuntime runtime;

    private TlsProxy(ProxyRuntime runtime) {
        this.runtime = runtime;
    }

    /** What a proxy is started with; {@code listener} and {@code server} are the content of the {@code tls} sections. */
    public record Setup(String upstream, String listener, String server, String limits, RuntimeParts parts) {
        /** In front of {@code upstream}, without TLS on either side. */
        public static Setup inFrontOf(String upstream) {
            return new Setup(upstream, "", "", "", RuntimeParts.standard());
        }

        /** Clients come by TLS with the certificate in {@code certificate}. */
        public Setup listener(Path certificate) {
            return listener("certificate: " + certificate);
        }

        public Setup listener(String section) {
            return new Setup(upstream, section, server, limits, parts);
        }

        public Setup server(String section) {
            return new Setup(upstream, listener, section, limits, parts);
        }

        /** Further limits, each with a comma before it. */
        public Setup limits(String more) {
            return new Setup(upstream, listener, server, more, parts);
        }

        public Setup parts(RuntimeParts other) {
            return new Setup(upstream, listener, server, limits, other);
        }

        private String yaml() {
            return """
                    cluster: test
                    listeners:
                      - bind: 127.0.0.1:0
                        upstream: { kind: mongos, hosts: ["%s"] }
                        %s
                    server: { auth: auto%s }
                    catalog: { refresh: 1s }
                    policy:
                      mode: enforce
                      rules:
                        - name: no-broadcast
                          match: { namespace: "shop.*", shape: scatterGather }
                          action: refuse
                    audit: { sinks: [], record: routed }
                    limits: { shutdownGrace: 2s%s }
                    """.formatted(
                            upstream,
                            listener.isEmpty() ? "" : "tls: { " + listener + " }",
                            server.isEmpty() ? "" : ", tls: { " + server + " }",
                            limits);
        }
    }

    public static TlsProxy start(Setup setup) {
        try {
            return new TlsProxy(ProxyRuntime.start(ConfigReader.read(setup.yaml(), Map.of()), setup.parts()));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    public ProxyRuntime runtime() {
        return runtime;
    }

    /** A connection string by name, so that certificates are checked against {@code localhost}. */
    public String uri(String options) {
        return "mongodb://localhost:" + runtime.address().getPort() + "/?" + options;
    }

    /** A raw client by TLS. */
    public RawClient rawClient(SSLContext context) throws IOException {
        return RawClient.connect(runtime.address(), context);
    }

    /** A Java driver client with one connection; by TLS unless {@code context} is null. */
    public MongoClient driver(SSLContext context) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new com.mongodb.ConnectionString(
                        uri("maxPoolSize=1&serverSelectionTimeoutMS=10000&appName=tests")))
                .applyToSslSettings(ssl -> ssl.enabled(context != null).context(context))
                .build());
    }

    /** Waits until {@code count} connections were closed because of {@code cause}. */
    public void awaitClosed(CloseCause cause, long count) {
        Awaitility.await()
                .alias(cause.text())
                .atMost(Duration.ofSeconds(30))
                .pollInterval(10, TimeUnit.MILLISECONDS)
                .until(() -> runtime.counters().closes(cause) >= count);
    }

    @Override
    public void close() {
        runtime.close();
    }
}
