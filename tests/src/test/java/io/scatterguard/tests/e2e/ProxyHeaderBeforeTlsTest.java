package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.SslProvider;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.tls.TlsOptions;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyHeaderPort;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.TestPki;
import io.scatterguard.tests.support.TlsTunnel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A {@code loadBalancerPort} that speaks TLS: the header is outside, TLS inside, for clients and for the check at the start. */
@ExtendWith(BlockHoundExtension.class)
class ProxyHeaderBeforeTlsTest {
    @TempDir
    private Path folder;

    private ScriptedMongos mongos;
    private TestPki pki;
    private TlsTunnel tunnel;
    private ProxyHeaderPort port;
    private String catalogUri;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
        pki = new TestPki(folder, "servers");
        tunnel = TlsTunnel.to(mongos.port(), pki.context(pki.server()));
        port = ProxyHeaderPort.inFrontOf(tunnel.port());
        catalogUri = mongos.uri();
    }

    @AfterEach
    void stop() {
        port.close();
        tunnel.close();
        mongos.close();
    }

    private ProxyRuntime proxy(String upstream, String server, SslProvider provider)
            throws IOException, InterruptedException {
        String yaml = """
                listeners:
                  - bind: 127.0.0.1:0
                    upstream: { hosts: ["%s"] }
                    tls: { certificate: "%s" }
                server: { %s }
                catalog: { uri: "%s" }
                audit: { sinks: [] }
                limits: { shutdownGrace: 10s, connectTimeout: 5s }
                """.formatted(upstream, pki.combinedFile("listener.pem", pki.server()), server, catalogUri);
        RuntimeParts parts = RuntimeParts.standard().withTls(new TlsOptions(provider, Duration.ofSeconds(5)));
        return ProxyRuntime.start(ConfigReader.read(yaml, Map.of()), parts);
    }

    private String trusting(TestPki authority, String version) {
        return "proxyProtocol: " + version + ", tls: { ca: " + authority.caFile() + " }";
    }

    @ParameterizedTest
    @CsvSource({"v1, JDK, true", "v1, OPENSSL, false", "v2, JDK, false", "v2, OPENSSL, true"})
    void theHeaderComesBeforeTls(String version, SslProvider provider, boolean catalogByTls) throws Exception {
        if (catalogByTls) {
            catalogUri = "mongodb://localhost:" + tunnel.port() + "/?tls=true";
        }
        try (ProxyRuntime proxy = proxy(port.address(), trusting(pki, version), provider);
                RawClient client = RawClient.connect(proxy.address(), pki.context(null))) {
            assertThat(port.next().addresses())
                    .as("the check speaks for nobody")
                    .isEqualTo("none");
            assertThat(mongos.requests("buildInfo"))
                    .as("the check comes by TLS")
                    .isNotEmpty();
            assertThat(proxy.catalog().status().refreshes())
                    .as("the metadata are read as catalog.uri says, by the CAs of server.tls")
                    .isPositive();
            assertThat(client.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
            assertThat(port.nextOfAClient().addresses())
                    .isEqualTo("127.0.0.1:" + client.localPort() + " 127.0.0.1:"
                            + proxy.address().getPort());
        }
        assertThat(port.refusals()).isEmpty();
    }

    /** It says what TLS lacks, not that the port is the wrong one: that would send somebody to look for another. */
    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aCertificateThatIsNotTrustedIsNamedAtTheStart(SslProvider provider) {
        TestPki other = new TestPki(folder, "other");
        assertThatThrownBy(() -> proxy(port.address(), trusting(other, "v2"), provider))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("server.proxyProtocol: " + port.address() + ": no TLS after a PROXY header: ")
                .hasMessageContaining("certification path")
                .hasMessageContaining("server.tls")
                .hasMessageNotContaining("not the loadBalancerPort");
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aServerThatDemandsACertificateIsNamedAtTheStart(SslProvider provider) {
        tunnel.now(pki.context(pki.server()), true);
        assertThatThrownBy(() -> proxy(port.address(), trusting(pki, "v2"), provider))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(port.address())
                .hasMessageContaining("loadBalancerPort")
                .hasMessageNotContaining("Exception");
    }

    /** It takes a ClientHello for the beginning of a long message, and waits for the rest. */
    @Test
    void aPortWithoutTlsIsNamedAtTheStart() {
        try (ProxyHeaderPort plain = ProxyHeaderPort.inFrontOf(mongos)) {
            assertThatThrownBy(() -> proxy(plain.address(), trusting(pki, "v2"), SslProvider.JDK))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(plain.address() + ": not the loadBalancerPort of a mongos: no answer within")
                    .hasMessageContaining("no server.tls where it speaks none");
        }
    }

    /** A connection that is closed at once is what an ordinary port makes of the header. */
    @Test
    void anEndDuringTheHandshakeIsNamedAtTheStart() throws Exception {
        try (ServerSocket ordinary = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> {
                try (Socket socket = ordinary.accept()) {
                    socket.getInputStream().readNBytes(16);
                } catch (IOException e) {
                    // The test has ended.
                }
            });
            closing.setDaemon(true);
            closing.start();
            String address = "127.0.0.1:" + ordinary.getLocalPort();
            assertThatThrownBy(() -> proxy(address, trusting(pki, "v2"), SslProvider.JDK))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining("loadBalancerPort")
                    .hasMessageNotContaining("Exception");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void aPortThatAsksForTlsIsNamedAtTheStart(String version) {
        assertThatThrownBy(() -> proxy(port.address(), "proxyProtocol: " + version, SslProvider.JDK))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(port.address())
                .hasMessageContaining("server.tls where it asks for TLS");
    }
}
