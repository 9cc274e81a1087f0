package io.scatterguard.proxy.audit;

import static io.scatterguard.proxy.audit.AuditPipelineTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each sink has a queue of its own: what one of them loses, or keeps waiting, is nobody else's business. */
class SinkLanesTest {
    /** A sink that must not lose a record, and whose writes wait until the gate is opened. */
    private static final class BlockingSink extends AuditPipelineTest.GatedSink {
        @Override
        public WhenFull whenFull() {
            return WhenFull.BLOCK;
        }
    }

    private static List<String> seqs(Given.MemorySink sink) {
        return List.copyOf(sink.lines).stream().map(AuditPipelineTest::seqOrGap).toList();
    }

    @Test
    void aSinkThatHangsCostsTheOthersNothing() throws Exception {
        AuditPipelineTest.GatedSink hanging = new AuditPipelineTest.GatedSink();
        Given.MemorySink healthy = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 10), hanging, healthy);
        record(pipeline);
        hanging.entered.await();
        for (int i = 0; i < 50; i++) {
            int seq = i + 2;
            record(pipeline);
            await().until(() -> healthy.lines.size() == seq);
        }

        assertThat(pipeline.dropped()).as("1 in the sink and 10 waiting").isEqualTo(40);
        assertThat(pipeline.sinks())
                .extracting(SinkStatus::written, SinkStatus::dropped, SinkStatus::waiting)
                .containsExactly(tuple(0L, 40L, 10), tuple(51L, 0L, 0));
        assertThat(pipeline.sinks()).extracting(SinkStatus::capacity).containsExactly(10, 10);
        assertThat(pipeline.sinks()).extracting(SinkStatus::peak).first().isEqualTo(10);
        hanging.gate.countDown();
        pipeline.close();

        assertThat(seqs(hanging))
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12-51 (40)");
        assertThat(pipeline.recorded()).isEqualTo(11);
        assertThat(pipeline.dropped()).isEqualTo(40);
    }

    @Test
    void aSinkThatMustNotLoseARecordPausesWhoMakesThem() throws Exception {
        BlockingSink sink = new BlockingSink();
        AtomicInteger resumed = new AtomicInteger();
        Runnable resume = resumed::incrementAndGet;
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 100), sink);
        record(pipeline);
        sink.entered.await();
        record(pipeline, 49);
        assertThat(pipeline.pressure().pause(resume)).as("49 of 100 wait").isFalse();
        record(pipeline);
        await().until(() -> pipeline.pressure().pause(resume));
        record(pipeline, 50);
        await().until(() -> pipeline.sinks().get(0).waiting() == 100);
        assertThat(pipeline.dropped()).as("what was in flight has room").isZero();

        sink.gate.countDown();
        await().until(() -> resumed.get() == 1);
        assertThat(pipeline.pressure().pause(resume)).isFalse();
        pipeline.close();
        assertThat(sink.lines).hasSize(101);
        assertThat(pipeline.dropped()).isZero();
    }

    /** The neighbour. */
    @Test
    void aSinkThatMayLoseRecordsPausesNobody() throws Exception {
        AuditPipelineTest.GatedSink sink = new AuditPipelineTest.GatedSink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 4), sink);
        record(pipeline);
        sink.entered.await();
        record(pipeline, 20);
        await().until(() -> pipeline.dropped() == 16);

        assertThat(pipeline.pressure().pause(() -> {})).isFalse();
        sink.gate.countDown();
        pipeline.close();
    }

    @Test
    void whatArrivedOfABatchIsNotInTheGap() {
        Given.MemorySink sink = new Given.MemorySink() {
            private boolean failed;

            @Override
            public void write(List<byte[]> batch) throws IOException {
                if (!failed && batch.size() == 5) {
                    failed = true;
                    super.write(batch.subList(0, 3));
                    throw new PartlyWrittenException(3, new IOException("No space left on device"));
                }
                super.write(batch);
            }
        };
        SinkOutlet outlet = new SinkOutlet(sink, gap -> (gap.from() + "-" + gap.to()).getBytes(StandardCharsets.UTF_8));
        AuditLedger ledger = new AuditLedger();
        List<LaneSlot> batch = new ArrayList<>();
        for (int seq = 1; seq <= 5; seq++) {
            batch.add(new RecordLine(seq, String.valueOf(seq).getBytes(StandardCharsets.UTF_8), 1, ledger));
        }

        assertThat(outlet.write(batch)).isEqualTo(3);
        assertThat(outlet.write(List.of())).isZero();
        assertThat(sink.lines).containsExactly("1", "2", "3", "4-5");
    }

    @Test
    void aGapThatArrivedIsNotSaidTwice() {
        Given.MemorySink sink = new Given.MemorySink() {
            @Override
            public void write(List<byte[]> batch) throws IOException {
                super.write(batch.subList(0, 1));
                throw new PartlyWrittenException(1, new IOException("No space left on device"));
            }
        };
        SinkOutlet outlet = new SinkOutlet(sink, gap -> (gap.from() + "-" + gap.to()).getBytes(StandardCharsets.UTF_8));
        outlet.missed(new Gap(1, 9));
        LaneSlot record = new RecordLine(10, "10".getBytes(StandardCharsets.UTF_8), 1, new AuditLedger());

        assertThat(outlet.write(List.of(record)))
                .as("nothing but the gap before it")
                .isZero();
        assertThat(outlet.write(List.of())).isZero();
        assertThat(sink.lines).containsExactly("1-9", "10-10");
    }

    @Test
    void longRecordsTakeTheRoomOfSeveral() throws Exception {
        LaneQueue queue = new LaneQueue(4, new HighWater(null, 4));
        byte[] bytes = new byte[3 * LaneQueue.BYTES_PER_RECORD];
        AuditLedger ledger = new AuditLedger();
        RecordLine first = new RecordLine(1, bytes, 1, ledger);
        RecordLine second = new RecordLine(2, bytes, 1, ledger);
        RecordLine small = new RecordLine(3, new byte[10], 1, ledger);

        assertThat(queue.add(List.of(first, second, small))).containsExactly(second);
        List<LaneSlot> taken = new ArrayList<>();
        queue.take(taken, 10, 1);
        assertThat(taken).containsExactly(first, new Gap(2, 2), small);
        RecordLine huge = new RecordLine(4, new byte[10 * LaneQueue.BYTES_PER_RECORD], 1, ledger);
        assertThat(queue.add(List.of(huge)))
                .as("one always has room, however long")
                .isEmpty();
    }

    /** Long records fill a queue by their bytes: who makes them must be paused before any is dropped. */
    @Test
    void bytesPauseAsRecordsDo() throws Exception {
        AuditPressure pressure = new AuditPressure();
        LaneQueue queue = new LaneQueue(8, new HighWater(pressure, 8));
        AuditLedger ledger = new AuditLedger();
        LaneSlot small = new RecordLine(1, new byte[LaneQueue.BYTES_PER_RECORD - 1], 1, ledger);
        LaneSlot large = new RecordLine(2, new byte[3 * LaneQueue.BYTES_PER_RECORD], 1, ledger);
        queue.add(List.of(small));
        assertThat(pressure.pause(() -> {})).as("less than one of 8").isFalse();
        queue.add(List.of(large));
        assertThat(pressure.pause(() -> {})).as("less than 4 of 8, rounded up").isTrue();
        queue.take(new ArrayList<>(), 1, 1);
        assertThat(pressure.paused()).as("3 of 8 still wait").isEqualTo(1);
        queue.take(new ArrayList<>(), 1, 1);
        assertThat(pressure.paused()).isZero();
    }

    @Test
    void whoIsRelievedIsToldWithoutALock() throws Exception {
        AuditPressure pressure = new AuditPressure();
        LaneQueue lane = new LaneQueue(1, new HighWater(pressure, 1));
        AuditQueue queue = new AuditQueue(1, new HighWater(pressure, 1), new AuditLedger());
        List<Boolean> held = new ArrayList<>();
        Runnable told = () -> held.add(Thread.holdsLock(lane) || Thread.holdsLock(queue) || Thread.holdsLock(pressure));
        lane.add(List.of(new RecordLine(1, new byte[10], 1, new AuditLedger())));
        pressure.pause(told);
        lane.take(new ArrayList<>(), 1, 1);
        queue.addAll(List.of((json, seq, now, settings) -> new byte[0]));
        pressure.pause(told);
        queue.take(new ArrayList<>(), 1, 1);

        assertThat(held).containsExactly(false, false);
    }

    @Test
    void whatIsInHandCountsUntilItIsKnownWhatBecameOfIt() throws Exception {
        LaneQueue queue = new LaneQueue(8, new HighWater(null, 8));
        AuditLedger ledger = new AuditLedger();
        queue.add(List.of(
                new RecordLine(1, new byte[10], 1, ledger),
                new Gap(2, 4),
                new RecordLine(5, new byte[10], 1, ledger),
                new RecordLine(6, new byte[10], 1, ledger)));
        queue.take(new ArrayList<>(), 3, 1);

        assertThat(queue.records()).isEqualTo(1);
        assertThat(queue.unsettled()).isEqualTo(3);
        queue.settled();
        assertThat(queue.unsettled()).isEqualTo(1);
    }

    @Test
    void closingCountsWhatASinkThatHangsDidNotGet() throws Exception {
        AuditPipelineTest.GatedSink hanging = new AuditPipelineTest.GatedSink();
        Given.MemorySink healthy = new Given.MemorySink();
        AuditSettings settings = new AuditSettings(
                "staging-eu", "proxy-1", Recording.FINDINGS, Findings.EVERY, 100, Duration.ofMillis(20));
        AuditPipeline pipeline = Given.pipeline(settings, hanging, healthy);
        record(pipeline);
        hanging.entered.await();
        record(pipeline, 7);
        await().until(() -> healthy.lines.size() == 8);
        pipeline.close();

        assertThat(pipeline.dropped()).isEqualTo(8);
        assertThat(pipeline.sinks())
                .extracting(SinkStatus::written, SinkStatus::dropped)
                .containsExactly(tuple(0L, 8L), tuple(8L, 0L));
        await().untilAsserted(() -> assertThat(hanging.closed).isTrue());
        assertThat(pipeline.dropped() + pipeline.recorded()).isEqualTo(8);
    }

    @Test
    void whoIsGoneKeepsNobodyFromResuming() {
        AuditPressure pressure = new AuditPressure();
        CountDownLatch resumed = new CountDownLatch(1);
        pressure.raise();
        pressure.pause(() -> {
            throw new IllegalStateException("event loop shut down");
        });
        pressure.pause(() -> {
            throw new NoClassDefFoundError("simulated");
        });
        pressure.pause(resumed::countDown);
        pressure.lower();

        assertThat(resumed.getCount()).isZero();
    }
}
