package io.scatterguard.tests.support;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.embedded.EmbeddedServer;
import io.scatterguard.proxy.embedded.ShopData;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A proxy in enforce mode on a free port, in front of what a test needs; what it started it also closes. */
public final class ProxyUnderTest implements AutoCloseable {
    /** Refuses every exact scatter-gather in one database. */
    private static final String CONFIG = """
            cluster: test
            listeners:
              - bind: 127.0.0.1:0
                upstream: { kind: mongos, hosts: ["%s"] }
            catalog: { refresh: 1s%s }
            policy:
              mode: enforce
              rules:
                - name: no-broadcast
                  match: { namespace: "%s.*", shape: scatterGather }
                  action: refuse
              exemptions:
                - { id: nightly, owner: tests }
            audit: { sinks: [], record: routed }
            limits: { shutdownGrace: 10s%s }
            """;

    private final ProxyRuntime runtime;
    private final List<AutoCloseable> behind;

    private ProxyUnderTest(ProxyRuntime runtime, List<AutoCloseable> behind) {
        this.runtime = runtime;
        this.behind = behind;
    }

    /** In front of an embedded server that carries the demo's shop. */
    public static ProxyUnderTest inFrontOfTheShop() {
        EmbeddedServer server = EmbeddedServer.start(0);
        ShopData.load(server.connectionString());
        return new ProxyUnderTest(
                start("127.0.0.1:" + server.port(), "", "shop", "", RuntimeParts.standard()), List.of(server));
    }

    /** In front of a scripted mongos, which is made to show the shop's catalog and stays the test's to close. */
    public static ProxyUnderTest inFrontOf(ScriptedMongos mongos, RuntimeParts parts) {
        return inFrontOf(mongos, parts, "");
    }

    /** In front of {@code server}, which shows {@code catalog}; broadcasts in {@code database} are refused. */
    public static ProxyUnderTest inFrontOf(
            EmbeddedServer server, CatalogDocuments catalog, String database, RuntimeParts parts) {
        catalog.storeIn(server.connectionString());
        return new ProxyUnderTest(start("127.0.0.1:" + server.port(), "", database, "", parts), List.of());
    }

    /** Likewise with further {@code limits}, each with a comma before it. */
    public static ProxyUnderTest inFrontOf(ScriptedMongos mongos, RuntimeParts parts, String limits) {
        mongos.withCatalog(CatalogDocuments.shop());
        return new ProxyUnderTest(start(mongos.address(), "", "shop", limits, parts), List.of());
    }

    /** Likewise, with further keys of the whole file, for instance {@code transport: nio}. */
    public static ProxyUnderTest inFrontOf(ScriptedMongos mongos, RuntimeParts parts, String limits, String keys) {
        mongos.withCatalog(CatalogDocuments.shop());
        return new ProxyUnderTest(start(mongos.address(), "", "shop", limits + keys(keys), parts), List.of());
    }

    /** In front of a sink, which shows the shop's catalog and is closed with this. */
    public static ProxyUnderTest inFrontOf(SinkMongos sink, RuntimeParts parts, String limits, String keys) {
        return new ProxyUnderTest(start(sink.address(), "", "shop", limits + keys(keys), parts), List.of(sink));
    }

    /** A sink that shows the shop's catalog. */
    public static SinkMongos sink() {
        return SinkMongos.start(CatalogDocuments.shop());
    }

    /** {@code limits} is the last mapping of the file: this ends it, and begins another one that the end closes. */
    private static String keys(String keys) {
        return keys.isEmpty() ? "" : " }\n" + keys + "\nrouterVersion: 6.0 # {";
    }

    /** In front of {@code upstream}, with its metadata from {@code catalog}, which shows the shop's. */
    public static ProxyUnderTest inFrontOf(String upstream, ScriptedMongos catalog) {
        catalog.withCatalog(CatalogDocuments.shop());
        String uri = ", uri: \"" + catalog.uri() + "\"";
        return new ProxyUnderTest(start(upstream, uri, "shop", "", RuntimeParts.standard()), List.of());
    }

    /**
     * In front of a scripted mongos, which is made to show the shop's catalog, by a configuration of the test's own; {@code
     * UPSTREAM} in it stands for the mongos.
     */
    public static ProxyUnderTest configured(ScriptedMongos mongos, String yaml, RuntimeParts parts) {
        mongos.withCatalog(CatalogDocuments.shop());
        return new ProxyUnderTest(start(yaml.replace("UPSTREAM", mongos.address()), parts), List.of());
    }

    /** By {@code yaml}, a whole configuration that names its servers. */
    public static ProxyUnderTest of(String yaml, RuntimeParts parts) {
        return new ProxyUnderTest(start(yaml, parts), List.of());
    }

    /** Likewise; {@code catalog} is made to show the shop before. */
    public static ProxyUnderTest of(String yaml, ScriptedMongos catalog, RuntimeParts parts) {
        catalog.withCatalog(CatalogDocuments.shop());
        return of(yaml, parts);
    }

    private static ProxyRuntime start(
            String upstream, String catalog, String database, String limits, RuntimeParts parts) {
        return start(CONFIG.formatted(upstream, catalog, database, limits), parts);
    }

    private static ProxyRuntime start(String yaml, RuntimeParts parts) {
        try {
            return ProxyRuntime.start(ConfigReader.read(yaml, Map.of()), parts);
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

    public String uri() {
        return runtime.connectionString();
    }

    public RawClient rawClient() {
        return RawClient.connect(runtime.address());
    }

    /** A Java driver client with one connection, so that consecutive commands share it. */
    public MongoClient driver() {
        return MongoClients.create(uri() + "?maxPoolSize=1&serverSelectionTimeoutMS=5000&appName=tests");
    }

    @Override
    public void close() {
        runtime.close();
        for (AutoCloseable closeable : behind) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
