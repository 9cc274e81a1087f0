package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many clients at once: every reply reaches its own request, checked by content. */
@ExtendWith(BlockHoundExtension.class)
class ManyClientsTest {
    private static final int CLIENTS = 200;
    private static final int COMMANDS = 500;
    /** With 200 threads on few cores a turn may take long; a reply that never comes is still found. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void everyReplyReachesItsOwnRequest() throws Exception {
        long seed = System.nanoTime();
        System.out.println("ManyClientsTest seed: " + seed);
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.on("find", ManyClientsTest::echo);
            mongos.on("insert", request -> Reply.json("{ok: 1.0, n: 1}"));
            try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard())) {
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
                CountDownLatch start = new CountDownLatch(1);
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    Random random = new Random(seed + i);
                    int number = i;
                    running.add(threads.submit(() -> {
                        try (RawClient client = proxy.rawClient()) {
                            start.await();
                            client.timeout(PATIENCE);
                            new Conversation(client, number, random).run();
                        }
                        return null;
                    }));
                }
                start.countDown();
                for (Future<?> future : running) {
                    assertThatCode(future::get)
                            .as(
                                    "why connections were closed: %s",
                                    closes(proxy.runtime().counters()))
                            .doesNotThrowAnyException();
                }
                threads.shutdown();
                assertThat(proxy.runtime().counters().acceptedConnections()).isEqualTo(CLIENTS);
                assertThat(proxy.runtime().counters().refusedCommands()).isGreaterThan(CLIENTS);
                assertThat(proxy.runtime().counters().internalErrorCount()).isZero();
            }
        }
    }

    private static Map<CloseCause, Long> closes(SessionCounters counters) {
        return Arrays.stream(CloseCause.values())
                .filter(cause -> counters.closes(cause) > 0)
                .collect(Collectors.toMap(Function.identity(), counters::closes));
    }

    /** The token of the filter comes back in the only document. */
    private static Reply echo(WireFrame request) {
        BsonDocument filter = request.command().getDocument("filter");
        return Reply.cursor("shop.orders", 0, List.of(new BsonDocument("token", filter.get("token"))));
    }

    /** One client's commands: sent one to five in a packet, their replies checked in order. */
    private static final class Conversation {
        private final RawClient client;
        private final int number;
        private final Random random;
        private int asked;

        Conversation(RawClient client, int number, Random random) {
            this.client = client;
            this.number = number;
            this.random = random;
        }

        void run() {
            while (asked < COMMANDS) {
                int together = 1 + random.nextInt(5);
                List<RawMessage> messages = new ArrayList<>();
                List<Consumer<WireFrame>> checks = new ArrayList<>();
                for (int i = 0; i < together; i++) {
                    add(messages, checks);
                }
                client.send(messages.toArray(RawMessage[]::new));
                checks.forEach(check -> check.accept(client.receive()));
            }
        }

        private void add(List<RawMessage> messages, List<Consumer<WireFrame>> checks) {
            String token = number + "/" + asked++;
            switch (random.nextInt(5)) {
                case 0 -> {
                    messages.add(client.msg(find(new BsonDocument("status", new BsonString(token)))));
                    checks.add(reply -> assertThat(code(reply)).isEqualTo(61_001));
                }
                case 1 -> {
                    messages.add(client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}")));
                    checks.add(reply -> assertThat(code(reply)).isZero());
                }
                case 2 -> {
                    BsonDocument insert = BsonDocument.parse("{insert: 'orders', $db: 'shop'}");
                    List<BsonDocument> documents = List.of(targeted(token));
                    messages.add(
                            client.msg(insert).sequence("documents", documents).moreToCome());
                    messages.add(client.msg(insert).sequence("documents", documents));
                    checks.add(reply ->
                            assertThat(reply.body().getNumber("n").intValue()).isEqualTo(1));
                }
                default -> {
                    messages.add(client.msg(find(targeted(token))));
                    checks.add(reply -> assertThat(reply.body()
                                    .getDocument("cursor")
                                    .getArray("firstBatch")
                                    .get(0)
                                    .asDocument()
                                    .getString("token")
                                    .getValue())
                            .isEqualTo(token));
                }
            }
            int requestId = messages.get(messages.size() - 1).requestId();
            Consumer<WireFrame> content = checks.remove(checks.size() - 1);
            checks.add(reply -> {
                assertThat(reply.responseTo()).isEqualTo(requestId);
                content.accept(reply);
            });
        }

        private static int code(WireFrame reply) {
            return reply.body().containsKey("code")
                    ? reply.body().getNumber("code").intValue()
                    : 0;
        }

        private BsonDocument targeted(String token) {
            return new BsonDocument("customerId", new BsonInt32(number))
                    .append("orderId", new BsonInt32(asked))
                    .append("token", new BsonString(token));
        }

        private static BsonDocument find(BsonDocument filter) {
            return new BsonDocument("find", new BsonString("orders"))
                    .append("filter", filter)
                    .append("$db", new BsonString("shop"));
        }
    }
}
