package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * S16 (elixir mongodb #61; specifications PR 416): with two mongos, a transaction stays on the one it began on; when that
 * connection dies, the driver sees a network error, not a wrong answer.
 */
@ExtendWith(BlockHoundExtension.class)
class S16TransactionTest {
    private static final String CONFIG = """
            listeners:
              - bind: 127.0.0.1:0
                upstream: { hosts: ["%s", "%s"] }
            catalog: { refresh: 1s, uri: "%s" }
            policy:
              mode: enforce
              default: { reads: refuse, writes: refuse }
            audit: { sinks: [] }
            """;

    private final ScriptedMongos catalog = ScriptedMongos.start();
    private final ScriptedMongos first =
            ScriptedMongos.start().withData().withTopologyVersion().withClusterTime();
    private final ScriptedMongos second =
            ScriptedMongos.start().ofTheClusterOf(first).withTopologyVersion();
    private final List<ScriptedMongos> both = List.of(first, second);
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        String yaml = CONFIG.formatted(first.address(), second.address(), catalog.uri());
        proxy = ProxyUnderTest.of(yaml, catalog, RuntimeParts.standard());
    }

    @AfterEach
    void stop() {
        proxy.close();
        both.forEach(ScriptedMongos::close);
        catalog.close();
    }

    @Test
    void everyStatementReachesTheMongosTheTransactionBeganOn() {
        try (MongoClient client = proxy.driver();
                ClientSession session = client.startSession()) {
            session.startTransaction();
            for (int i = 0; i < 20; i++) {
                orders(client).insertOne(session, order(i));
                assertThat(orders(client).find(session, order(i)).first()).isNotNull();
            }
            assertThat(stored()).as("before the commit").isZero();
            session.commitTransaction();
            assertThat(stored()).isEqualTo(20);
            assertThat(both)
                    .extracting(mongos -> mongos.requests("insert").size())
                    .containsExactlyInAnyOrder(0, 20);

            session.startTransaction();
            orders(client).deleteOne(session, order(1));
            session.abortTransaction();
            assertThat(stored()).as("after an abort").isEqualTo(20);
        }
    }

    @Test
    void aConnectionThatDiesIsANetworkErrorAndNothingIsCommitted() {
        both.forEach(mongos -> mongos.once("find", Reply.close()));
        try (MongoClient client = proxy.driver();
                ClientSession session = client.startSession()) {
            session.startTransaction();
            orders(client).insertOne(session, order(1));
            assertThatThrownBy(() -> orders(client).find(session, order(1)).first())
                    .isInstanceOf(MongoSocketException.class)
                    .satisfies(e -> assertThat(((MongoException) e).hasErrorLabel("TransientTransactionError"))
                            .isTrue());
            assertThat(stored()).isZero();
        }
    }

    /** The reply to a commit is lost: the driver commits again, and the server says that it was done. */
    @Test
    void aCommitWhoseReplyIsLostIsRepeated() {
        AtomicInteger commits = new AtomicInteger();
        both.forEach(mongos -> mongos.on("commitTransaction", request -> {
            Reply done = Reply.document(mongos.carriedOut(request));
            return commits.incrementAndGet() == 1 ? Reply.close() : done;
        }));
        try (MongoClient client = proxy.driver();
                ClientSession session = client.startSession()) {
            session.startTransaction();
            orders(client).insertOne(session, order(1));
            session.commitTransaction();
            assertThat(stored()).isOne();
            assertThat(both.stream()
                            .mapToInt(mongos ->
                                    mongos.requests("commitTransaction").size())
                            .sum())
                    .isEqualTo(2);
        }
    }

    @Test
    void theNodeDriverCommitsAbortsAndBeginsAnewWhenItsConnectionDied() {
        ClientTool.NODE_DRIVER.assumeAvailable();
        both.forEach(mongos -> mongos.once("find", Reply.close()));
        BsonDocument result = ClientProcess.of(ClientTool.NODE_DRIVER, proxy.uri())
                .script("node-transactions.mjs")
                .run()
                .result();
        assertThat(result.getNumber("inside").intValue()).isOne();
        assertThat(result.getNumber("attempts").intValue()).isBetween(2, 3);
        assertThat(stored()).isEqualTo(2);
    }

    private int stored() {
        return first.documents("shop.orders").size();
    }

    private static Document order(int number) {
        return new Document("customerId", 7).append("orderId", number);
    }

    private static MongoCollection<Document> orders(MongoClient client) {
        return client.getDatabase("shop").getCollection("orders");
    }
}
