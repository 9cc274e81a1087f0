package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.PeakAllocator;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.SinkMongos;
import io.scatterguard.tests.support.WireFrame;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many large requests at once, and what the proxy holds meanwhile, counted at the allocator. */
@ExtendWith(BlockHoundExtension.class)
class BulkWritesTest {
    private static final int CLIENTS = 64;
    private static final long BUDGET_BYTES = 256L << 20;
    /** What is read of each client beyond its request: what {@code docs/configuration.md} says of a connection. */
    private static final long READ_AHEAD_BYTES = CLIENTS * 256L * 1024;

    private static final int REQUEST_ID = 7;

    @Test
    void sixtyFourWritesOf47MegabytesAtOnceAllCompleteWithinTheBudget() throws Exception {
        byte[] write = write(47_000_000);
        PeakAllocator allocator = new PeakAllocator();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (SinkMongos sink = ProxyUnderTest.sink();
                ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(
                        sink,
                        RuntimeParts.standard().withAllocator(allocator),
                        ", requestBuffer: 256MiB, requestBufferTimeout: 10m, requestStallTimeout: 5m, handshakeTimeout: 5m",
                        "")) {
            allocator.resetPeak();
            long began = System.nanoTime();
            List<Future<Integer>> acknowledged = clients.invokeAll(Collections.nCopies(CLIENTS, writing(proxy, write)));
            for (Future<Integer> n : acknowledged) {
                assertThat(n.get()).isEqualTo(REQUEST_ID);
            }
            System.out.printf(
                    "%d writes of %,d bytes: %,d ms, at most %,d bytes of buffers at once (budget: %,d)%n",
                    CLIENTS,
                    write.length,
                    (System.nanoTime() - began) / 1_000_000,
                    allocator.peakBytes(),
                    BUDGET_BYTES);
            assertThat(sink.largeRequests()).isEqualTo(CLIENTS);
            assertThat(allocator.peakBytes()).isBetween((long) write.length, BUDGET_BYTES + READ_AHEAD_BYTES);
            assertThat(proxy.runtime().requestBudget().reservedBytes()).isZero();
            assertThat(proxy.runtime().requestBudget().waiting()).isZero();
        } finally {
            clients.shutdownNow();
        }
    }

    private static Callable<Integer> writing(ProxyUnderTest proxy, byte[] write) {
        return () -> {
            try (RawClient client = proxy.rawClient()) {
                client.timeout(java.time.Duration.ofMinutes(5));
                client.sendBytes(write);
                WireFrame reply = client.receive();
                assertThat(reply.responseTo()).isEqualTo(REQUEST_ID);
                return reply.body().getNumber("n").intValue();
            }
        };
    }

    /** An insert of about {@code bytes} bytes: documents of a megabyte in a sequence. */
    private static byte[] write(int bytes) {
        BsonDocument document = new BsonDocument("filler", new BsonBinary(new byte[1_000_000 - 100]));
        return OpMsgBuilder.of(REQUEST_ID, BsonDocument.parse("{insert: 'uploads', $db: 'shop'}"))
                .sequence("documents", Collections.nCopies(bytes / 1_000_000, document))
                .encode();
    }
}
