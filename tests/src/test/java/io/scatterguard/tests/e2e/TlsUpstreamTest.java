package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.scatterguard.tests.support.TlsTunnel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that are reached by TLS, and those that cannot be. */
@ExtendWith(BlockHoundExtension.class)
class TlsUpstreamTest {
    @TempDir
    private Path folder;

    private ScriptedMongos mongos;
    private TestPki pki;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
        pki = new TestPki(folder, "servers");
    }

    @AfterEach
    void stop() {
        mongos.close();
    }

    private static Setup with(Setup setup, SslProvider provider) {
        return setup.parts(RuntimeParts.standard().withTls(new TlsOptions(provider, Duration.ofMillis(50))));
    }

    private TlsTunnel tunnel() {
        return TlsTunnel.to(mongos.port(), pki.context(pki.server()));
    }

    private static Setup inFrontOf(TlsTunnel tunnel) {
        return Setup.inFrontOf("localhost:" + tunnel.port());
    }

    private String ca() {
        return "ca: " + pki.caFile();
    }

    private static void assertPasses(TlsProxy proxy) {
        try (RawClient client = RawClient.connect(proxy.runtime().address())) {
            assertThat(client.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
        }
    }

    /** A failure that is told apart from the server's being away. */
    private static void assertFails(TlsProxy proxy) {
        long before = proxy.runtime().counters().closes(CloseCause.SERVER_TLS_FAILED);
        try (RawClient client = RawClient.connect(proxy.runtime().address())) {
            client.send(client.query(org.bson.BsonDocument.parse("{hello: 1}")));
            client.expectClosed();
        }
        proxy.awaitClosed(CloseCause.SERVER_TLS_FAILED, before + 1);
    }

    @ParameterizedTest
    @CsvSource({"localhost, JDK", "localhost, OPENSSL", "127.0.0.1, JDK", "127.0.0.1, OPENSSL"})
    void aServerIsReachedByNameAndByAddress(String host, SslProvider provider) {
        try (TlsTunnel tunnel = tunnel();
                TlsProxy proxy = TlsProxy.start(
                        with(Setup.inFrontOf(host + ":" + tunnel.port()).server(ca()), provider))) {
            assertThat(proxy.runtime().catalog().status().refreshes())
                    .as("the metadata come by TLS too")
                    .isPositive();
            assertPasses(proxy);
            assertThat(tunnel.serverNames())
                    .as("SNI: never an address")
                    .isNotEmpty()
                    .doesNotContain("127.0.0.1");
            assertThat(mongos.requests("ping")).hasSize(1);
        }
    }

    /** An address in brackets is compared with the certificate's without them, by the data path and by the driver. */
    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aServerIsReachedByItsIpv6Address(SslProvider provider) throws IOException {
        InetAddress six = InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        Assumptions.assumeTrue(NetworkInterface.getByInetAddress(six) != null, "this machine has no ::1");
        try (TlsTunnel tunnel = TlsTunnel.to(mongos.port(), pki.context(pki.server()), six);
                TlsProxy proxy = TlsProxy.start(
                        with(Setup.inFrontOf("[::1]:" + tunnel.port()).server(ca()), provider))) {
            assertThat(proxy.runtime().catalog().status().refreshes()).isPositive();
            assertPasses(proxy);
            assertThat(tunnel.serverNames()).isNotEmpty().containsOnly("");
            tunnel.now(pki.context(pki.issue("CN=::1", b -> b.addSanIpAddress("::2"))), false);
            assertFails(proxy);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aServerWithACertificateForAnotherHostIsNotSpokenTo(SslProvider provider) {
        SSLContext other = pki.context(pki.issue("CN=localhost", b -> b.addSanDnsName("mongos.example.org")));
        try (TlsTunnel tunnel = tunnel();
                TlsProxy proxy = TlsProxy.start(with(inFrontOf(tunnel).server(ca()), provider))) {
            tunnel.now(other, false);
            assertFails(proxy);
            try (TlsProxy careless =
                    TlsProxy.start(with(inFrontOf(tunnel).server(ca() + ", hostnameCheck: false"), provider))) {
                assertThat(careless.runtime().catalog().status().refreshes()).isPositive();
                assertPasses(careless);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aServerOfAnotherAuthorityIsNotSpokenTo(SslProvider provider) {
        TestPki other = new TestPki(folder, "other");
        try (TlsTunnel tunnel = tunnel();
                TlsProxy proxy = TlsProxy.start(with(inFrontOf(tunnel).server(ca()), provider))) {
            tunnel.now(other.context(other.server()), false);
            assertFails(proxy);
            tunnel.now(pki.context(pki.server()), false);
            assertPasses(proxy);
        }
    }

    /** {@code system} is whom the JVM trusts, not everybody. */
    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aServerWhoseAuthorityTheJvmDoesNotKnowIsNotSpokenTo(SslProvider provider) {
        try (TlsTunnel tunnel = tunnel();
                TlsProxy proxy = TlsProxy.start(with(inFrontOf(tunnel).server("ca: system"), provider))) {
            assertFails(proxy);
            assertThat(proxy.runtime().catalog().status().refreshes())
                    .as("nor by the driver")
                    .isZero();
            assertThat(mongos.requests("hello")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aServerThatAsksForACertificateIsShownOurs(SslProvider provider) {
        X509Bundle ours = pki.client("proxy");
        String section = ca() + ", certificate: " + pki.certificateFile("proxy.pem", ours) + ", key: "
                + pki.keyFile("proxy.key", ours);
        try (TlsTunnel tunnel = tunnel();
                TlsProxy without = TlsProxy.start(with(inFrontOf(tunnel).server(ca()), provider))) {
            tunnel.now(pki.context(pki.server()), true);
            assertFails(without);
            try (TlsProxy proxy = TlsProxy.start(with(inFrontOf(tunnel).server(section), provider))) {
                assertThat(proxy.runtime().catalog().status().refreshes()).isPositive();
                assertPasses(proxy);
                assertThat(tunnel.clients())
                        .contains(
                                ours.getCertificate().getSubjectX500Principal().getName());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aServerThatIsTooOldIsNotSpokenTo(SslProvider provider) {
        try (TlsTunnel tunnel = tunnel();
                TlsProxy proxy = TlsProxy.start(with(inFrontOf(tunnel).server(ca()), provider));
                TlsProxy strict =
                        TlsProxy.start(with(inFrontOf(tunnel).server(ca() + ", minVersion: TLS1.3"), provider))) {
            assertPasses(strict);
            tunnel.now(pki.context(pki.server()), false, "TLSv1.2");
            assertPasses(proxy);
            assertFails(strict);
        }
    }

    @Test
    void aServerThatDoesNotAnswerTheHandshakeIsGivenUp() {
        try (TlsTunnel tunnel = tunnel();
                TlsProxy proxy = TlsProxy.start(inFrontOf(tunnel).server(ca()).limits(", tlsHandshakeTimeout: 1s"))) {
            tunnel.nowSilent();
            assertFails(proxy);
        }
    }

    @Test
    void whereOneServerDoesNotAnswerTheHandshakeTheNextIsTried() {
        try (TlsTunnel first = tunnel();
                TlsTunnel second = tunnel();
                TlsProxy proxy =
                        TlsProxy.start(Setup.inFrontOf("localhost:" + first.port() + "\", \"localhost:" + second.port())
                                .server(ca())
                                .limits(", tlsHandshakeTimeout: 300ms"))) {
            first.nowSilent();
            assertPasses(proxy);
            first.now(pki.context(pki.server()), false);
            second.nowSilent();
            assertPasses(proxy);
        }
    }

    @Test
    void changedFilesAreUsedForNewConnectionsAndForTheMetadata() throws IOException {
        TestPki next = new TestPki(folder, "next");
        Path ca = pki.caFile();
        try (TlsTunnel tunnel = tunnel();
                TlsProxy proxy = TlsProxy.start(with(
                        inFrontOf(tunnel).server(ca()), TlsOptions.standard().provider()));
                RawClient old = RawClient.connect(proxy.runtime().address())) {
            assertThat(old.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
            tunnel.now(next.context(next.server()), false);
            assertFails(proxy);
            Files.copy(next.caFile(), ca, StandardCopyOption.REPLACE_EXISTING);
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertPasses(proxy));
            assertThat(old.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
        }
    }
}
