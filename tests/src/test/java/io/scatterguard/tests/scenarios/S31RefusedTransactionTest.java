package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireCompressor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * S31 (transactions specification): a refusal in the middle of a transaction that the application catches, and commits all the
 * same: nothing is committed, and no driver repeats the transaction.
 */
@ExtendWith(BlockHoundExtension.class)
class S31RefusedTransactionTest {
    private static final int REFUSED = 61_001;
    private static final int NO_SUCH_TRANSACTION = 251;
    private static final int ROUNDS = 1_000;
    private static final String TRANSACTION =
            ", lsid: {id: {$binary: {base64: 'AAECAwQFBgcICQoLDA0ODw==', subType: '04'}}},"
                    + " txnNumber: {$numberLong: '1'}, autocommit: false, $db: '%s'}";
    private static final BsonDocument INSERT = inTransaction(
            "insert: 'orders', documents: [{_id: 1, customerId: 7, orderId: 1}], startTransaction: true", "shop");
    private static final BsonDocument BROADCAST = inTransaction(
            "update: 'orders', updates: [{q: {status: 'open'}, u: {$set: {status: 'sent'}}, multi: true}]", "shop");
    private static final BsonDocument COMMIT =
            inTransaction("commitTransaction: 1, recoveryToken: {recoveryShardId: 'shard-a'}", "admin");

    private final ScriptedMongos mongos = ScriptedMongos.start()
            .withData()
            .withTopologyVersion()
            .withClusterTime()
            .compressing(WireCompressor.ZLIB);
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard());
    }

    @AfterEach
    void stop() {
        proxy.close();
        mongos.close();
    }

    private static BsonDocument inTransaction(String fields, String database) {
        return BsonDocument.parse("{" + fields + TRANSACTION.formatted(database));
    }

    @ParameterizedTest
    @EnumSource(
            value = ClientTool.class,
            names = {"NODE_DRIVER", "PYMONGO", "MONGOSH"})
    void nothingIsCommittedAndNothingRepeated(ClientTool tool) {
        tool.assumeAvailable();
        BsonDocument result = ClientProcess.of(tool, proxy.uri())
                .scripts("transactions")
                .timeout(Duration.ofMinutes(4))
                .run()
                .result();
        int rounds = tool == ClientTool.MONGOSH ? 100 : ROUNDS;
        assertThat(result)
                .isEqualTo(BsonDocument.parse("{refused: " + rounds + ", late: " + rounds + ", notCommitted: " + rounds
                        + ", transient: 0, thrown: {attempts: 1, code: 61001}, caught: {attempts: 1, code: 251}}"));
        onlyTheLastIsCommitted(rounds + 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "zlib"})
    void theJavaDriverCommitsNothingAndRepeatsNothing(String compressor) {
        String uri = proxy.uri() + (compressor.equals("none") ? "" : "?compressors=" + compressor);
        try (MongoClient client = MongoClients.create(uri);
                ClientSession session = client.startSession()) {
            MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
            for (int number = 1; number <= ROUNDS; number++) {
                int id = number;
                session.startTransaction();
                orders.insertOne(session, order(number));
                fails(REFUSED, () -> broadcast(orders, session));
                fails(NO_SUCH_TRANSACTION, () -> orders.insertOne(session, order(-id)));
                fails(NO_SUCH_TRANSACTION, session::commitTransaction);
            }
            AtomicInteger attempts = new AtomicInteger();
            fails(
                    REFUSED,
                    () -> session.withTransaction(() -> {
                        orders.insertOne(session, order(attempts.incrementAndGet()));
                        broadcast(orders, session);
                        return null;
                    }));
            assertThat(attempts).hasValue(1);
            fails(
                    NO_SUCH_TRANSACTION,
                    () -> session.withTransaction(() -> {
                        orders.insertOne(session, order(attempts.incrementAndGet()));
                        fails(REFUSED, () -> broadcast(orders, session));
                        return null;
                    }));
            assertThat(attempts).hasValue(2);
            session.withTransaction(() -> orders.insertOne(session, order(0)));
        }
        onlyTheLastIsCommitted(ROUNDS + 2);
    }

    private void onlyTheLastIsCommitted(int refused) {
        assertThat(mongos.documents("shop.orders"))
                .singleElement()
                .satisfies(order ->
                        assertThat(order.getNumber("orderId").intValue()).isZero());
        assertThat(mongos.committedTransactions()).isOne();
        assertThat(mongos.abortedTransactions()).as("by the proxy").isEqualTo(refused);
        assertThat(mongos.requests("abortTransaction"))
                .as("the drivers' own are answered by the proxy")
                .hasSize(refused);
        assertThat(mongos.requests("commitTransaction")).hasSize(1);
    }

    private static void broadcast(MongoCollection<Document> orders, ClientSession session) {
        orders.updateMany(session, Filters.eq("status", "open"), Updates.set("status", "sent"));
    }

    private static void fails(int code, Runnable work) {
        assertThatThrownBy(work::run).isInstanceOfSatisfying(MongoException.class, e -> {
            assertThat(e.getCode()).isEqualTo(code);
            assertThat(e.hasErrorLabel("TransientTransactionError")).isFalse();
            assertThat(e.hasErrorLabel("UnknownTransactionCommitResult")).isFalse();
        });
    }

    private static Document order(int number) {
        return new Document("customerId", 7).append("orderId", number);
    }

    /** Whatever becomes of the abort: the transaction may well go on at the server. */
    @Test
    void anAbortThatFailsAtTheServerLetsNothingBeCommitted() {
        mongos.once("abortTransaction", Reply.json("{ok: 0.0, code: 6, codeName: 'HostUnreachable', errmsg: 'gone'}"));
        try (RawClient client = proxy.rawClient();
                RawClient other = proxy.rawClient()) {
            assertThat(client.command(INSERT).getNumber("n").intValue()).isOne();
            assertThat(client.command(BROADCAST).getNumber("code").intValue()).isEqualTo(REFUSED);
            assertThat(other.command(COMMIT).getNumber("code").intValue()).isEqualTo(NO_SUCH_TRANSACTION);
            assertThat(client.command(COMMIT).getNumber("code").intValue()).isEqualTo(NO_SUCH_TRANSACTION);
        }
        assertThat(mongos.documents("shop.orders")).isEmpty();
        assertThat(mongos.requests("commitTransaction")).isEmpty();
    }

    @Test
    void aConnectionThatDiesDuringTheAbortLetsNothingBeCommitted() {
        mongos.once("abortTransaction", Reply.close());
        try (RawClient client = proxy.rawClient()) {
            assertThat(client.command(INSERT).getNumber("n").intValue()).isOne();
            client.send(client.msg(BROADCAST));
            client.expectClosed();
        }
        try (RawClient other = proxy.rawClient()) {
            assertThat(other.command(COMMIT).getNumber("code").intValue()).isEqualTo(NO_SUCH_TRANSACTION);
        }
        assertThat(mongos.documents("shop.orders")).isEmpty();
        assertThat(mongos.requests("commitTransaction")).isEmpty();
    }

    /** Without waiting for replies: the commit comes right behind the refused statement. */
    @Test
    void aCommitThatIsAlreadyOnItsWayIsNotForwarded() {
        try (RawClient client = proxy.rawClient()) {
            client.send(client.msg(INSERT), client.msg(BROADCAST), client.msg(COMMIT));
            assertThat(client.receive().body().getNumber("n").intValue()).isOne();
            assertThat(client.receive().body().getNumber("code").intValue()).isEqualTo(REFUSED);
            assertThat(client.receive().body().getNumber("code").intValue()).isEqualTo(NO_SUCH_TRANSACTION);
        }
        assertThat(mongos.documents("shop.orders")).isEmpty();
        assertThat(mongos.abortedTransactions()).isOne();
        assertThat(mongos.requests("commitTransaction")).isEmpty();
    }
}
