package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.PeakAllocator;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireHeader;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory while a large reply passes, counted at the allocator. */
@ExtendWith(BlockHoundExtension.class)
class LargeReplyTest {
    private static final int SIXTEEN_MEBIBYTES = 16 * 1024 * 1024;
    private static final int BOUND_BYTES = 512 * 1024;

    @Test
    void aSixteenMebibyteReplyPassesInLittleMemoryThoughTheClientIsSlow() {
        PeakAllocator allocator = new PeakAllocator();
        try (ScriptedMongos mongos = ScriptedMongos.start()) {
            mongos.always("find", Reply.cursorOfBytes("shop.orders", SIXTEEN_MEBIBYTES));
            try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOf(
                            mongos, RuntimeParts.standard().withAllocator(allocator));
                    RawClient client = RawClient.connect(proxy.runtime().address(), 16 * 1024)) {
                client.adminCommand("ping");
                allocator.resetPeak();
                client.send(client.msg(
                        BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}")));
                WireHeader header = client.receiveHeaderOnly();
                int left = header.messageLength() - WireHeader.BYTES;
                while (left > 0) {
                    int part = Math.min(left, 10_000);
                    client.readBytes(part);
                    left -= part;
                }
                assertThat(client.adminCommand("ping").getNumber("ok").intValue())
                        .isEqualTo(1);
            }
            System.out.printf(
                    "16 MiB reply: at most %,d bytes of buffers at once (bound: %,d)%n",
                    allocator.peakBytes(), BOUND_BYTES);
            assertThat(allocator.peakBytes()).isBetween(1L, (long) BOUND_BYTES);
        }
    }
}
