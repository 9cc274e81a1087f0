package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CatalogDocuments;
import io.scatterguard.tests.support.HaProxy;
import io.scatterguard.tests.support.ProxyHeaderPort;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to a mongos' {@code loadBalancerPort}. */
@ExtendWith(BlockHoundExtension.class)
class ProxyHeaderSentTest {
    private static final BsonDocument COUNT = BsonDocument.parse("{count: 'settings', $db: 'shop'}");

    private ScriptedMongos mongos;
    private ProxyHeaderPort port;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().always("count", Reply.json("{ok: 1.0, n: 1}"));
        port = ProxyHeaderPort.inFrontOf(mongos);
    }

    @AfterEach
    void stop() {
        port.close();
        mongos.close();
    }

    private ProxyRuntime proxy(String version, String upstream) throws Exception {
        String yaml = """
                listeners:
                  - bind: 127.0.0.1:0
                    upstream: { hosts: ["%s"] }
                    proxyProtocol: { from: 127.0.0.1, required: false }
                server: { proxyProtocol: %s }
                catalog: { uri: "%s" }
                audit: { sinks: [] }
                limits: { shutdownGrace: 10s, connectTimeout: 2s }
                """.formatted(upstream, version, mongos.uri());
        return ProxyRuntime.start(ConfigReader.read(yaml, Map.of()), RuntimeParts.standard());
    }

    @ParameterizedTest
    @CsvSource({"v1, 1", "v2, 2"})
    void everyConnectionBeginsWithTheClientsAddress(String version, int number) throws Exception {
        try (ProxyRuntime proxy = proxy(version, port.address());
                RawClient client = RawClient.connect(proxy.address())) {
            // Several at once, which wait for the connection: none of them may overtake the header.
            client.send(client.msg(COUNT), client.msg(COUNT), client.msg(COUNT));
            assertThat(client.receive().responseTo()).isEqualTo(1);
            assertThat(port.nextOfAClient())
                    .isEqualTo(new ProxyHeaderPort.Header(
                            number,
                            "127.0.0.1:" + client.localPort() + " 127.0.0.1:"
                                    + proxy.address().getPort()));
        }
        assertThat(port.refusals()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "v1, TCP4 203.0.113.7 10.0.0.5 51234 27017, 203.0.113.7:51234 10.0.0.5:27017",
        "v2, TCP4 203.0.113.7 10.0.0.5 51234 27017, 203.0.113.7:51234 10.0.0.5:27017",
        "v1, TCP6 2001:db8::7 2001:db8::5 51234 27017, 2001:db8:0:0:0:0:0:7:51234 2001:db8:0:0:0:0:0:5:27017",
        "v2, TCP6 2001:db8::7 2001:db8::5 51234 27017, 2001:db8:0:0:0:0:0:7:51234 2001:db8:0:0:0:0:0:5:27017",
        "v2, TCP6 ::ffff:203.0.113.7 ::ffff:10.0.0.5 51234 27017, 203.0.113.7:51234 10.0.0.5:27017",
    })
    void whatALoadBalancerSaidIsPassedOn(String version, String came, String passedOn) throws Exception {
        try (ProxyRuntime proxy = proxy(version, port.address());
                RawClient client = RawClient.connect(proxy.address())) {
            client.sendBytes(("PROXY " + came + "\r\n").getBytes(StandardCharsets.US_ASCII));
            client.command(COUNT);
            assertThat(port.nextOfAClient().addresses()).isEqualTo(passedOn);
        }
        assertThat(port.refusals()).isEmpty();
    }

    /** HAProxy reads our header and writes its own from it. */
    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void haProxyUnderstandsTheHeader(String version) throws Exception {
        HaProxy.assumeAvailable();
        try (HaProxy behind = HaProxy.start(port.port(), "accept-proxy", "", "send-proxy");
                ProxyRuntime proxy = proxy(version, "127.0.0.1:" + behind.port());
                RawClient client = RawClient.connect(proxy.address())) {
            client.sendBytes("PROXY TCP4 203.0.113.7 10.0.0.5 51234 27017\r\n".getBytes(StandardCharsets.US_ASCII));
            client.command(COUNT);
            assertThat(port.next().addresses())
                    .as("the probe speaks for nobody, so HAProxy names it by its address")
                    .startsWith("127.0.0.1:");
            assertThat(port.next()).isEqualTo(new ProxyHeaderPort.Header(1, "203.0.113.7:51234 10.0.0.5:27017"));
        }
    }

    @Test
    void aDriverNoticesNothing() throws Exception {
        try (ProxyRuntime proxy = proxy("v2", port.address());
                MongoClient client = MongoClients.create(proxy.connectionString())) {
            assertThat(client.getDatabase("shop").runCommand(new Document("count", "settings")))
                    .containsEntry("n", 1);
        }
    }

    @Test
    void aReleaseThatServesOnlyLoadBalancedClientsIsNamedAtTheStart() {
        mongos.always(
                "hello",
                Reply.error(
                        354,
                        "LoadBalancerSupportMismatch",
                        "The server is being accessed through a load balancer, but this driver does not have load"
                                + " balancing enabled"));
        assertThatThrownBy(() -> proxy("v2", port.address()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "server.proxyProtocol: " + port.address() + ": release 6.0.19 serves only clients")
                .hasMessageContaining("7.0.22, 8.0.10, 8.1");
        assertThat(port.next().addresses())
                .as("the probe speaks for nobody else")
                .isEqualTo("none");
    }

    /** An ordinary port takes the header's first bytes for a length beyond its limit, and closes. */
    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void anOrdinaryPortIsNamedAtTheStart(String version) throws Exception {
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
            assertThatThrownBy(() -> proxy(version, address))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(address + ": not the loadBalancerPort of a mongos")
                    .hasMessageContaining("7.0.22, 8.0.10, 8.1")
                    .hasMessageContaining("upstream.hosts");
        }
    }

    @Test
    void aPortThatNeverAnswersIsGivenUpInTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> proxy("v2", "127.0.0.1:" + silent.getLocalPort()))
                    .hasMessageContaining("no answer within 2000 ms");
        }
    }

    @Test
    void aServerThatIsDownKeepsNobodyFromStarting() throws Exception {
        int gone;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            gone = socket.getLocalPort();
        }
        try (ProxyRuntime proxy = proxy("v2", "127.0.0.1:" + gone)) {
            assertThat(proxy.address().getPort()).isPositive();
        }
    }

    @Test
    void aServerOfAnotherClusterIsNamedAtTheStart() throws Exception {
        try (ScriptedMongos other = ScriptedMongos.start();
                ProxyHeaderPort otherPort = ProxyHeaderPort.inFrontOf(other)) {
            mongos.withCatalog(cluster("64b000000000000000000001"));
            other.withCatalog(cluster("64b000000000000000000002"));
            assertThatThrownBy(() -> proxy("v2", otherPort.address()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(otherPort.address())
                    .hasMessageContaining("64b000000000000000000001")
                    .hasMessageContaining("64b000000000000000000002");
        }
    }

    private static CatalogDocuments cluster(String clusterId) {
        BsonDocument version = new BsonDocument("_id", new BsonInt32(1))
                .append("clusterId", new BsonObjectId(new ObjectId(clusterId)));
        return new CatalogDocuments(List.of(), List.of(), List.of(), List.of(), List.of(version));
    }
}
