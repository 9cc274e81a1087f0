package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.SessionCounters;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.MemoryFigures;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.SinkMongos;
import io.scatterguard.tests.support.WireFrame;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Very many refused commands, and connections that end at a random byte: zero leaked buffers (which every test class
 * checks), zero stuck connections, flat memory. From kroxylicious PR 401 and 2114. How many is set by {@code
 * -Dscatterguard.refusals} and {@code -Dscatterguard.disconnects}; the profile {@code full} runs a million and 100,000.
 */
@ExtendWith(BlockHoundExtension.class)
class S23ZeroLeaksTest {
    private static final int BATCH = 100;
    private static final int CLIENTS = 4;
    private static final int REFUSED = 61_001;
    private static final long HEAP_SLACK_BYTES = 16L << 20;
    private static final String BROADCAST = "{find: 'orders', filter: {status: 'open'}, $db: 'shop'}";

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private SinkMongos sink;
    private ProxyUnderTest proxy;

    @BeforeEach
    void start() {
        sink = ProxyUnderTest.sink();
        proxy = ProxyUnderTest.inFrontOf(
                sink, RuntimeParts.standard().withAllocator(allocator), ", requestStallTimeout: 1m", "");
    }

    @AfterEach
    void stop() {
        proxy.close();
        assertThat(allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory())
                .as("bytes of buffers when everything has ended")
                .isZero();
    }

    @Test
    void refusedCommandsLeaveNothingBehind() throws Exception {
        int refusals = Integer.getInteger("scatterguard.refusals", 50_000);
        int batches = refusals / BATCH / CLIENTS;
        refuse(batches / 10);
        MemoryFigures early = MemoryFigures.of(allocator);
        refuse(batches - batches / 10);
        assertThat(proxy.runtime().counters().refusedCommands()).isEqualTo((long) batches * BATCH * CLIENTS);
        assertThat(proxy.runtime().counters().forwardedRequests()).isZero();
        assertFlat("refused commands", refusals, early);
    }

    /** By several clients at once, each of which sends {@code batches} packets. */
    private void refuse(int batches) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            Callable<Void> one = () -> refusedAll(batches);
            for (Future<Void> client : clients.invokeAll(Collections.nCopies(CLIENTS, one))) {
                client.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private Void refusedAll(int batches) {
        byte[] packet = packet();
        try (RawClient client = proxy.rawClient().readingAhead()) {
            for (int i = 0; i < batches; i++) {
                client.sendBytes(packet);
                for (int requestId = 1; requestId <= BATCH; requestId++) {
                    WireFrame reply = client.receive();
                    if (reply.responseTo() != requestId
                            || reply.body().getNumber("code").intValue() != REFUSED) {
                        throw new AssertionError(reply + " (expected: the refusal of " + requestId + ")");
                    }
                }
            }
        }
        return null;
    }

    /** A broadcast as often as goes into one packet, by requestIds that count from 1. */
    private static byte[] packet() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int requestId = 1; requestId <= BATCH; requestId++) {
            all.writeBytes(message(requestId, BROADCAST));
        }
        return all.toByteArray();
    }

    @Test
    void connectionsThatEndAtARandomByteLeaveNothingBehind() {
        int disconnects = Integer.getInteger("scatterguard.disconnects", 2_000);
        long seed = System.nanoTime();
        System.out.println("seed of the disconnects: " + seed);
        Random dice = new Random(seed);
        byte[] stream = stream();
        disconnect(dice, stream, disconnects / 10);
        awaitNobody();
        MemoryFigures early = MemoryFigures.of(allocator);
        disconnect(dice, stream, disconnects - disconnects / 10);
        awaitNobody();
        assertThat(proxy.runtime().counters().internalErrorCount()).isZero();
        assertThat(proxy.runtime().requestBudget().reservedBytes()).isZero();
        assertThat(proxy.runtime().requestBudget().waiting()).isZero();
        assertFlat("disconnects", disconnects, early);
    }

    private void disconnect(Random dice, byte[] stream, int count) {
        for (int i = 0; i < count; i++) {
            try (RawClient client = proxy.rawClient()) {
                // Half of them within the small messages at the start.
                int cut = 1 + dice.nextInt(dice.nextBoolean() ? stream.length : 2_000);
                client.sendBytes(Arrays.copyOf(stream, cut));
                switch (dice.nextInt(4)) {
                    case 0 -> client.reset();
                    case 1 -> client.halfClose();
                    case 2 -> client.receiveSome(1 + dice.nextInt(100), Duration.ofMillis(5));
                    default -> client.hangUp();
                }
            }
            if (i % 200 == 199) {
                // The kernel would queue connections faster than both sides are accepted.
                awaitNobody();
            }
        }
    }

    private void awaitNobody() {
        SessionCounters counters = proxy.runtime().counters();
        awaitUntil(() -> counters.openConnections() == 0);
        awaitUntil(() -> sink.openConnections() < 10); // Those of the metadata's reader stay.
    }

    private static void awaitUntil(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    /** A handshake, commands that are forwarded and refused, with and without reply, and one that needs a reservation. */
    private static byte[] stream() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        BsonDocument insert = BsonDocument.parse("{insert: 'uploads', $db: 'shop'}");
        all.writeBytes(message(1, "{hello: 1, $db: 'admin', client: {application: {name: 'tests'}}}"));
        all.writeBytes(message(2, BROADCAST));
        all.writeBytes(message(3, "{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}"));
        all.writeBytes(
                OpMsgBuilder.of(4, BsonDocument.parse(BROADCAST)).checksum().encode());
        all.writeBytes(OpMsgBuilder.of(5, insert.clone().append("filler", filler(200)))
                .moreToCome()
                .encode());
        all.writeBytes(message(6, "{saslStart: 1, mechanism: 'PLAIN', payload: 'AGEAYg==', $db: '$external'}"));
        all.writeBytes(message(7, BROADCAST));
        all.writeBytes(OpMsgBuilder.of(8, insert.clone().append("filler", filler(150_000)))
                .encode());
        all.writeBytes(message(9, BROADCAST));
        return all.toByteArray();
    }

    private static BsonBinary filler(int bytes) {
        return new BsonBinary(new byte[bytes]);
    }

    private static byte[] message(int requestId, String body) {
        return OpMsgBuilder.of(requestId, BsonDocument.parse(body)).encode();
    }

    private void assertFlat(String what, int count, MemoryFigures early) {
        awaitNobody();
        MemoryFigures late = MemoryFigures.of(allocator);
        System.out.printf("%,d %s: after a tenth %s; at the end %s%n", count, what, early, late);
        assertThat(late.bufferBytes()).isLessThanOrEqualTo(early.bufferBytes());
        assertThat(late.heapBytes()).isLessThan(early.heapBytes() + HEAP_SLACK_BYTES);
    }
}
