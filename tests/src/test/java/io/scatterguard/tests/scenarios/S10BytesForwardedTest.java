package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedConnection;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * S10 (FerretDB #1848): what is forwarded is byte-identical, in both directions; the one frame that is changed, a {@code
 * hello} that offers compressors we cannot read, has its CRC-32C made anew.
 */
@ExtendWith(BlockHoundExtension.class)
class S10BytesForwardedTest {
    private static final String TARGETED = "{find: 'orders', filter: {customerId: 42, orderId: 42003}, $db: 'shop'}";

    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;
    private RawClient client;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start();
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
    void requestsArriveAsTheyWereSent() {
        mongos.always("find", Reply.json("{ok: 1.0}")).always("insert", Reply.json("{n: 1, ok: 1.0}"));
        BsonDocument hello = BsonDocument.parse("{hello: 1, compression: ['zstd', 'snappy', 'zlib'], $db: 'admin'}");
        BsonDocument insert = BsonDocument.parse("{insert: 'orders', ordered: false, $db: 'shop'}");
        List<BsonDocument> documents = List.of(BsonDocument.parse("{customerId: 1, orderId: 2, x: '€'}"));
        // An optional flag bit that nobody knows yet may be ignored, and is passed on.
        List<RawMessage> sent = List.of(
                client.query(BsonDocument.parse("{isMaster: 1, helloOk: true, compression: ['zlib']}")),
                client.msg(hello),
                client.msg(hello).checksum(),
                client.msg(BsonDocument.parse(TARGETED)),
                client.msg(BsonDocument.parse(TARGETED)).checksum(),
                client.msg(BsonDocument.parse(TARGETED)).flags(1 << 30),
                client.msg(insert).sequence("documents", documents).checksum(),
                client.msg(insert).sequenceBeforeBody("documents", documents));
        for (RawMessage message : sent) {
            client.send(message);
            assertThat(client.receive().responseTo()).isEqualTo(message.requestId());
        }
        List<WireFrame> arrived = mongos.connections().stream()
                .map(ScriptedConnection::received)
                .filter(received -> received.size() == sent.size())
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < sent.size(); i++) {
            assertThat(arrived.get(i).bytes())
                    .as("message %s", i)
                    .isEqualTo(sent.get(i).encode());
        }
    }

    @Test
    void aChangedHelloHasARightChecksumAndOnlyWhatWeReadLeftInItsOffer() {
        BsonDocument hello = BsonDocument.parse(
                "{hello: 1, compression: ['lz4', 'zlib', 'brotli'], client: {driver: {name: 'x'}}, $db: 'admin'}");
        BsonDocument kept =
                BsonDocument.parse("{hello: 1, compression: ['zlib'], client: {driver: {name: 'x'}}, $db: 'admin'}");
        OpMsgBuilder sent = client.msg(hello).checksum();
        client.send(sent);
        assertThat(client.receive().body()).containsKey("maxWireVersion");
        WireFrame arrived = mongos.requests().stream()
                .filter(frame -> frame.requestId() == sent.requestId() && frame.checksumPresent())
                .findFirst()
                .orElseThrow();
        // The scripted mongos has verified the checksum when it read the frame.
        assertThat(arrived.bytes())
                .isEqualTo(OpMsgBuilder.of(sent.requestId(), kept).checksum().encode());
    }

    @Test
    void repliesArriveAsTheyWereSent() {
        BsonDocument reply = BsonDocument.parse("{cursor: {firstBatch: [{a: 1}], id: 0, ns: 'shop.orders'}, ok: 1.0}");
        mongos.always("find", Reply.document(reply));
        for (boolean checksum : new boolean[] {false, true}) {
            OpMsgBuilder find = client.msg(BsonDocument.parse(TARGETED));
            client.send(checksum ? find.checksum() : find);
            WireFrame received = client.receive();
            OpMsgBuilder expected = OpMsgBuilder.of(received.requestId(), reply).responseTo(find.requestId());
            assertThat(received.bytes()).isEqualTo((checksum ? expected.checksum() : expected).encode());
        }
    }
}
