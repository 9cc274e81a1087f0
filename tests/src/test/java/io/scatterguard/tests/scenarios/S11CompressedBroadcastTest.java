package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.CompressedMessage;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireCompressor;
import io.scatterguard.tests.support.WireFrame;
import java.util.ArrayList;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * S11 (opentelemetry-ebpf #1097; FerretDB #4362): broadcasts compressed with snappy, zlib and zstd are judged like the
 * others, and what is forwarded stays compressed as it came. The other drivers and the shell, with TLS and without, are in
 * {@link DriverMatrixTest}.
 */
@ExtendWith(BlockHoundExtension.class)
class S11CompressedBroadcastTest {
    private static final int REFUSED = 61_001;
    private static final BsonDocument TARGETED =
            BsonDocument.parse("{find: 'orders', filter: {customerId: 42, orderId: 42003}, $db: 'shop'}");
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");

    private ScriptedMongos mongos;
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        mongos = ScriptedMongos.start()
                .withData()
                .compressing(WireCompressor.SNAPPY, WireCompressor.ZLIB, WireCompressor.ZSTD);
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
    }

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
    }

    @ParameterizedTest
    @EnumSource(names = "NOOP", mode = EnumSource.Mode.EXCLUDE)
    void theJavaDriverThatCompressesReadsWritesAndIsRefused(WireCompressor compressor) {
        try (MongoClient client = MongoClients.create(compressing(compressor) + "&maxPoolSize=1")) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            orders.insertOne(new Document("customerId", 7).append("orderId", 1).append("status", "open"));
            assertThat(orders.find(Filters.and(Filters.eq("customerId", 7), Filters.eq("orderId", 1)))
                            .first())
                    .containsEntry("status", "open");
            assertThatThrownBy(() -> orders.find(Filters.eq("status", "open")).first())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(REFUSED));
            assertThat(orders.find(Filters.eq("customerId", 7)).into(new ArrayList<>()))
                    .as("on the same connection")
                    .hasSize(1);
        }
        assertCompressed(compressor);
    }

    @ParameterizedTest
    @EnumSource(WireCompressor.class)
    void isForwardedAsItCameAndRefusedInKind(WireCompressor compressor) {
        try (RawClient client = proxy.rawClient()) {
            RawMessage targeted = new CompressedMessage(client.msg(TARGETED), compressor);
            RawMessage broadcast = new CompressedMessage(client.msg(BROADCAST), compressor);
            RawMessage plain = client.msg(BROADCAST);
            client.send(targeted, broadcast, plain);
            WireFrame found = client.receive();
            assertThat(found.responseTo()).isEqualTo(targeted.requestId());
            assertThat(found.compressor()).isEqualTo(compressor);
            WireFrame refusal = client.receive();
            assertThat(refusal.responseTo()).isEqualTo(broadcast.requestId());
            assertThat(refusal.compressor()).isEqualTo(compressor);
            assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(REFUSED);
            WireFrame plainRefusal = client.receive();
            assertThat(plainRefusal.compressed()).isFalse();
            assertThat(plainRefusal.body()).isEqualTo(refusal.body());
            assertThat(mongos.requests("find"))
                    .singleElement()
                    .satisfies(arrived -> assertThat(arrived.bytes()).isEqualTo(targeted.encode()));
        }
    }

    @Test
    void theOfferReachesTheServerAndItsChoiceTheClient() {
        try (RawClient client = proxy.rawClient()) {
            BsonDocument hello =
                    BsonDocument.parse("{hello: 1, compression: ['lz4', 'zstd', 'brotli', 'zlib'], $db: 'admin'}");
            assertThat(client.command(hello).getArray("compression"))
                    .containsExactly(new BsonString("zstd"), new BsonString("zlib"));
            BsonDocument none = BsonDocument.parse("{hello: 1, compression: ['lz4'], $db: 'admin'}");
            assertThat(client.command(none).containsKey("compression")).isFalse();
        }
    }

    @Test
    void aCompressedMessageInsideAnotherClosesTheConnection() {
        try (RawClient client = proxy.rawClient()) {
            RawMessage inner = new CompressedMessage(client.msg(BROADCAST), WireCompressor.ZLIB);
            client.send(new CompressedMessage(inner, WireCompressor.SNAPPY));
            client.expectClosed();
            Awaitility.await().until(() -> proxy.runtime().counters().closes(CloseCause.CLIENT_PROTOCOL_ERROR) == 1);
            assertThat(mongos.requests("find")).isEmpty();
        }
    }

    private String compressing(WireCompressor compressor) {
        return proxy.uri() + "?compressors=" + compressor.name().toLowerCase(Locale.ROOT);
    }

    /** Both what was refused by us and what was answered by the server came compressed, and by this compressor. */
    private void assertCompressed(WireCompressor compressor) {
        assertThat(proxy.runtime().counters().requests(OpCode.OP_COMPRESSED)).isGreaterThan(2);
        assertThat(mongos.requests("insert"))
                .isNotEmpty()
                .allSatisfy(insert -> assertThat(insert.compressor()).isEqualTo(compressor));
    }
}
