package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ServerMonitoringMode;
import com.mongodb.event.ServerHeartbeatSucceededEvent;
import com.mongodb.event.ServerMonitorListener;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * S12 (PyMongo PR 1405, 2985; specifications PR 791): a streamed {@code hello} and an exhaust {@code getMore} arrive frame by
 * frame, each answering the one before. The profile {@code full} streams for a minute.
 */
@ExtendWith(BlockHoundExtension.class)
class S12ExhaustTest {
    private static final int STREAM_MILLIS = Integer.getInteger("scatterguard.exhaust.millis", 1_000);
    private static final int DOCUMENTS = 2_000;

    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;
    private RawClient client;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start().withData().withTopologyVersion();
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
        client = proxy.rawClient();
    }

    @AfterEach
    void stop() {
        client.close();
        proxy.close();
        mongos.close();
    }

    @Test
    void aStreamedHelloArrivesFrameByFrameUntilTheClientLeaves() {
        int frames = STREAM_MILLIS / 2; // One every two milliseconds.
        BsonDocument hello = BsonDocument.parse("{hello: 1, maxAwaitTimeMS: 2, $db: 'admin'}");
        hello.append("topologyVersion", client.adminCommand("hello").get("topologyVersion"));
        OpMsgBuilder request = client.msg(hello).exhaustAllowed();
        client.send(request);
        int answered = request.requestId();
        long before = 0;
        for (int i = 0; i < frames; i++) {
            WireFrame frame = client.receive();
            assertThat(frame.responseTo()).as("frame %d", i).isEqualTo(answered);
            assertThat(frame.moreToCome()).isTrue();
            long time = frame.body().getDateTime("localTime").getValue();
            assertThat(time).as("frame %d", i).isGreaterThanOrEqualTo(before);
            before = time;
            answered = frame.requestId();
        }
        int open = mongos.openConnections();
        client.close();
        mongos.awaitOpenConnections(open - 1);
    }

    /** The driver streams: one request, many heartbeats, all on one connection. */
    @Test
    void aDriversMonitorIsFedByOneStream() throws InterruptedException {
        CountDownLatch awaited = new CountDownLatch(4);
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(proxy.uri()))
                .applicationName("streaming")
                .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                        .serverMonitoringMode(ServerMonitoringMode.STREAM)
                        .addServerMonitorListener(new ServerMonitorListener() {
                            @Override
                            public void serverHeartbeatSucceeded(ServerHeartbeatSucceededEvent event) {
                                if (event.isAwaited()) {
                                    awaited.countDown();
                                }
                            }
                        }))
                .build();
        try (MongoClient driver = MongoClients.create(settings)) {
            assertThat(driver.getDatabase("admin").runCommand(new Document("ping", 1)))
                    .containsEntry("ok", 1.0);
            assertThat(awaited.await(30, TimeUnit.SECONDS))
                    .as("four awaited heartbeats")
                    .isTrue();
        }
        assertThat(mongos.connections())
                .filteredOn(connection ->
                        connection.received().get(0).command().toString().contains("streaming"))
                .filteredOn(connection -> connection.received().stream().anyMatch(WireFrame::exhaustAllowed))
                .singleElement()
                .satisfies(connection -> assertThat(connection.received())
                        .as("the handshake and one request")
                        .hasSize(2));
    }

    /** What a client sends behind the request of a stream is answered when the stream has ended, not within it. */
    @Test
    void anExhaustGetMoreArrivesInOrderAndWhatFollowsItComesAfterwards() {
        BsonValue cursor = openCursor();
        BsonDocument getMore = new BsonDocument("getMore", cursor);
        getMore.putAll(BsonDocument.parse("{collection: 'orders', batchSize: 7, $db: 'shop'}"));
        OpMsgBuilder request = client.msg(getMore).exhaustAllowed();
        OpMsgBuilder broadcast = client.msg(BsonDocument.parse("{find: 'orders', filter: {status: 'x'}, $db: 'shop'}"));
        OpMsgBuilder ping = client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}"));
        client.send(request, broadcast, ping);

        List<Integer> ids = new ArrayList<>();
        int answered = request.requestId();
        WireFrame frame;
        do {
            frame = client.receive();
            assertThat(frame.responseTo()).isEqualTo(answered);
            answered = frame.requestId();
            frame.body()
                    .getDocument("cursor")
                    .getArray("nextBatch")
                    .forEach(each ->
                            ids.add(each.asDocument().getInt32("orderId").getValue()));
        } while (frame.moreToCome());
        assertThat(ids)
                .containsExactlyElementsOf(
                        IntStream.range(101, DOCUMENTS).boxed().toList());
        WireFrame refusal = client.receive();
        assertThat(refusal.responseTo()).isEqualTo(broadcast.requestId());
        assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(61_001);
        assertThat(client.receive().responseTo()).isEqualTo(ping.requestId());
    }

    @Test
    void aGetMoreThatNobodyAllowedToStreamIsOneFrame() {
        BsonDocument getMore = new BsonDocument("getMore", openCursor());
        getMore.putAll(BsonDocument.parse("{collection: 'orders', batchSize: 7, $db: 'shop'}"));
        assertThat(client.command(getMore).getDocument("cursor").getArray("nextBatch"))
                .hasSize(7);
        assertThat(client.adminCommand("ping").getNumber("ok").intValue()).isOne();
    }

    /**
     * PyMongo 3.11 asks for an exhaust cursor by OP_QUERY, and only where it sees no mongos. It gets a mongos' error, never a
     * part of the result, and goes on.
     */
    @Test
    void anExhaustCursorOfPyMongoIsAMongosError() {
        ClientTool.PYMONGO.assumeAvailable();
        mongos.asStandalone();
        BsonDocument result = ClientProcess.of(ClientTool.PYMONGO, proxy.uri())
                .script("pymongo_exhaust.py")
                .run()
                .result();
        assertThat(result.getNumber("found").intValue()).isZero();
        assertThat(result.getNumber("code").intValue()).isEqualTo(18_526);
        assertThat(result.getString("error").getValue()).startsWith("OperationFailure(");
        assertThat(result.getNumber("afterwards").intValue()).isEqualTo(5);
        assertThat(mongos.requests())
                .as("of a query on the collection")
                .noneMatch(frame -> frame.namespace().equals("shop.orders"));
    }

    /** A cursor over all documents, of which the first 101 were returned. */
    private BsonValue openCursor() {
        List<BsonDocument> documents = IntStream.range(0, DOCUMENTS)
                .mapToObj(i -> new BsonDocument("_id", new BsonInt32(i))
                        .append("customerId", new BsonInt32(7))
                        .append("orderId", new BsonInt32(i)))
                .toList();
        client.send(client.msg(BsonDocument.parse("{insert: 'orders', $db: 'shop'}"))
                .sequence("documents", documents));
        client.receive();
        return client.command(BsonDocument.parse("{find: 'orders', filter: {customerId: 7}, $db: 'shop'}"))
                .getDocument("cursor")
                .get("id");
    }
}
