package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CompressedMessage;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireCompressor;
import io.scatterguard.tests.support.WireFrame;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** S13 (wish/mongoproxy): a write that nobody answers keeps its place before the find behind it, ten thousand times; compressed too. */
@ExtendWith(BlockHoundExtension.class)
class S13UnacknowledgedWritesTest {
    private static final int PAIRS_A_WRITE = 100;
    private static final int DRIVER_PAIRS = 100;

    /** By name; {@code none} for plain messages. */
    static final List<String> COMPRESSORS = List.of("none", "snappy", "zlib", "zstd");

    static List<String> compressors() {
        return COMPRESSORS;
    }

    @ParameterizedTest
    @CsvSource({"none, 10000", "snappy, 1000", "zlib, 1000", "zstd, 1000"})
    void everyFindSeesTheInsertsBeforeIt(String compressor, int pairs) {
        AtomicInteger inserted = new AtomicInteger();
        try (ScriptedMongos mongos = ScriptedMongos.start()
                        .compressing(WireCompressor.SNAPPY, WireCompressor.ZLIB, WireCompressor.ZSTD)
                        .on("insert", insert -> {
                            int number = insert.command()
                                    .getArray("documents")
                                    .get(0)
                                    .asDocument()
                                    .getInt32("orderId")
                                    .getValue();
                            // One behind another, or the find's answer below is wrong.
                            return inserted.compareAndSet(number, number + 1) ? Reply.none() : Reply.close();
                        })
                        .on("find", find -> Reply.json("{n: " + inserted.get() + ", ok: 1.0}"));
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient().readingAhead()) {
            negotiate(client, compressor);
            for (int pair = 0; pair < pairs; pair += PAIRS_A_WRITE) {
                RawMessage[] messages = new RawMessage[2 * PAIRS_A_WRITE];
                for (int i = 0; i < PAIRS_A_WRITE; i++) {
                    messages[2 * i] =
                            packed(compressor, client.msg(insert(pair + i)).moreToCome());
                    messages[2 * i + 1] = packed(compressor, client.msg(find()));
                }
                client.send(messages);
                for (int i = 0; i < PAIRS_A_WRITE; i++) {
                    WireFrame reply = client.receive();
                    assertThat(reply.responseTo()).isEqualTo(messages[2 * i + 1].requestId());
                    assertThat(reply.body().getNumber("n").intValue()).isEqualTo(pair + i + 1);
                }
            }
            assertThat(mongos.requests("insert")).hasSize(pairs).allMatch(WireFrame::moreToCome);
        }
    }

    @ParameterizedTest
    @MethodSource("compressors")
    void theJavaDriverFindsWhatItHasJustWritten(String compressor) {
        String options = compressor.equals("none") ? "" : "&compressors=" + compressor;
        try (ScriptedMongos mongos = ScriptedMongos.start()
                        .compressing(WireCompressor.SNAPPY, WireCompressor.ZLIB, WireCompressor.ZSTD)
                        .withData();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                MongoClient client = MongoClients.create(proxy.uri() + "?maxPoolSize=1" + options)) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            for (int i = 0; i < DRIVER_PAIRS; i++) {
                Document order = new Document("customerId", 7).append("orderId", i);
                orders.withWriteConcern(WriteConcern.UNACKNOWLEDGED).insertOne(order);
                assertThat(orders.find(order).first()).as("order %d", i).isNotNull();
            }
            assertThat(mongos.requests("insert"))
                    .hasSize(DRIVER_PAIRS)
                    .allMatch(insert -> insert.moreToCome() && insert.compressed() != compressor.equals("none"));
        }
    }

    /** What a policy refuses and nobody waits for is forwarded: there is no place for an error. */
    @ParameterizedTest
    @MethodSource("compressors")
    void aRefusedWriteThatNobodyWaitsForGetsNoReply(String compressor) {
        BsonDocument broadcast = BsonDocument.parse(
                "{delete: 'orders', deletes: [{q: {status: 'old'}, limit: 0}], writeConcern: {w: 0}, $db: 'shop'}");
        try (ScriptedMongos mongos = ScriptedMongos.start()
                        .compressing(WireCompressor.SNAPPY, WireCompressor.ZLIB, WireCompressor.ZSTD)
                        .always("delete", Reply.json("{n: 3, ok: 1.0}"));
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
                RawClient client = proxy.rawClient()) {
            negotiate(client, compressor);
            OpMsgBuilder acknowledged = client.msg(broadcast);
            OpMsgBuilder ping = client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}"));
            client.send(
                    packed(compressor, client.msg(broadcast).moreToCome()),
                    packed(compressor, acknowledged),
                    packed(compressor, ping));
            WireFrame refusal = client.receive();
            assertThat(refusal.responseTo()).isEqualTo(acknowledged.requestId());
            assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(61_001);
            assertThat(refusal.compressed()).isEqualTo(!compressor.equals("none"));
            assertThat(client.receive().responseTo()).isEqualTo(ping.requestId());
            assertThat(mongos.requests("delete")).singleElement().matches(WireFrame::moreToCome);
        }
    }

    private static void negotiate(RawClient client, String compressor) {
        BsonDocument hello = BsonDocument.parse("{hello: 1, $db: 'admin'}");
        if (compressor.equals("none")) {
            client.command(hello);
        } else {
            BsonArray offered = new BsonArray(List.of(new BsonString(compressor)));
            assertThat(client.command(hello.append("compression", offered)).getArray("compression"))
                    .isEqualTo(offered);
        }
    }

    private static RawMessage packed(String compressor, OpMsgBuilder message) {
        return compressor.equals("none")
                ? message
                : new CompressedMessage(message, WireCompressor.valueOf(compressor.toUpperCase(Locale.ROOT)));
    }

    private static BsonDocument insert(int number) {
        BsonDocument order = new BsonDocument("customerId", new BsonInt32(7)).append("orderId", new BsonInt32(number));
        return new BsonDocument("insert", new BsonString("orders"))
                .append("documents", new BsonArray(List.of(order)))
                .append("writeConcern", new BsonDocument("w", new BsonInt32(0)))
                .append("$db", new BsonString("shop"));
    }

    private static BsonDocument find() {
        return BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}");
    }
}
