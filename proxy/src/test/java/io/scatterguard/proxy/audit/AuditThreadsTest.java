package io.scatterguard.proxy.audit;

import static io.scatterguard.proxy.audit.AuditPipelineTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.audit.AuditSettings.Recording;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** An error on a thread of the pipeline, of whatever kind, costs what the thread had in hand and nothing that comes after. */
class AuditThreadsTest {
    /** Lacks memory on the threads whose names begin so, as long as it is told to. */
    private static final class StarvedClock extends Clock {
        private final String thread;
        volatile boolean starved = true;
        final AtomicInteger asked = new AtomicInteger();

        StarvedClock(String thread) {
            this.thread = thread;
        }

        @Override
        public Instant instant() {
            if (starved && Thread.currentThread().getName().startsWith(thread)) {
                asked.incrementAndGet();
                throw new OutOfMemoryError("simulated");
            }
            return Given.NOW;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private static AuditPipeline pipeline(Clock clock, AuditSink... sinks) {
        return AuditPipeline.start(Given.settings(Recording.FINDINGS, 100), List.of(sinks), route -> "", clock);
    }

    @Test
    void theWriterGoesOn() {
        StarvedClock clock = new StarvedClock("audit-writer");
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = pipeline(clock, sink);
        record(pipeline);
        await().until(() -> pipeline.dropped() == 1 && pipeline.internalErrors() >= 2);
        clock.starved = false;
        record(pipeline);
        await().until(() -> sink.lines.size() == 2);
        pipeline.close();

        assertThat(sink.lines).extracting(AuditPipelineTest::seqOrGap).containsExactly("1-1 (1)", "2");
        assertThat(sink.closed).isTrue();
        assertThat(pipeline.recorded()).isEqualTo(1);
        assertThat(pipeline.dropped()).isEqualTo(1);
    }

    /** What cannot even say what it lost is still closed, and closing does not wait for it. */
    @Test
    void aLaneGoesOnAndClosesItsSink() {
        StarvedClock clock = new StarvedClock("audit-other");
        AtomicBoolean failing = new AtomicBoolean(true);
        Given.MemorySink sink = new Given.MemorySink() {
            @Override
            public void write(List<byte[]> batch) throws IOException {
                if (failing.getAndSet(false)) {
                    throw new IOException("No space left on device");
                }
                super.write(batch);
            }
        };
        AuditPipeline pipeline = pipeline(clock, sink);
        record(pipeline);
        await().until(() -> pipeline.dropped() == 1);
        record(pipeline);
        await().until(() -> pipeline.dropped() == 2);
        assertThat(clock.asked).as("the gap could not be made").hasPositiveValue();
        assertThat(pipeline.internalErrors()).isPositive();
        pipeline.close();

        assertThat(sink.closed).isTrue();
        assertThat(sink.lines).isEmpty();
    }

    /** The neighbour: once it is over, the gap is said. */
    @Test
    void aLaneSaysWhatItLostThen() {
        StarvedClock clock = new StarvedClock("audit-other");
        AuditPipelineTest.FailingSink sink = new AuditPipelineTest.FailingSink();
        AuditPipeline pipeline = pipeline(clock, sink);
        record(pipeline);
        await().until(() -> pipeline.dropped() == 1);
        sink.failing = false;
        record(pipeline, 2);
        await().until(() -> pipeline.dropped() == 3);
        clock.starved = false;
        record(pipeline);
        pipeline.close();

        assertThat(sink.lines).extracting(AuditPipelineTest::seqOrGap).containsExactly("1-3 (3)", "4");
    }

    @Test
    void aTurnThatFailsIsFollowedByAnother() {
        AuditCounters counters = new AuditCounters();
        List<Supplier<Boolean>> turns = new ArrayList<>(List.of(
                () -> true,
                () -> {
                    throw new IllegalStateException("simulated");
                },
                () -> {
                    throw new StackOverflowError();
                },
                () -> false));
        Turns.run(() -> turns.remove(0).get(), "counting", counters);

        assertThat(turns).isEmpty();
        assertThat(counters.internalErrors.sum()).isEqualTo(2);
    }
}
