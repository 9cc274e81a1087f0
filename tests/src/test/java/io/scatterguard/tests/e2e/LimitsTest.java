package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(BlockHoundExtension.class)
class LimitsTest {
    private ScriptedMongos mongos;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
    }

    @AfterEach
    void stop() {
        mongos.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 15, Integer.MAX_VALUE, 48_000_001})
    void aWrongLengthClosesTheConnectionAndNothingElse(int length) {
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient();
                RawClient other = proxy.rawClient()) {
            other.adminCommand("ping");
            client.sendBytes(header(length));
            client.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.CLIENT_PROTOCOL_ERROR))
                    .isEqualTo(1);
            assertThat(other.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
        }
    }

    @Test
    void theServersOwnMessageSizeIsTheLimitOnceItIsKnown() {
        mongos.helloField("maxMessageSizeBytes", new BsonInt32(2_000));
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            client.command(BsonDocument.parse("{hello: 1, $db: 'admin'}"));
            client.sendBytes(header(2_001));
            client.expectClosed();
        }
    }

    @Test
    void connectionsBeyondTheLimitAreClosedAtOnceAndCounted() {
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard(), ", maxConnections: 2");
                RawClient first = proxy.rawClient();
                RawClient second = proxy.rawClient()) {
            first.adminCommand("ping");
            second.adminCommand("ping");
            SessionCounters counters = proxy.runtime().counters();
            try (RawClient third = proxy.rawClient()) {
                third.expectClosed();
            }
            assertThat(counters.closes(CloseCause.TOO_MANY_CONNECTIONS)).isEqualTo(1);
            assertThat(counters.openConnections()).isEqualTo(2);
            assertThat(first.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatSaysNothingIsClosedAndOneThatSpokeIsNot() {
        try (ProxyUnderTest proxy =
                        ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard(), ", handshakeTimeout: 300ms");
                RawClient speaking = proxy.rawClient()) {
            speaking.adminCommand("ping");
            try (RawClient silent = proxy.rawClient()) {
                silent.expectClosed();
            }
            assertThat(proxy.runtime().counters().closes(CloseCause.HANDSHAKE_TIMEOUT))
                    .isEqualTo(1);
            assertThat(speaking.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatDoesNotFinishItsFirstRequestIsClosedToo() {
        try (ProxyUnderTest proxy =
                        ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard(), ", handshakeTimeout: 300ms");
                RawClient client = proxy.rawClient()) {
            client.sendBytes(header(1_000));
            client.sendBytes(new byte[100]);
            client.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.HANDSHAKE_TIMEOUT))
                    .isEqualTo(1);
        }
    }

    @Test
    void anAddressHasOnlySoManyConnections() {
        try (ProxyUnderTest proxy =
                        ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard(), ", maxConnectionsPerAddress: 2");
                RawClient first = proxy.rawClient();
                RawClient second = proxy.rawClient()) {
            first.adminCommand("ping");
            second.adminCommand("ping");
            SessionCounters counters = proxy.runtime().counters();
            try (RawClient third = proxy.rawClient()) {
                third.expectClosed();
            }
            assertThat(counters.closes(CloseCause.TOO_MANY_FROM_ADDRESS)).isEqualTo(1);
            first.hangUp();
            Awaitility.await().until(() -> counters.openConnections() == 1);
            try (RawClient fourth = proxy.rawClient()) {
                assertThat(fourth.adminCommand("ping").getNumber("ok").intValue())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void anAddressConnectsOnlySoOften() {
        List<RawClient> clients = new ArrayList<>();
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard(), ", connectionRate: 1")) {
            SessionCounters counters = proxy.runtime().counters();
            for (int i = 0; i < 10; i++) {
                clients.add(proxy.rawClient());
                clients.get(i).adminCommand("ping");
            }
            // However slow this machine is, this many come faster than one a second.
            for (int i = 0; i < 1_000 && counters.closes(CloseCause.CONNECTION_RATE) == 0; i++) {
                clients.add(proxy.rawClient());
            }
            Awaitility.await().until(() -> counters.closes(CloseCause.CONNECTION_RATE) > 0);
            assertThat(clients.get(0).adminCommand("ping").getNumber("ok").intValue())
                    .isEqualTo(1);
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void anIdleConnectionIsClosedAndOneWhoseCommandRunsIsNot() {
        CountDownLatch latch = new CountDownLatch(1);
        mongos.always("count", Reply.json("{ok: 1.0, n: 42}").after(latch));
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard(), ", idleTimeout: 500ms");
                RawClient busy = proxy.rawClient();
                RawClient idle = proxy.rawClient()) {
            busy.send(busy.msg(BsonDocument.parse("{count: 'settings', $db: 'shop'}")));
            mongos.awaitRequests("count", 1);
            idle.adminCommand("ping");
            idle.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.IDLE_TIMEOUT))
                    .isEqualTo(1);
            latch.countDown();
            assertThat(busy.receive().body().getNumber("n").intValue()).isEqualTo(42);
            busy.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.IDLE_TIMEOUT))
                    .isEqualTo(2);
        }
    }

    @Test
    void aStopLetsWhatIsInFlightFinish() {
        CountDownLatch latch = new CountDownLatch(1);
        mongos.always("count", Reply.json("{ok: 1.0, n: 42}").after(latch));
        ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
        try (RawClient busy = proxy.rawClient();
                RawClient idle = proxy.rawClient()) {
            idle.adminCommand("ping");
            busy.send(busy.msg(BsonDocument.parse("{count: 'settings', $db: 'shop'}")));
            mongos.awaitRequests("count", 1);
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(proxy::close);
            idle.expectClosed();
            assertThat(stopped).isNotDone();
            latch.countDown();
            assertThat(busy.receive().body().getNumber("n").intValue()).isEqualTo(42);
            busy.expectClosed();
            stopped.join();
            assertThat(proxy.runtime().counters().closes(CloseCause.SHUTDOWN)).isEqualTo(2);
        }
    }

    private static byte[] header(int messageLength) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(messageLength)
                .putInt(1)
                .putInt(0)
                .putInt(2013)
                .array();
    }
}
