package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.X509Bundle;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.tls.TlsOptions;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.TestPki;
import io.scatterguard.tests.support.TlsProxy;
import io.scatterguard.tests.support.TlsProxy.Setup;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that come by TLS, and those that should have. */
@ExtendWith(BlockHoundExtension.class)
class TlsListenerTest {
    @TempDir
    private Path folder;

    private ScriptedMongos mongos;
    private TestPki pki;
    private X509Bundle server;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
        pki = new TestPki(folder, "one");
        server = pki.server();
    }

    @AfterEach
    void stop() {
        mongos.close();
    }

    private Setup setup() {
        return Setup.inFrontOf(mongos.address()).listener(pki.combinedFile("server.pem", server));
    }

    private static Setup with(Setup setup, SslProvider provider) {
        return setup.parts(RuntimeParts.standard().withTls(new TlsOptions(provider, Duration.ofMillis(50))));
    }

    private static void assertPasses(RawClient client) {
        assertThat(client.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
    }

    @Test
    void openSslIsThereWhereTheTestsRunOnLinux() {
        assertThat(OpenSsl.isAvailable())
                .as("%s", OpenSsl.unavailabilityCause())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aClientPassesAndIsToldOfTheEnd(SslProvider provider) throws IOException {
        TlsProxy proxy = TlsProxy.start(with(setup(), provider));
        try (RawClient client = proxy.rawClient(pki.context(null))) {
            assertPasses(client);
            assertThat(client.tlsSession().getProtocol()).isEqualTo("TLSv1.3");
            proxy.close();
            client.expectClosed(); // The JVM raises an error where close_notify is missing.
        } finally {
            proxy.close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aClientWithoutItsCertificateIsTurnedDownOnlyWhereOneIsRequired(SslProvider provider) throws IOException {
        String section = "certificate: " + pki.combinedFile("server.pem", server) + ", clientCa: " + pki.caFile();
        SSLContext known = pki.context(pki.client("app"));
        SSLContext none = pki.context(null);
        X509Bundle stranger = new TestPki(folder, "other").client("stranger");
        SSLContext foreign = pki.context(stranger);
        try (TlsProxy proxy = TlsProxy.start(with(setup().listener(section), provider))) {
            try (RawClient client = proxy.rawClient(known)) {
                assertPasses(client);
            }
            assertTurnedDown(proxy, none);
            proxy.awaitClosed(CloseCause.TLS_HANDSHAKE_FAILED, 1);
            assertTurnedDown(proxy, foreign);
            proxy.awaitClosed(CloseCause.TLS_HANDSHAKE_FAILED, 2);
        }
        try (TlsProxy proxy =
                TlsProxy.start(with(setup().listener(section + ", clientCertificates: optional"), provider))) {
            for (SSLContext context : List.of(known, none)) {
                try (RawClient client = proxy.rawClient(context)) {
                    assertPasses(client);
                }
            }
            assertTurnedDown(proxy, foreign);
            proxy.awaitClosed(CloseCause.TLS_HANDSHAKE_FAILED, 1);
        }
        assertThat(mongos.requests("ping")).as("nothing of those turned down").hasSize(3);
    }

    /** In TLS 1.3 a client learns at its first read that its certificate was not good enough. */
    private static void assertTurnedDown(TlsProxy proxy, SSLContext context) {
        assertThatThrownBy(() -> {
                    try (RawClient client = proxy.rawClient(context)) {
                        client.adminCommand("ping");
                    }
                })
                .isInstanceOfAny(IOException.class, AssertionError.class, java.io.UncheckedIOException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void theOldestVersionIsTheConfiguredOne(SslProvider provider) throws IOException {
        Path certificate = pki.combinedFile("server.pem", server);
        try (TlsProxy proxy = TlsProxy.start(with(setup(), provider));
                SSLSocket socket = handshake(proxy, "TLSv1.2")) {
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
        }
        try (TlsProxy proxy = TlsProxy.start(
                with(setup().listener("certificate: " + certificate + ", minVersion: TLS1.3"), provider))) {
            assertThatThrownBy(() -> handshake(proxy, "TLSv1.2")).isInstanceOf(SSLException.class);
            proxy.awaitClosed(CloseCause.TLS_HANDSHAKE_FAILED, 1);
            handshake(proxy, "TLSv1.3").close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void onlyTheConfiguredCiphersAreSpokenAndThoseOfTls13(SslProvider provider) throws IOException {
        String cipher = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
        String section = "certificate: " + pki.combinedFile("server.pem", server) + ", ciphers: " + cipher;
        try (TlsProxy proxy = TlsProxy.start(with(setup().listener(section), provider));
                SSLSocket old = handshake(proxy, "TLSv1.2");
                SSLSocket current = handshake(proxy, "TLSv1.3")) {
            assertThat(old.getSession().getCipherSuite()).isEqualTo(cipher);
            assertThat(current.getSession().getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    private SSLSocket handshake(TlsProxy proxy, String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) pki.context(null)
                .getSocketFactory()
                .createSocket(
                        proxy.runtime().address().getAddress(),
                        proxy.runtime().address().getPort());
        socket.setEnabledProtocols(new String[] {protocol});
        try {
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aClientThatSpeaksPlainlyIsClosedAtOnceWithACauseOfItsOwn(SslProvider provider) {
        try (TlsProxy proxy = TlsProxy.start(with(setup(), provider));
                RawClient client = RawClient.connect(proxy.runtime().address())) {
            client.send(client.query(org.bson.BsonDocument.parse("{hello: 1}")));
            proxy.awaitClosed(CloseCause.PLAINTEXT_ON_TLS_PORT, 1);
            assertThat(mongos.requests("hello")).noneMatch(hello -> hello.body().getString("appName", null) != null);
        }
    }

    @Test
    void aClientThatSpeaksTlsToAPlainPortIsClosedAtOnceWithACauseOfItsOwn() throws IOException {
        try (TlsProxy proxy = TlsProxy.start(Setup.inFrontOf(mongos.address()))) {
            assertThatThrownBy(() -> proxy.rawClient(pki.context(null)).close()).isInstanceOf(IOException.class);
            proxy.awaitClosed(CloseCause.TLS_ON_PLAINTEXT_PORT, 1);
            try (RawClient plain = RawClient.connect(proxy.runtime().address())) {
                assertPasses(plain);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aHandshakeThatStallsIsClosedAndOneAfterItPasses(SslProvider provider) throws IOException {
        Setup bounded = setup().limits(", tlsHandshakeTimeout: 200ms, maxTlsHandshakes: 1");
        try (TlsProxy proxy = TlsProxy.start(with(bounded, provider));
                Socket stalled = new Socket(
                        proxy.runtime().address().getAddress(),
                        proxy.runtime().address().getPort())) {
            stalled.getOutputStream().write(new byte[] {22, 3, 1, 1, 0, 1});
            try (RawClient waited = proxy.rawClient(pki.context(null))) {
                assertPasses(waited);
            }
            proxy.awaitClosed(CloseCause.TLS_HANDSHAKE_TIMEOUT, 1);
            Awaitility.await().until(() -> stalled.getInputStream().read() < 0);
        }
    }

    @Test
    void aSilentConnectionTakesNoPlaceAmongTheHandshakes() throws IOException {
        Setup one = setup().limits(", maxTlsHandshakes: 1");
        try (TlsProxy proxy = TlsProxy.start(one);
                Socket silent = new Socket(
                        proxy.runtime().address().getAddress(),
                        proxy.runtime().address().getPort());
                RawClient client = proxy.rawClient(pki.context(null))) {
            assertPasses(client);
            assertThat(silent.isConnected()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void twoHundredAtOnceAllPassThroughFewPlaces(SslProvider provider) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(200);
        try (TlsProxy proxy = TlsProxy.start(with(setup().limits(", maxTlsHandshakes: 8"), provider))) {
            SSLContext context = pki.context(null);
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                clients.add(threads.submit(() -> {
                    try (RawClient client = proxy.rawClient(context)) {
                        assertPasses(client);
                    }
                    return null;
                }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
            proxy.awaitClosed(CloseCause.CLIENT_CLOSED, 200);
            assertThat(proxy.runtime().counters().openConnections()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void changedFilesAreShownToNewConnectionsAndOldOnesLiveOn() throws IOException {
        Path file = pki.combinedFile("server.pem", server);
        try (TlsProxy proxy = TlsProxy.start(with(setup(), TlsOptions.standard().provider()));
                RawClient old = proxy.rawClient(pki.context(null))) {
            assertPasses(old);
            assertThat(shown(old)).isEqualTo(server.getCertificate());

            X509Bundle renewed = pki.server();
            pki.combinedFile("server.pem", renewed);
            awaitShown(proxy, renewed);
            assertPasses(old);

            Files.writeString(file, "-----BEGIN CERTIFICATE-----\nAAAA");
            Files.writeString(folder.resolve("half"), server.getCertificatePEM());
            Files.move(folder.resolve("half"), file, StandardCopyOption.REPLACE_EXISTING);
            try (RawClient client = proxy.rawClient(pki.context(null))) {
                assertThat(shown(client))
                        .as("a file without a key changes nothing")
                        .isEqualTo(renewed.getCertificate());
            }
            X509Bundle third = pki.server();
            pki.combinedFile("server.pem", third);
            awaitShown(proxy, third);
            assertPasses(old);
        }
    }

    /** As Kubernetes does it: the file is a link into a folder that a link names, and that link is swapped. */
    @Test
    void aSwappedLinkIsAChangeToo() throws IOException {
        X509Bundle renewed = pki.server();
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        Files.copy(pki.combinedFile("a.pem", server), first.resolve("tls.pem"));
        Files.copy(pki.combinedFile("b.pem", renewed), second.resolve("tls.pem"));
        Path data = Files.createSymbolicLink(folder.resolve("data"), first);
        Path file = Files.createSymbolicLink(folder.resolve("tls.pem"), data.resolve("tls.pem"));
        try (TlsProxy proxy = TlsProxy.start(
                with(setup().listener(file), TlsOptions.standard().provider()))) {
            try (RawClient client = proxy.rawClient(pki.context(null))) {
                assertThat(shown(client)).isEqualTo(server.getCertificate());
            }
            Path swap = Files.createSymbolicLink(folder.resolve("swap"), second);
            Files.move(swap, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            awaitShown(proxy, renewed);
        }
    }

    private void awaitShown(TlsProxy proxy, X509Bundle expected) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            try (RawClient client = proxy.rawClient(pki.context(null))) {
                assertThat(shown(client)).isEqualTo(expected.getCertificate());
            }
        });
    }

    private static X509Certificate shown(RawClient client) throws IOException {
        return (X509Certificate) client.tlsSession().getPeerCertificates()[0];
    }
}
