package io.scatterguard.proxy.audit;

import static io.scatterguard.proxy.audit.AuditPipelineTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sinks that take the place of others while records come. */
class SinkChangesTest {
    private static final AuditSettings SETTINGS = Given.settings(Recording.FINDINGS, 100);

    /** Sinks of one destination: whether two were ever used at one time. */
    private static final class Shared {
        final AtomicInteger inUse = new AtomicInteger();
        final List<String> lines = new ArrayList<>();
        volatile boolean usedTwice;
        volatile boolean hangs;
    }

    /** One of several that write to the same destination; open from its first write until it is closed. */
    private static final class SharedSink extends Given.MemorySink {
        private final Shared shared;
        private boolean open;

        SharedSink(Shared shared) {
            this.shared = shared;
        }

        @Override
        public void write(List<byte[]> batch) throws IOException {
            if (!open) {
                open = true;
                shared.usedTwice |= shared.inUse.incrementAndGet() > 1;
            }
            try {
                while (shared.hangs) {
                    Thread.sleep(1);
                }
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
            super.write(batch);
            batch.forEach(line -> shared.lines.add(new String(line, StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {
            super.close();
            if (open) {
                shared.inUse.decrementAndGet();
            }
        }
    }

    /** One of another destination. */
    private static final class AnotherSink extends Given.MemorySink {
        @Override
        public String name() {
            return "another";
        }
    }

    private static AuditSettings impatient() {
        return new AuditSettings(
                "staging-eu", "proxy-1", Recording.FINDINGS, Findings.EVERY, 100, Duration.ofMillis(20));
    }

    private static List<String> seqs(Stream<String> lines) {
        return lines.map(AuditPipelineTest::seqOrGap).toList();
    }

    private static List<String> numbers(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(String::valueOf).toList();
    }

    @Test
    void whatWaitsForTheFormerSinkIsWrittenToIt() throws Exception {
        AuditPipelineTest.GatedSink former = new AuditPipelineTest.GatedSink();
        Given.MemorySink next = new AnotherSink();
        AuditPipeline pipeline = Given.pipeline(SETTINGS, former);
        record(pipeline);
        former.entered.await();
        record(pipeline, 6);
        await().until(() -> pipeline.sinks().get(0).waiting() == 6);
        pipeline.use(SETTINGS, List.of(next));
        record(pipeline, 5);
        await().until(() -> next.lines.size() == 5);
        assertThat(former.lines).isEmpty();
        former.gate.countDown();
        await().until(() -> former.closed);

        assertThat(seqs(former.lines.stream())).containsExactlyElementsOf(numbers(7));
        assertThat(seqs(next.lines.stream())).containsExactly("8", "9", "10", "11", "12");
        pipeline.close();
        assertThat(pipeline.recorded()).isEqualTo(12);
        assertThat(pipeline.dropped()).isZero();
    }

    @Test
    void aSinkThatStaysKeepsItsQueue() throws Exception {
        AuditPipelineTest.GatedSink stays = new AuditPipelineTest.GatedSink();
        Given.MemorySink added = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(SETTINGS, stays);
        record(pipeline);
        stays.entered.await();
        record(pipeline, 3);
        await().until(() -> pipeline.sinks().get(0).waiting() == 3);
        pipeline.use(SETTINGS, List.of(added, stays));

        assertThat(pipeline.sinks()).extracting(SinkStatus::waiting).containsExactly(0, 3);
        assertThat(stays.closed).isFalse();
        record(pipeline, 2);
        stays.gate.countDown();
        pipeline.close();
        assertThat(seqs(stays.lines.stream())).containsExactlyElementsOf(numbers(6));
        assertThat(seqs(added.lines.stream())).containsExactly("5", "6");
        assertThat(pipeline.dropped()).isZero();
    }

    /** Nothing waits for it any longer than for a process that ends, and clients do not wait at all. */
    @Test
    void aSinkThatHangsAndIsTakenAwayHoldsNobodyUp() throws Exception {
        AuditPipelineTest.GatedSink hanging = new AuditPipelineTest.GatedSink() {
            @Override
            public WhenFull whenFull() {
                return WhenFull.BLOCK;
            }
        };
        AuditPipeline pipeline = Given.pipeline(impatient(), hanging);
        AtomicInteger resumed = new AtomicInteger();
        Runnable resume = resumed::incrementAndGet;
        record(pipeline);
        hanging.entered.await();
        record(pipeline, 60);
        await().until(() -> pipeline.pressure().pause(resume));
        Given.MemorySink next = new AnotherSink();
        pipeline.use(impatient(), List.of(next));

        assertThat(resumed.get()).isOne();
        assertThat(pipeline.pressure().pause(resume)).isFalse();
        await().until(() -> pipeline.dropped() == 61);
        await().until(() -> hanging.closed);
        record(pipeline, 2);
        pipeline.close();
        assertThat(seqs(next.lines.stream())).containsExactly("62", "63");
        assertThat(pipeline.recorded()).isEqualTo(2);
        assertThat(pipeline.dropped()).isEqualTo(61);
    }

    @Test
    void aSinkOfTheSameDestinationTakesOverWhatWaits() {
        Shared shared = new Shared();
        shared.hangs = true;
        SharedSink former = new SharedSink(shared);
        AuditPipeline pipeline = Given.pipeline(SETTINGS, former);
        record(pipeline);
        await().until(() -> shared.inUse.get() == 1);
        record(pipeline, 4);
        await().until(() -> pipeline.sinks().get(0).waiting() == 4);
        SharedSink next = new SharedSink(shared);
        pipeline.use(SETTINGS, List.of(next));
        assertThat(pipeline.sinks().get(0).waiting()).isEqualTo(4);
        shared.hangs = false;
        await().until(() -> next.lines.size() == 4);

        assertThat(former.closed).isTrue();
        assertThat(former.lines).hasSize(1);
        pipeline.close();
        assertThat(seqs(shared.lines.stream())).containsExactlyElementsOf(numbers(5));
        assertThat(shared.usedTwice).isFalse();
        assertThat(next.closed).isTrue();
    }

    /** What a hanging sink has in its hands is lost with it, and the one that takes over says so. */
    @Test
    void aSinkThatHangsIsTakenOverFromInTheEnd() {
        Shared stuck = new Shared();
        stuck.hangs = true;
        AuditPipeline pipeline = Given.pipeline(impatient(), new SharedSink(stuck));
        record(pipeline);
        await().until(() -> stuck.inUse.get() == 1);
        record(pipeline, 2);
        await().until(() -> pipeline.sinks().get(0).waiting() == 2);
        Given.MemorySink next = new Given.MemorySink();
        pipeline.use(impatient(), List.of(next));
        await().until(() -> next.lines.size() == 3);

        assertThat(seqs(next.lines.stream())).containsExactly("1-1 (1)", "2", "3");
        assertThat(stuck.inUse.get()).isZero();
        pipeline.close();
        assertThat(pipeline.dropped()).isOne();
        assertThat(pipeline.recorded()).isEqualTo(2);
    }

    /** As an edit that is taken back at once: the way back waits until the first lane has ended. */
    @Test
    void aDestinationThatComesBackIsNeverOpenTwice() {
        Shared shared = new Shared();
        shared.hangs = true;
        Given.MemorySink between = new AnotherSink();
        AuditPipeline pipeline = Given.pipeline(SETTINGS, new SharedSink(shared));
        record(pipeline);
        await().until(() -> shared.inUse.get() == 1);
        record(pipeline, 2);
        await().until(() -> pipeline.sinks().get(0).waiting() == 2);
        pipeline.use(SETTINGS, List.of(between));
        record(pipeline);
        await().until(() -> between.lines.size() == 1);
        pipeline.use(SETTINGS, List.of(new SharedSink(shared)));
        record(pipeline, 2);
        await().until(() -> pipeline.sinks().get(0).waiting() == 2);
        shared.hangs = false;
        pipeline.close();

        assertThat(shared.usedTwice).isFalse();
        assertThat(shared.inUse.get()).isZero();
        assertThat(seqs(shared.lines.stream())).containsExactly("1", "2", "3", "5", "6");
        assertThat(pipeline.recorded()).isEqualTo(6);
    }

    @Test
    void theCapacityOfAQueueThatStaysChanges() throws Exception {
        AuditPipelineTest.GatedSink sink = new AuditPipelineTest.GatedSink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 4), sink);
        record(pipeline);
        sink.entered.await();
        record(pipeline, 5);
        await().until(() -> pipeline.dropped() == 1);
        pipeline.use(Given.settings(Recording.FINDINGS, 10), List.of(sink));
        assertThat(pipeline.queueCapacity()).isEqualTo(10);
        record(pipeline, 6);
        await().until(() -> pipeline.sinks().get(0).waiting() == 10);
        record(pipeline);
        await().until(() -> pipeline.dropped() == 2);
        sink.gate.countDown();
        pipeline.close();
        assertThat(seqs(sink.lines.stream()))
                .containsExactly("1", "2", "3", "4", "5", "6-6 (1)", "7", "8", "9", "10", "11", "12", "13-13 (1)");
    }

    @Test
    void whatIsRecordedChanges() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(SETTINGS, sink);
        assertThat(pipeline.begin(Given.command("{find: 'orders'}"), Given.broadcast(), Given.ALLOWED, Given.SOURCE))
                .isNull();
        pipeline.use(Given.settings(Recording.ALL, 100), List.of(sink));
        assertThat(pipeline.begin(Given.command("{find: 'orders'}"), Given.broadcast(), Given.ALLOWED, Given.SOURCE))
                .isNotNull();
        pipeline.close();
    }

    /** Files of which now one and now the other is written, by several threads: each record is in one of them, once. */
    @Test
    void noRecordIsLostOrWrittenTwiceHoweverOftenTheyChange(@TempDir Path folder) throws Exception {
        List<Path> paths = List.of(folder.resolve("a"), folder.resolve("b"));
        AuditSettings settings = Given.settings(Recording.FINDINGS, 100_000);
        AuditPipeline pipeline = Given.pipeline(settings, file(paths.get(0)));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> record(pipeline, 2_000), "records-" + i));
        }
        threads.forEach(Thread::start);
        for (int i = 1; i <= 50; i++) {
            pipeline.use(settings, List.of(file(paths.get(i % 2))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        pipeline.close();

        List<String> all = new ArrayList<>();
        for (Path path : paths) {
            List<String> lines = Files.exists(path) ? Files.readAllLines(path) : List.of();
            List<String> seqs = seqs(lines.stream().map(line -> line + "\n"));
            assertThat(seqs.stream().map(Integer::valueOf).toList())
                    .as("order within %s", path.getFileName())
                    .isSorted();
            all.addAll(seqs);
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(8_000));
        assertThat(pipeline.recorded()).isEqualTo(8_000);
        assertThat(pipeline.dropped()).isZero();
    }

    private static AuditSink file(Path path) {
        return new RollingFileSink(
                path, new FileRotation(1L << 30, 1, Duration.ZERO, false), WhenFull.DROP, Given.CLOCK);
    }
}
