package io.scatterguard.proxy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EmbeddedServerTest {
    private EmbeddedServer server;
    private MongoClient client;

    @BeforeEach
    void start() {
        server = EmbeddedServer.start(0);
        client = MongoClients.create(server.connectionString());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void presentsItselfAsStandaloneSixZero() {
        MongoDatabase admin = client.getDatabase("admin");

        Document hello = admin.runCommand(new Document("isMaster", 1));
        Document buildInfo = admin.runCommand(new Document("buildInfo", 1));

        assertThat(hello.getInteger("maxWireVersion")).isEqualTo(17);
        assertThat(hello).doesNotContainKeys("msg", "setName", "logicalSessionTimeoutMinutes");
        assertThat(buildInfo.getString("version")).isEqualTo("6.0.0");
    }

    @Test
    void listensOnTheLoopbackInterfaceAtTheReportedPort() {
        assertThat(server.port()).isBetween(1, 65_535);
        assertThat(server.connectionString()).isEqualTo("mongodb://127.0.0.1:" + server.port());
        assertThat(server).hasToString("EmbeddedServer(127.0.0.1:" + server.port() + ")");
    }

    @Test
    void createsReadsUpdatesAndDeletes() {
        MongoCollection<Document> cups = client.getDatabase("test").getCollection("cups");

        cups.insertOne(new Document("_id", 1).append("colour", "red"));
        assertThat(cups.updateOne(Filters.eq(1), Updates.set("colour", "blue")).getModifiedCount())
                .isEqualTo(1);
        assertThat(cups.find(Filters.eq("colour", "blue")).first()).containsEntry("_id", 1);
        assertThat(cups.find(Filters.eq("colour", "red")).first()).isNull();
        assertThat(cups.deleteOne(Filters.eq(1)).getDeletedCount()).isEqualTo(1);
        assertThat(cups.countDocuments()).isZero();
    }

    @Test
    void servesACursorOverSeveralBatches() {
        MongoCollection<Document> numbers = client.getDatabase("test").getCollection("numbers");
        List<Integer> expected = IntStream.range(0, 1_000).boxed().toList();
        numbers.insertMany(expected.stream().map(i -> new Document("_id", i)).toList());

        List<Integer> read = new ArrayList<>();
        numbers.find()
                .sort(new Document("_id", 1))
                .batchSize(70)
                .forEach(document -> read.add(document.getInteger("_id")));

        assertThat(read).isEqualTo(expected);
    }

    @Test
    void nothingListensAfterCloseAndClosingTwiceIsHarmless() {
        int port = server.port();
        client.close();

        server.close();

        assertThatCode(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
        assertThatCode(server::close).doesNotThrowAnyException();
    }

    @Test
    void twoServersHoldTheirOwnData() {
        try (EmbeddedServer other = EmbeddedServer.start(0);
                MongoClient otherClient = MongoClients.create(other.connectionString())) {
            client.getDatabase("test").getCollection("cups").insertOne(new Document("_id", 1));

            assertThat(otherClient.getDatabase("test").getCollection("cups").countDocuments())
                    .isZero();
        }
    }

    @Test
    void namesThePortThatIsTaken() {
        assertThatIllegalStateException()
                .isThrownBy(() -> EmbeddedServer.start(server.port()))
                .withMessage(
                        "embedded server: cannot listen on 127.0.0.1:%d: choose another port, or 0 for a free one",
                        server.port());
    }

    @Test
    void refusesAPortThatIsNone() {
        for (int port : new int[] {-1, 65_536}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> EmbeddedServer.start(port))
                    .withMessage("port: " + port + " (expected: 0..65535)");
        }
    }
}
