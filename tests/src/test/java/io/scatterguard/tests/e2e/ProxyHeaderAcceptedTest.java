package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.ProxyRuntime;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.AuditRecords;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.HaProxy;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listener behind a load balancer that says who its clients are. */
@ExtendWith(BlockHoundExtension.class)
class ProxyHeaderAcceptedTest {
    private static final String LISTED = "from: 127.0.0.0/8";
    private static final BsonDocument COUNT = BsonDocument.parse("{count: 'settings', $db: 'shop'}");
    private static final byte[] HEADER =
            "PROXY TCP4 203.0.113.7 10.0.0.5 51234 27017\r\n".getBytes(StandardCharsets.US_ASCII);
    /** The same with a TLV. */
    private static final byte[] HEADER_V2 =
            HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111000fcb0071070a000005c8226989040000");

    private final AuditRecords audit = new AuditRecords();
    private ScriptedMongos mongos;
    private ScriptedMongos second;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().always("count", Reply.json("{ok: 1.0, n: 1}"));
        second = ScriptedMongos.start().always("count", Reply.json("{ok: 1.0, n: 2}"));
    }

    @AfterEach
    void stop() {
        mongos.close();
        second.close();
    }

    private ProxyRuntime proxy(String headers, String limits) throws Exception {
        String yaml = """
                listeners:
                  - bind: 127.0.0.1:0
                    upstream: { hosts: ["%s", "%s"] }
                    proxyProtocol: { %s }
                catalog: { uri: "%s" }
                audit: { sinks: [], record: all }
                limits: { shutdownGrace: 10s%s }
                """.formatted(mongos.address(), second.address(), headers, mongos.uri(), limits);
        return ProxyRuntime.start(
                ConfigReader.read(yaml, Map.of()), RuntimeParts.standard().withSink(audit));
    }

    private static RawClient client(ProxyRuntime proxy) {
        return RawClient.connect(proxy.address());
    }

    private String auditedAddress() {
        BsonDocument record = audit.next();
        while (!record.getString("command").getValue().equals("count")) {
            record = audit.next();
        }
        return record.getDocument("client").getString("address").getValue();
    }

    @Test
    void theHeadersAddressIsTheClients() throws Exception {
        for (byte[] header : new byte[][] {HEADER, HEADER_V2}) {
            try (ProxyRuntime proxy = proxy(LISTED, "");
                    RawClient client = client(proxy)) {
                client.sendBytes(header);
                assertThat(client.command(COUNT).getNumber("ok").intValue()).isEqualTo(1);
                assertThat(auditedAddress()).isEqualTo("203.0.113.7:51234");
            }
        }
    }

    @Test
    void aHeaderAndTheFirstRequestsMayComeInOneSegment() throws Exception {
        try (ProxyRuntime proxy = proxy(LISTED, "");
                RawClient client = client(proxy)) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(HEADER_V2);
            all.writeBytes(client.msg(COUNT).encode());
            all.writeBytes(client.msg(COUNT).encode());
            client.sendBytes(all.toByteArray());
            assertThat(client.receive().responseTo()).isEqualTo(1);
            assertThat(client.receive().responseTo()).isEqualTo(2);
        }
    }

    /** Both come from the same peer, so the peer's address would send them to the same server. */
    @Test
    void theServerIsChosenByTheHeadersAddress() throws Exception {
        try (ProxyRuntime proxy = proxy(LISTED, "");
                RawClient seven = client(proxy);
                RawClient eight = client(proxy)) {
            seven.sendBytes(HEADER);
            eight.sendBytes("PROXY TCP4 203.0.113.8 10.0.0.5 51234 27017\r\n".getBytes(StandardCharsets.US_ASCII));
            int first = seven.command(COUNT).getNumber("n").intValue();
            int other = eight.command(COUNT).getNumber("n").intValue();
            assertThat(first + other).isEqualTo(3);
        }
    }

    @Test
    void aHeaderFromAPeerThatIsNotListedIsNeverBelieved() throws Exception {
        try (ProxyRuntime proxy = proxy("from: 192.0.2.0/24", "");
                RawClient liar = client(proxy);
                RawClient direct = client(proxy)) {
            liar.sendBytes(HEADER);
            liar.expectClosed();
            assertThat(proxy.counters().closes(CloseCause.PROXY_HEADER_UNTRUSTED))
                    .isEqualTo(1);
            assertThat(direct.command(COUNT).getNumber("ok").intValue()).isEqualTo(1);
            assertThat(auditedAddress()).isEqualTo("127.0.0.1:" + direct.localPort());
            assertThat(proxy.counters().openConnections()).isEqualTo(1);
        }
    }

    @Test
    void aListedPeerWithoutAHeaderIsClosedUnlessItMayGoWithout() throws Exception {
        try (ProxyRuntime proxy = proxy(LISTED, "");
                RawClient client = client(proxy)) {
            client.send(client.msg(COUNT));
            client.expectClosed();
            assertThat(proxy.counters().closes(CloseCause.PROXY_HEADER_MISSING)).isEqualTo(1);
        }
        try (ProxyRuntime proxy = proxy(LISTED + ", required: false", "");
                RawClient client = client(proxy)) {
            assertThat(client.command(COUNT).getNumber("ok").intValue()).isEqualTo(1);
            assertThat(auditedAddress()).isEqualTo("127.0.0.1:" + client.localPort());
        }
    }

    @Test
    void aHeaderThatDoesNotEndIsClosedInTimeAndGarbageAtOnce() throws Exception {
        try (ProxyRuntime proxy = proxy(LISTED, ", firstByteTimeout: 300ms");
                RawClient slow = client(proxy);
                RawClient garbage = client(proxy)) {
            slow.sendBytes(new byte[] {'P', 'R', 'O'});
            garbage.sendBytes("PROXY TCP4 nobody knows\r\n".getBytes(StandardCharsets.US_ASCII));
            garbage.expectClosed();
            slow.expectClosed();
            assertThat(proxy.counters().closes(CloseCause.PROXY_HEADER_MALFORMED))
                    .isEqualTo(1);
            assertThat(proxy.counters().closes(CloseCause.FIRST_BYTE_TIMEOUT)).isEqualTo(1);
            assertThat(proxy.counters().openConnections()).isZero();
        }
    }

    @Test
    void aStopClosesAConnectionThatHasNotSaidWhoItIs() throws Exception {
        ProxyRuntime proxy = proxy(LISTED, "");
        try (RawClient silent = client(proxy)) {
            Awaitility.await().until(() -> proxy.counters().openConnections() == 1);
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(proxy::close);
            silent.expectClosed();
            stopped.join();
            assertThat(proxy.counters().closes(CloseCause.SHUTDOWN)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-proxy", "send-proxy-v2", "send-proxy-v2-ssl-cn"})
    void aDriverThroughHaProxyIsWhoHaProxySays(String version) throws Exception {
        HaProxy.assumeAvailable();
        try (ProxyRuntime proxy = proxy(LISTED, "");
                HaProxy balancer = HaProxy.start(
                        proxy.address().getPort(), "", "tcp-request connection set-src str(203.0.113.9)", version);
                MongoClient client = MongoClients.create("mongodb://127.0.0.1:" + balancer.port())) {
            client.getDatabase("shop").runCommand(new Document("count", "settings"));
            assertThat(auditedAddress()).startsWith("203.0.113.9:");
        }
    }

    @Test
    void aClientThroughHaProxyKeepsItsPort() throws Exception {
        HaProxy.assumeAvailable();
        try (ProxyRuntime proxy = proxy(LISTED, "");
                HaProxy balancer = HaProxy.start(proxy.address().getPort(), "", "", "send-proxy-v2");
                RawClient client = RawClient.connect(balancer.port())) {
            client.command(COUNT);
            assertThat(auditedAddress()).isEqualTo("127.0.0.1:" + client.localPort());
        }
    }

    /** A plain check connects and goes; the other sends a header that speaks for nobody, and goes. */
    @ParameterizedTest
    @ValueSource(strings = {"send-proxy-v2 check inter 100ms", "send-proxy-v2 check check-send-proxy inter 100ms"})
    void healthChecksComeAndGoWithoutAnError(String checks) throws Exception {
        HaProxy.assumeAvailable();
        try (ProxyRuntime proxy = proxy(LISTED, "");
                HaProxy balancer = HaProxy.start(proxy.address().getPort(), "", "", checks);
                RawClient client = RawClient.connect(balancer.port())) {
            Awaitility.await().until(() -> proxy.counters().acceptedConnections() >= 3);
            client.command(COUNT);
            Awaitility.await().until(() -> proxy.counters().openConnections() == 1);
            assertThat(proxy.counters().closes(CloseCause.CLIENT_CLOSED)
                            + proxy.counters().closes(CloseCause.CLIENT_FAILED))
                    .isPositive();
            assertThat(proxy.counters().closes(CloseCause.PROXY_HEADER_MALFORMED)
                            + proxy.counters().closes(CloseCause.PROXY_HEADER_MISSING)
                            + proxy.counters().closes(CloseCause.INTERNAL_ERROR))
                    .isZero();
        }
    }
}
