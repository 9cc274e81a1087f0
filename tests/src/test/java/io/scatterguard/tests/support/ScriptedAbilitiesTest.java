package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a scripted mongos can do on demand, tried by the Java driver and by hand, without anything in between. */
class ScriptedAbilitiesTest {
    private static final BsonDocument INSERT_20 = BsonDocument.parse("{insert: 'things', $db: 'shop'}");
    private static final String PASSWORD = "p=,ä w";

    private final ScriptedMongos mongos =
            ScriptedMongos.start().withTopologyVersion().withData().withClusterTime();

    @AfterEach
    void stop() {
        mongos.close();
    }

    private MongoClient driver(String options) {
        return MongoClients.create(mongos.uri() + "/?maxPoolSize=1&serverSelectionTimeoutMS=5000" + options);
    }

    @ParameterizedTest
    @EnumSource(WireCompressor.class)
    void aCompressedRequestIsReadAndAnsweredInKind(WireCompressor compressor) {
        try (RawClient client = RawClient.connect(mongos.port())) {
            OpMsgBuilder ping =
                    client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}")).checksum();
            client.send(new CompressedMessage(ping, compressor));
            WireFrame reply = client.receive();
            assertThat(reply.compressed()).isTrue();
            assertThat(reply.compressor()).isEqualTo(compressor);
            assertThat(reply.opCode()).isEqualTo(WireHeader.OP_MSG);
            assertThat(reply.responseTo()).isEqualTo(ping.requestId());
            assertThat(reply.body().getNumber("ok").intValue()).isOne();
            assertThat(mongos.requests("ping")).singleElement().matches(WireFrame::compressed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"snappy", "zlib", "zstd"})
    void theDriverCompressesByWhatWasNegotiated(String compressor) {
        mongos.compressing(WireCompressor.SNAPPY, WireCompressor.ZLIB, WireCompressor.ZSTD);
        try (MongoClient client = driver("&compressors=" + compressor)) {
            things(client).insertOne(new Document("a", 1));
        }
        assertThat(mongos.requests("insert"))
                .singleElement()
                .extracting(insert -> insert.compressor().wireName())
                .isEqualTo(compressor);
        assertThat(mongos.requests())
                .filteredOn(frame -> MongosCommands.isHello(frame.commandName()))
                .isNotEmpty()
                .noneMatch(WireFrame::compressed);
    }

    @Test
    void theDriverDoesNotCompressByWhatTheServerLacks() {
        mongos.compressing(WireCompressor.SNAPPY);
        try (MongoClient client = driver("&compressors=zlib")) {
            things(client).insertOne(new Document("a", 1));
        }
        assertThat(mongos.requests("insert")).singleElement().matches(frame -> !frame.compressed());
    }

    @Test
    void theDriverReadsAndWrites() {
        try (MongoClient client = driver("")) {
            MongoCollection<Document> things = things(client);
            things.insertMany(IntStream.range(0, 120)
                    .mapToObj(i -> new Document("_id", i).append("even", i % 2 == 0))
                    .toList());
            assertThat(things.find(Filters.eq("even", true)).batchSize(25).into(new ArrayList<>()))
                    .hasSize(60);
            assertThat(mongos.requests("getMore")).hasSize(2);
            assertThat(things.countDocuments()).isEqualTo(120);
            assertThat(things.aggregate(List.of(Aggregates.group("$even", Accumulators.sum("n", 1))))
                            .into(new ArrayList<>()))
                    .extracting(group -> group.get("n"))
                    .containsExactly(60, 60);
            assertThat(things.updateMany(Filters.lt("_id", 10), Updates.inc("seen", 2))
                            .getModifiedCount())
                    .isEqualTo(10);
            assertThat(things.updateOne(Filters.eq("_id", 999), Updates.set("a", 1), new UpdateOptions().upsert(true))
                            .getUpsertedId())
                    .isNotNull();
            assertThat(things.deleteMany(Filters.gte("_id", 100)).getDeletedCount())
                    .isEqualTo(21);
            assertThat(mongos.documents("shop.things"))
                    .hasSize(100)
                    .first()
                    .satisfies(first ->
                            assertThat(first.getInt32("seen").getValue()).isEqualTo(2));
        }
    }

    @Test
    void anExhaustGetMoreStreamsTheRestOfTheCursor() {
        try (RawClient client = RawClient.connect(mongos.port())) {
            client.send(client.msg(INSERT_20).sequence("documents", numbered(20)));
            client.receive();
            BsonDocument cursor = client.command(BsonDocument.parse("{find: 'things', batchSize: 5, $db: 'shop'}"))
                    .getDocument("cursor");
            BsonDocument getMore = new BsonDocument("getMore", cursor.get("id"));
            getMore.putAll(BsonDocument.parse("{collection: 'things', batchSize: 5, $db: 'shop'}"));
            client.send(client.msg(getMore).exhaustAllowed());
            List<WireFrame> frames = List.of(client.receive(), client.receive(), client.receive());
            assertThat(frames).extracting(WireFrame::moreToCome).containsExactly(true, true, false);
            assertThat(frames.get(2).responseTo()).isEqualTo(frames.get(1).requestId());
            assertThat(client.command(getMore).getNumber("code").intValue())
                    .as("CursorNotFound")
                    .isEqualTo(43);
        }
    }

    @Test
    void aTopologyThatTheClientDoesNotKnowIsToldAtOnce() {
        try (RawClient client = RawClient.connect(mongos.port())) {
            BsonDocument hello = BsonDocument.parse("{hello: 1, maxAwaitTimeMS: 600000, $db: 'admin', topologyVersion:"
                    + " {processId: {$oid: '65f000000000000000000009'}, counter: {$numberLong: '0'}}}");
            assertThat(client.command(hello)).containsEntry("topologyVersion", MongosCommands.topologyVersion());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCRAM-SHA-1", "SCRAM-SHA-256"})
    void theDriverProvesItsPassword(String mechanism) {
        mongos.withUsers(ScriptedUser.of("app", PASSWORD).with(mechanism));
        assertThat(insertAs(PASSWORD)).isOne();
        assertThatThrownBy(() -> insertAs("another")).isInstanceOf(MongoSecurityException.class);
        assertThatThrownBy(() -> {
                    try (MongoClient client = driver("")) {
                        things(client).insertOne(new Document());
                    }
                })
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(13));
    }

    private int insertAs(String password) {
        MongoCredential app = MongoCredential.createCredential("app", "admin", password.toCharArray());
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(mongos.uri()))
                .credential(app)
                .build();
        try (MongoClient client = MongoClients.create(settings)) {
            things(client).insertOne(new Document());
            return mongos.documents("shop.things").size();
        }
    }

    @Test
    void plainIsCheckedCertificatesAreRefusedOthersTakeTwoSteps() {
        mongos.withUsers(new ScriptedUser("u", "pw", "$external", List.of("PLAIN")));
        try (RawClient client = RawClient.connect(mongos.port())) {
            assertThat(client.command(sasl("PLAIN", "\0u\0wrong"))
                            .getNumber("code")
                            .intValue())
                    .isEqualTo(18);
            assertThat(client.command(BsonDocument.parse(
                                    "{authenticate: 1, mechanism: 'MONGODB-X509', $db: '$external'}"))
                            .getNumber("code")
                            .intValue())
                    .isEqualTo(18);
            assertThat(client.command(BsonDocument.parse("{count: 'things', $db: 'shop'}"))
                            .getNumber("code")
                            .intValue())
                    .isEqualTo(13);
            assertThat(client.command(sasl("PLAIN", "\0u\0pw"))
                            .getBoolean("done")
                            .getValue())
                    .isTrue();
            assertThat(client.command(BsonDocument.parse("{count: 'things', $db: 'shop'}"))
                            .getNumber("n")
                            .intValue())
                    .isZero();
        }
        try (RawClient client = RawClient.connect(mongos.port())) {
            assertThat(client.command(sasl("MONGODB-AWS", "x"))
                            .getBoolean("done")
                            .getValue())
                    .isFalse();
            BsonDocument second = BsonDocument.parse(
                    "{saslContinue: 1, conversationId: 1, payload: {$binary: {base64: '', subType: '0'}}, $db: '$external'}");
            assertThat(client.command(second).getBoolean("done").getValue()).isTrue();
        }
    }

    private static BsonDocument sasl(String mechanism, String payload) {
        return new BsonDocument("saslStart", new BsonInt32(1))
                .append("mechanism", new BsonString(mechanism))
                .append("payload", new BsonBinary(payload.getBytes(StandardCharsets.UTF_8)))
                .append("$db", new BsonString("$external"));
    }

    @Test
    void aTransactionShowsWhenItIsCommitted() {
        try (MongoClient client = driver("");
                ClientSession session = client.startSession()) {
            session.startTransaction();
            things(client).insertOne(session, new Document("_id", 1));
            assertThat(things(client).find(session).into(new ArrayList<>())).hasSize(1);
            assertThat(mongos.documents("shop.things")).isEmpty();
            session.commitTransaction();
            assertThat(mongos.documents("shop.things")).hasSize(1);
            session.startTransaction();
            things(client).deleteOne(session, Filters.eq("_id", 1));
            session.abortTransaction();
            assertThat(mongos.documents("shop.things")).hasSize(1);
            assertThat(List.of(mongos.committedTransactions(), mongos.abortedTransactions()))
                    .containsExactly(1, 1);
        }
    }

    @Test
    void aTransactionNobodyStartedIsError251() {
        try (RawClient client = RawClient.connect(mongos.port())) {
            BsonDocument reply = client.command(BsonDocument.parse(
                    "{find: 'things', lsid: {id: 1}, txnNumber: {$numberLong: '1'}, autocommit: false, $db: 'shop'}"));
            assertThat(reply.getNumber("code").intValue()).isEqualTo(251);
            assertThat(reply.getArray("errorLabels")).containsExactly(new BsonString("TransientTransactionError"));
        }
    }

    @Test
    void aRetriedWriteIsDoneOnce() {
        try (RawClient client = RawClient.connect(mongos.port())) {
            BsonDocument insert = BsonDocument.parse(
                    "{insert: 'things', documents: [{a: 1}], lsid: {id: 1}, txnNumber: {$numberLong: '1'}, $db: 'shop'}");
            client.command(insert);
            client.command(insert);
            assertThat(mongos.documents("shop.things")).hasSize(1);
        }
    }

    @Test
    void aStandaloneKnowsNoTransactionNumbersAndDriversSendNone() {
        mongos.asStandalone();
        try (RawClient client = RawClient.connect(mongos.port())) {
            assertThat(client.command(
                                    BsonDocument.parse(
                                            "{insert: 'things', documents: [{a: 1}], lsid: {id: 1}, txnNumber: {$numberLong: '1'}, $db: 'shop'}"))
                            .getNumber("code")
                            .intValue())
                    .isEqualTo(20);
        }
        try (MongoClient client = driver("")) {
            things(client).insertOne(new Document());
            assertThat(mongos.documents("shop.things")).hasSize(1);
        }
    }

    @Test
    void aClusterTimeThatWasNeverGivenIsAFailure() {
        ScriptedMongos strict = ScriptedMongos.start().withClusterTime();
        try (RawClient client = RawClient.connect(strict.port())) {
            BsonDocument given = client.adminCommand("ping").getDocument("$clusterTime");
            client.command(BsonDocument.parse("{ping: 1, $db: 'admin'}").append("$clusterTime", given));
            client.send(client.msg(BsonDocument.parse(
                    "{ping: 1, $clusterTime: {clusterTime: {$timestamp: {t: 1, i: 1}}}, $db: 'admin'}")));
            client.expectClosed();
        }
        assertThatThrownBy(strict::close).hasMessageContaining("$clusterTime");
    }

    private static List<BsonDocument> numbered(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new BsonDocument("_id", new BsonInt32(i)))
                .toList();
    }

    private static MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase("shop").getCollection("things");
    }
}
