package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The way out under load: 200 clients send broadcasts while judging is turned off, and on again. What is sent after the switch
 * is judged by it, no connection ends, and no reply reaches another request.
 */
@ExtendWith(BlockHoundExtension.class)
class BypassUnderLoadTest {
    /** Metadata is read once: a command that waits for it in vain passes, whatever the mode. */
    private static final String CONFIG = """
            listeners: [ { bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } } ]
            catalog: { refresh: 1h }
            policy: { mode: enforce, default: { reads: refuse } }
            audit: { sinks: [] }
            """;

    private static final int CLIENTS = 200;
    private static final int SWITCHES = 6;
    private static final int EXCHANGES = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** How many switches have begun, and ended; after an odd number nothing is judged. */
    private final AtomicInteger begun = new AtomicInteger();

    private final AtomicInteger ended = new AtomicInteger();

    /** What had waited for metadata in vain when the switching began: nothing may be added to it. */
    private volatile long missesBefore;

    @Test
    void itCountsAtOnceAndNobodyIsDropped() throws Exception {
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.on("find", BypassUnderLoadTest::echo);
            try (ProxyUnderTest proxy = ProxyUnderTest.configured(mongos, CONFIG, RuntimeParts.standard())) {
                awaitRefusal(proxy);
                missesBefore = misses(proxy);
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
                Phaser running = new Phaser(CLIENTS + 1);
                List<Future<int[]>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    int number = i;
                    clients.add(threads.submit(() -> converse(proxy, number, running)));
                }
                for (int i = 0; i < SWITCHES; i++) {
                    running.arriveAndAwaitAdvance();
                    begun.incrementAndGet();
                    proxy.runtime().setMode(null, i % 2 == 0 ? Mode.BYPASS : null);
                    ended.incrementAndGet();
                }
                running.arriveAndDeregister();
                int refused = 0;
                int passed = 0;
                for (Future<int[]> client : clients) {
                    int[] counts = client.get();
                    refused += counts[0];
                    passed += counts[1];
                }
                threads.shutdown();
                assertThat(misses(proxy))
                        .as("commands that waited for metadata in vain")
                        .isEqualTo(missesBefore);
                System.out.printf("BypassUnderLoadTest: %d refused, %d passed%n", refused, passed);
                assertThat(refused).isPositive();
                assertThat(passed).isPositive();
                assertThat(proxy.runtime().counters().acceptedConnections()).isEqualTo(CLIENTS + 1);
                assertThat(proxy.runtime().counters().internalErrorCount()).isZero();
            }
        }
    }

    private static long misses(ProxyUnderTest proxy) {
        return proxy.runtime().counters().metadataMisses();
    }

    private static void awaitRefusal(ProxyUnderTest proxy) {
        try (RawClient client = proxy.rawClient()) {
            await().atMost(PATIENCE).until(() -> client.command(find("first")).containsKey("code"));
        }
    }

    private static Reply echo(WireFrame request) {
        BsonDocument filter = request.command().getDocument("filter");
        return Reply.cursor("shop.orders", 0, List.of(new BsonDocument("status", filter.get("status"))));
    }

    /** Refused and passed, as this client saw it. */
    private int[] converse(ProxyUnderTest proxy, int number, Phaser running) {
        int[] counts = new int[2];
        try (RawClient client = proxy.rawClient()) {
            client.timeout(PATIENCE);
            for (int asked = 0; asked < SWITCHES * EXCHANGES; asked++) {
                if (asked % EXCHANGES == 0) {
                    running.arriveAndAwaitAdvance();
                }
                exchange(proxy, client, number + "/" + asked, counts);
            }
        } finally {
            running.arriveAndDeregister();
        }
        return counts;
    }

    /** Three broadcasts in one packet. */
    private void exchange(ProxyUnderTest proxy, RawClient client, String token, int[] counts) {
        int known = ended.get();
        List<RawMessage> messages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            messages.add(client.msg(find(token + "/" + i)));
        }
        client.send(messages.toArray(RawMessage[]::new));
        List<Boolean> refusals = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            WireFrame reply = client.receive();
            assertThat(reply.responseTo()).isEqualTo(messages.get(i).requestId());
            boolean refused = reply.body().containsKey("code");
            refusals.add(refused);
            counts[refused ? 0 : 1]++;
            if (refused) {
                assertThat(reply.body().getNumber("code").intValue()).isEqualTo(61_001);
            } else {
                assertThat(reply.body().toJson()).contains("\"" + token + "/" + i + "\"");
            }
        }
        if (known == begun.get()) {
            // What waits for metadata in vain passes whatever the mode: a failure for that reason says so.
            assertThat(refusals)
                    .as("after %d switches, with %d misses of metadata", known, misses(proxy) - missesBefore)
                    .containsOnly(known % 2 == 0);
        }
    }

    private static BsonDocument find(String token) {
        return new BsonDocument("find", new BsonString("orders"))
                .append("filter", new BsonDocument("status", new BsonString(token)))
                .append("$db", new BsonString("shop"));
    }
}
