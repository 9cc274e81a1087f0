package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedConnection;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.SinkMongos;
import io.scatterguard.tests.support.WireFrame;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Either side going away, on each transport. */
@ExtendWith(BlockHoundExtension.class)
class GoneClientsTest {
    private static final String FIND = "{find: 'settings', $db: 'shop'}";

    private final CountDownLatch latch = new CountDownLatch(1);
    private ScriptedMongos mongos;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
        mongos.always("find", Reply.ok().after(latch));
    }

    @AfterEach
    void stop() {
        latch.countDown();
        mongos.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aClientThatClosesWhileItsCommandRunsTakesTheServerConnectionWithIt(String transport) {
        try (ProxyUnderTest proxy = proxy(transport, "");
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(BsonDocument.parse(FIND)));
            ScriptedConnection server = connectionOfTheFind();
            client.hangUp();
            assertEnds(proxy, server);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aClientThatEndsItsStreamHasGone(String transport) {
        try (ProxyUnderTest proxy = proxy(transport, "");
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(BsonDocument.parse(FIND)));
            ScriptedConnection server = connectionOfTheFind();
            client.halfClose();
            client.expectClosed();
            assertEnds(proxy, server);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aResetIsSeenAtOnceToo(String transport) {
        try (ProxyUnderTest proxy = proxy(transport, "");
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(BsonDocument.parse(FIND)));
            ScriptedConnection server = connectionOfTheFind();
            client.reset();
            Awaitility.await().until(() -> !server.isOpen());
        }
    }

    /** It may have one request in flight, so that it is not read when the second one comes. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aClientThatIsNotReadIsSeenToGo(String transport) {
        try (ProxyUnderTest proxy = proxy(transport, ", maxInFlight: 1");
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(BsonDocument.parse(FIND)));
            ScriptedConnection server = connectionOfTheFind();
            client.send(client.msg(BsonDocument.parse(FIND)));
            client.hangUp();
            assertEnds(proxy, server);
        }
    }

    /** It has sent more than is read of a client that is not to be read. NIO hears of it by the failing reply. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aClientBehindManyUnreadBytesIsSeenToGoAtTheLatestByTheReply(String transport) {
        try (ProxyUnderTest proxy = proxy(transport, ", maxInFlight: 1");
                RawClient client = proxy.rawClient()) {
            client.send(client.msg(BsonDocument.parse(FIND)));
            ScriptedConnection server = connectionOfTheFind();
            byte[] more = client.msg(BsonDocument.parse(FIND)).encode();
            for (int sent = 0; sent < 400_000; sent += more.length) {
                client.sendBytes(more);
            }
            client.reset();
            if (transport.equals("nio")) {
                latch.countDown();
            }
            Awaitility.await().until(() -> !server.isOpen());
        }
    }

    /** Its last writes wait for no reply: a server would read them before it saw the end. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void whatAClientSentBeforeItClosedIsForwardedThoughTheServerIsSlow(String transport) {
        int writes = 300;
        SinkMongos sink = ProxyUnderTest.sink();
        try (ProxyUnderTest proxy =
                        ProxyUnderTest.inFrontOf(sink, RuntimeParts.standard(), "", "transport: " + transport);
                RawClient client = proxy.rawClient()) {
            client.adminCommand("ping");
            sink.pauseReading();
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < writes; i++) {
                    client.send(write(client));
                }
                client.hangUp();
            });
            Awaitility.await()
                    .until(() -> sent.isDone() || proxy.runtime().counters().forwardedRequests() > writes / 10);
            long before = sink.requests();
            sink.resumeReading();
            Awaitility.await().until(() -> sink.requests() >= before + writes);
            Awaitility.await().until(() -> proxy.runtime().counters().closes(CloseCause.CLIENT_CLOSED) == 1);
            sent.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "nio"})
    void aServerThatGoesClosesTheClientAfterWhatCame(String transport) {
        mongos.on("count", request -> out -> {
            out.document(BsonDocument.parse("{ok: 1.0, n: 42}"));
            out.close();
        });
        try (ProxyUnderTest proxy = proxy(transport, "");
                RawClient client = proxy.rawClient()) {
            client.send(
                    client.msg(BsonDocument.parse("{count: 'settings', $db: 'shop'}")),
                    client.msg(BsonDocument.parse(FIND)));
            WireFrame reply = client.receive();
            assertThat(reply.body().getNumber("n").intValue()).isEqualTo(42);
            client.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.SERVER_CLOSED)
                            + proxy.runtime().counters().closes(CloseCause.SERVER_FAILED))
                    .isEqualTo(1);
        }
    }

    private ProxyUnderTest proxy(String transport, String limits) {
        return ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard(), limits, "transport: " + transport);
    }

    private ScriptedConnection connectionOfTheFind() {
        mongos.awaitRequests("find", 1);
        return mongos.connections().stream()
                .filter(connection -> connection.received().stream()
                        .anyMatch(frame -> frame.commandName().equals("find")
                                && frame.database().equals("shop")))
                .findFirst()
                .orElseThrow();
    }

    private static void assertEnds(ProxyUnderTest proxy, ScriptedConnection server) {
        Awaitility.await().until(() -> !server.isOpen());
        assertThat(proxy.runtime().counters().closes(CloseCause.CLIENT_CLOSED)
                        + proxy.runtime().counters().closes(CloseCause.CLIENT_FAILED))
                .isEqualTo(1);
        Awaitility.await().until(() -> proxy.runtime().counters().openConnections() == 0);
    }

    private static OpMsgBuilder write(RawClient client) {
        return client.msg(BsonDocument.parse("{insert: 'settings', $db: 'shop'}")
                        .append("documents", new org.bson.BsonArray())
                        .append("filler", new BsonBinary(new byte[5_000])))
                .moreToCome();
    }
}
