package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedConnection;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** S2 (mongobetween #30, mongodb-labs/mongoproxy #15): whatever the value of {@code ismaster}, many clients connect at once. */
@ExtendWith(BlockHoundExtension.class)
class S02ManyHandshakesTest {
    private static final int CLIENTS = 60;
    private static final List<BsonValue> VALUES = List.of(BsonBoolean.TRUE, new BsonInt32(1), new BsonDouble(1));

    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().withData();
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
    }

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
    }

    @Test
    void manyClientsWithEveryValueConnectAtOnce() throws Exception {
        CountDownLatch together = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                answers.add(threads.submit(() -> {
                    together.await();
                    return handshake(number);
                }));
            }
            together.countDown();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("isdbgrid");
            }
        } finally {
            threads.shutdownNow();
        }
        List<WireFrame> introductions = mongos.requests().stream()
                .filter(S02ManyHandshakesTest::isOfATestClient)
                .toList();
        assertThat(introductions)
                .extracting(hello -> hello.command()
                        .getDocument("client")
                        .getDocument("application")
                        .getString("name")
                        .getValue())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, CLIENTS).mapToObj(i -> "client-" + i).toList());
        assertThat(mongos.connections())
                .as("one introduction a connection")
                .allSatisfy(connection -> assertThat(introductions(connection)).hasSizeLessThanOrEqualTo(1));
    }

    private String handshake(int number) {
        BsonDocument hello = new BsonDocument("ismaster", VALUES.get(number % VALUES.size()))
                .append(
                        "client",
                        new BsonDocument("application", new BsonDocument("name", new BsonString("client-" + number))));
        try (RawClient client = proxy.rawClient()) {
            RawMessage request =
                    number % 2 == 0 ? client.query(hello) : client.msg(hello.append("$db", new BsonString("admin")));
            client.send(request);
            WireFrame reply = client.receive();
            assertThat(reply.responseTo()).isEqualTo(request.requestId());
            return reply.body().getString("msg").getValue();
        }
    }

    @Test
    void aDriversPoolIntroducesEachConnectionOnce() throws Exception {
        int threadsCount = 12;
        CountDownLatch all = new CountDownLatch(threadsCount);
        mongos.on("ping", request -> Reply.ok().after(all)); // Held back until each has a connection of its own.
        ExecutorService threads = Executors.newFixedThreadPool(threadsCount);
        try (MongoClient client = MongoClients.create(proxy.uri() + "?appName=pooled&maxPoolSize=" + threadsCount)) {
            List<Future<Document>> pings = new ArrayList<>();
            for (int i = 0; i < threadsCount; i++) {
                pings.add(threads.submit(() -> client.getDatabase("admin").runCommand(new Document("ping", 1))));
            }
            for (int i = 1; i <= threadsCount; i++) {
                mongos.awaitRequests("ping", i);
                all.countDown();
            }
            for (Future<Document> ping : pings) {
                assertThat(ping.get()).containsEntry("ok", 1.0);
            }
            List<ScriptedConnection> pooled = mongos.connections().stream()
                    .filter(connection -> connection.received().stream()
                            .anyMatch(frame -> frame.commandName().equals("ping")))
                    .toList();
            assertThat(pooled)
                    .hasSize(threadsCount)
                    .allSatisfy(
                            connection -> assertThat(introductions(connection)).hasSize(1));
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<WireFrame> introductions(ScriptedConnection connection) {
        return connection.received().stream()
                .filter(frame -> frame.command().containsKey("client"))
                .toList();
    }

    private static boolean isOfATestClient(WireFrame frame) {
        return frame.command().containsKey("client")
                && !frame.command().getDocument("client").containsKey("driver");
    }
}
