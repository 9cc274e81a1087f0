package io.scatterguard.tests.support;

import com.mongodb.client.MongoClient;
import io.netty.pkitesting.X509Bundle;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.tests.support.TlsProxy.Setup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** A scripted mongos that shows the shop's catalog behind a proxy in enforce mode, with TLS on both sides or on none. */
public final class Deployment implements AutoCloseable {
    private final ScriptedMongos mongos;
    private final Optional<Encryption> encryption;
    private final TlsProxy proxy;

    /** Where TLS is. */
    public enum Tls {
        OFF,
        ON
    }

    /** What only a deployment with TLS has. */
    private record Encryption(TlsTunnel tunnel, Path caFile, SSLContext client) {}

    private Deployment(ScriptedMongos mongos, Optional<Encryption> encryption, TlsProxy proxy) {
        this.mongos = mongos;
        this.encryption = encryption;
        this.proxy = proxy;
    }

    /** In front of {@code mongos}, which is closed with this; certificates go into {@code folder}. */
    public static Deployment of(Tls tls, ScriptedMongos mongos, Path folder) {
        mongos.withCatalog(CatalogDocuments.shop());
        return tls == Tls.ON ? encrypted(mongos, new TestPki(folder, "deployment")) : plain(mongos);
    }

    private static Deployment plain(ScriptedMongos mongos) {
        return new Deployment(mongos, Optional.empty(), TlsProxy.start(Setup.inFrontOf(mongos.address())));
    }

    private static Deployment encrypted(ScriptedMongos mongos, TestPki pki) {
        X509Bundle server = pki.server();
        TlsTunnel tunnel = TlsTunnel.to(mongos.port(), pki.context(server));
        TlsProxy proxy = TlsProxy.start(Setup.inFrontOf("localhost:" + tunnel.port())
                .listener(pki.combinedFile("server.pem", server))
                .server("ca: " + pki.caFile()));
        return new Deployment(mongos, Optional.of(new Encryption(tunnel, pki.caFile(), pki.context(null))), proxy);
    }

    public ScriptedMongos mongos() {
        return mongos;
    }

    public ProxyRuntime runtime() {
        return proxy.runtime();
    }

    /** A connection string with these {@code options}, for a program that reads the authority's file itself. */
    public String uri(String options) {
        return proxy.uri(options
                + encryption.map(tls -> "&tls=true&tlsCAFile=" + tls.caFile()).orElse(""));
    }

    /** What a client within this JVM trusts; null where there is no TLS. */
    public SSLContext context() {
        return encryption.map(Encryption::client).orElse(null);
    }

    public RawClient rawClient() {
        try {
            return encryption.isPresent()
                    ? proxy.rawClient(context())
                    : RawClient.connect(runtime().address());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A Java driver client with one connection. */
    public MongoClient driver() {
        return proxy.driver(context());
    }

    /** How many connections reached the server by TLS. */
    public int encryptedConnections() {
        return encryption.map(tls -> tls.tunnel().clients().size()).orElse(0);
    }

    @Override
    public void close() {
        proxy.close();
        encryption.ifPresent(tls -> tls.tunnel().close());
        mongos.close();
    }
}
