package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ClientProcess;
import io.scatterguard.tests.support.ClientRun;
import io.scatterguard.tests.support.ClientTool;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ReplicaSetProxy;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedConnection;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.ScriptedReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * S30 (Server Discovery and Monitoring specification): the primary behind the proxy steps down and closes no socket, and drivers,
 * which take the proxy for a mongos and would keep their pools, recover by themselves.
 */
@ExtendWith(BlockHoundExtension.class)
class S30StepDownTest {
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    private static final int WRITERS = 4;

    private static MongoCollection<Document> orders(MongoClient client) {
        return client.getDatabase("shop").getCollection("orders");
    }

    private static Document order(int customer, int number) {
        return new Document("customerId", customer).append("orderId", number);
    }

    @Test
    void aDriverRecoversByItself() {
        try (ReplicaSetProxy proxy = ReplicaSetProxy.start();
                MongoClient client = proxy.driver("the-writer")) {
            ScriptedReplicaSet set = proxy.set();
            orders(client).insertOne(order(1, 1));
            set.stepDown(1);
            orders(client).insertOne(order(1, 2));
            assertThat(set.documents("shop.orders")).hasSize(2);
            assertThat(set.member(1).requests("insert")).hasSize(1);
            everyConnectionToItWasClosed(proxy, 0, "the-writer");
        }
    }

    /** The codes alone show it: the monitors hear of it two seconds later. */
    @Test
    void aReplyTellsBeforeTheMonitor() {
        try (ReplicaSetProxy proxy = ReplicaSetProxy.fromOneSeed("10s");
                MongoClient client = proxy.driver("app")) {
            ScriptedReplicaSet set = proxy.set();
            orders(client).insertOne(order(1, 1));
            set.stepDownUnnoticed(1);
            orders(client).insertOne(order(1, 2));
            assertThat(set.documents("shop.orders")).hasSize(2);
            assertThat(set.member(1).requests("insert")).hasSize(1);
            assertThat(proxy.runtime().counters().closes(CloseCause.PRIMARY_CHANGED))
                    .isPositive();
        }
    }

    @Test
    void aWriteInFlightIsDoneOnceOnTheNewPrimary() throws Exception {
        try (ReplicaSetProxy proxy = ReplicaSetProxy.start();
                MongoClient client = proxy.driver("app")) {
            ScriptedReplicaSet set = proxy.set();
            orders(client).insertOne(order(1, 1));
            CountDownLatch steppedDown = new CountDownLatch(1);
            set.member(0).once("insert", Reply.json("""
                                    {ok: 0.0, code: 11602, codeName: "InterruptedDueToReplStateChange",
                                     errmsg: "operation was interrupted", errorLabels: ["RetryableWriteError"]}""").after(steppedDown));
            CompletableFuture<Void> write =
                    CompletableFuture.runAsync(() -> orders(client).insertOne(order(1, 2)));
            set.member(0).awaitRequests("insert", 2);
            set.stepDown(1);
            steppedDown.countDown();
            write.get(RECOVERY.toSeconds(), TimeUnit.SECONDS);
            assertThat(set.documents("shop.orders")).hasSize(2);
        }
    }

    /** Several threads write and read back what is theirs while the primary changes twice: nothing fails, nothing is crossed. */
    @Test
    void manyWritersNoticeNothing() throws Exception {
        try (ReplicaSetProxy proxy = ReplicaSetProxy.start();
                MongoClient client = proxy.driver("app")) {
            ScriptedReplicaSet set = proxy.set();
            ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
            List<Future<Integer>> writers = new ArrayList<>();
            CountDownLatch over = new CountDownLatch(1);
            for (int writer = 0; writer < WRITERS; writer++) {
                int customer = writer;
                writers.add(threads.submit(() -> writeAndRead(orders(client), customer, over)));
            }
            set.member(0).awaitRequests("insert", 100);
            set.stepDown(1);
            set.member(1).awaitRequests("insert", 100);
            set.stepDown(2);
            set.member(2).awaitRequests("insert", 100);
            over.countDown();
            int written = 0;
            for (Future<Integer> writer : writers) {
                written += writer.get(RECOVERY.toSeconds(), TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertThat(set.documents("shop.orders")).hasSize(written);
        }
    }

    private static int writeAndRead(MongoCollection<Document> orders, int customer, CountDownLatch over) {
        int written = 0;
        while (over.getCount() > 0) {
            orders.insertOne(order(customer, written));
            Document read = orders.find(Filters.and(Filters.eq("customerId", customer), Filters.eq("orderId", written)))
                    .first();
            assertThat(read).containsEntry("customerId", customer).containsEntry("orderId", written);
            written++;
        }
        return written;
    }

    /** A driver tries a write again once, and what its connection was closed on unasked not always: see {@code Farewell}. */
    @ParameterizedTest
    @EnumSource(ClientTool.class)
    void otherClientsRecoverByThemselves(ClientTool tool) throws Exception {
        tool.assumeAvailable();
        try (ReplicaSetProxy proxy = ReplicaSetProxy.start()) {
            ScriptedReplicaSet set = proxy.set();
            CompletableFuture<ClientRun> run = CompletableFuture.supplyAsync(() ->
                    ClientProcess.of(tool, proxy.uri()).scripts("failover").run());
            set.member(0).awaitRequests("insert", 50);
            set.stepDown(1);
            ClientRun ended = run.get(2, TimeUnit.MINUTES);
            BsonDocument result = ended.result();
            assertThat(result.getNumber("failed").intValue()).as(ended.output()).isZero();
            assertThat(result.getNumber("inserted").intValue()).isEqualTo(200);
            assertThat(set.documents("shop.orders")).hasSize(200);
            assertThat(set.member(1).requests("insert")).hasSizeGreaterThan(100);
        }
    }

    /** While there is no primary a client waits, and is served by the next one. */
    @Test
    void whoComesBetweenTwoPrimariesWaits() throws Exception {
        try (ReplicaSetProxy proxy = ReplicaSetProxy.start();
                RawClient first = proxy.rawClient()) {
            ScriptedReplicaSet set = proxy.set();
            first.adminCommand("ping");
            set.stepDown();
            first.expectClosed();
            try (RawClient second = proxy.rawClient()) {
                CompletableFuture<BsonDocument> reply =
                        CompletableFuture.supplyAsync(() -> second.adminCommand("ping"));
                set.stepDown(2);
                assertThat(reply.get(RECOVERY.toSeconds(), TimeUnit.SECONDS)
                                .getNumber("ok")
                                .intValue())
                        .isOne();
                assertThat(set.member(2).requests("ping")).hasSize(1);
            }
        }
    }

    @Test
    void whoWaitsTooLongIsClosedWithItsCause() {
        try (ReplicaSetProxy proxy = ReplicaSetProxy.fromOneSeed("500ms")) {
            try (RawClient first = proxy.rawClient()) {
                first.adminCommand("ping");
                proxy.set().stepDown();
                first.expectClosed();
            }
            try (RawClient client = proxy.rawClient()) {
                client.send(client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}")));
                client.expectClosed();
            }
            assertThat(proxy.runtime().counters().closes(CloseCause.NO_PRIMARY)).isPositive();
        }
    }

    private static void everyConnectionToItWasClosed(ReplicaSetProxy proxy, int member, String appName) {
        ScriptedMongos old = proxy.set().member(member);
        await().atMost(RECOVERY)
                .untilAsserted(() -> assertThat(old.connections().stream()
                                .filter(ScriptedConnection::isOpen)
                                .filter(connection -> connection.received().stream()
                                        .limit(1)
                                        .anyMatch(hello -> hello.body().toJson().contains(appName))))
                        .isEmpty());
        assertThat(proxy.runtime().counters().closes(CloseCause.PRIMARY_CHANGED))
                .isPositive();
    }
}
