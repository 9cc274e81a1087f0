package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AuditQueueTest {
    private static final PendingEvent PENDING = new PendingEvent(
            Given.NOW,
            Given.SOURCE,
            new AuditEvent.Subject(Given.broadcast().namespace(), "find", null, null),
            null,
            Given.LOGGED,
            null);

    private static boolean offer(AuditQueue queue) {
        return queue.offer(new QueuedRecord.Ended(PENDING, Given.UNSEEN));
    }

    /** The numbers of the slots: {@code 4} for a record, {@code 5-7} for a gap. */
    private static List<String> take(AuditQueue queue, int max) throws InterruptedException {
        List<AuditQueue.Slot> slots = new ArrayList<>();
        queue.take(slots, max, 1);
        return slots.stream().map(AuditQueueTest::text).toList();
    }

    private static String text(AuditQueue.Slot slot) {
        return slot instanceof Gap gap
                ? gap.from() + "-" + gap.to()
                : String.valueOf(((AuditQueue.Numbered) slot).seq());
    }

    @Test
    void whatFindsNoRoomIsAGapInItsPlace() throws InterruptedException {
        AuditQueue queue = new AuditQueue(2, new HighWater(null, 2), new AuditLedger());

        assertThat(List.of(offer(queue), offer(queue), offer(queue), offer(queue), offer(queue)))
                .containsExactly(true, true, false, false, false);
        assertThat(take(queue, 1)).containsExactly("1");
        assertThat(offer(queue)).isTrue();
        assertThat(offer(queue)).isFalse();
        assertThat(take(queue, 10)).containsExactly("2", "3-5", "6", "7-7");
        assertThat(offer(queue)).isTrue();
        assertThat(take(queue, 10)).containsExactly("8");
    }

    @Test
    void aClosedQueueTakesNothingMoreButGivesWhatItHas() throws InterruptedException {
        AuditQueue queue = new AuditQueue(5, new HighWater(null, 5), new AuditLedger());
        offer(queue);
        queue.close();

        assertThat(offer(queue)).isFalse();
        List<AuditQueue.Slot> slots = new ArrayList<>();
        assertThat(queue.take(slots, 10, 1)).isTrue();
        assertThat(slots.stream().map(AuditQueueTest::text)).containsExactly("1", "2-2");
        slots.clear();
        assertThat(queue.take(slots, 10, 1)).isFalse();
    }

    /** Every number comes out once, ascending, as a record or in a gap, whatever the threads do. */
    @Test
    void numbersAreInOrderAcrossThreads() throws Exception {
        AuditQueue queue = new AuditQueue(16, new HighWater(null, 16), new AuditLedger());
        int threads = 4;
        long each = 5_000;
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    offer(queue);
                }
                done.countDown();
            });
            thread.start();
        }
        long expected = 1;
        List<AuditQueue.Slot> slots = new ArrayList<>();
        while (expected <= threads * each) {
            queue.take(slots, 8, 100);
            for (AuditQueue.Slot slot : slots) {
                Gap covers = slot instanceof Gap gap ? gap : seq((AuditQueue.Numbered) slot);
                assertThat(covers.from()).isEqualTo(expected);
                expected = covers.to() + 1;
            }
            slots.clear();
        }
        done.await();
        assertThat(expected).isEqualTo(threads * each + 1);
    }

    private static Gap seq(AuditQueue.Numbered numbered) {
        return new Gap(numbered.seq(), numbered.seq());
    }
}
