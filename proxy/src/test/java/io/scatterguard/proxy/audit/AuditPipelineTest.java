package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AuditPipelineTest {
    private static final CommandView FIND = Given.command("{find: 'orders', filter: {userId: 1}}");

    /** A sink whose writes wait until the gate is opened. */
    static class GatedSink extends Given.MemorySink {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);

        @Override
        public void write(List<byte[]> batch) throws IOException {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
            super.write(batch);
        }
    }

    /** A sink that fails as long as it is told to. */
    static final class FailingSink extends Given.MemorySink {
        volatile boolean failing = true;

        @Override
        public void write(List<byte[]> batch) throws IOException {
            if (failing) {
                throw new IOException("No space left on device");
            }
            super.write(batch);
        }
    }

    static void record(AuditPipeline pipeline) {
        Auditor.PendingRecord pending = pipeline.begin(FIND, Given.broadcast(), Given.LOGGED, Given.SOURCE);
        assertThat(pending).isNotNull();
        pipeline.end(pending, Given.ANSWERED);
    }

    static void record(AuditPipeline pipeline, int times) {
        for (int i = 0; i < times; i++) {
            record(pipeline);
        }
    }

    @Test
    void aFullQueueDropsAndSaysWhich() throws Exception {
        GatedSink sink = new GatedSink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 4), sink);
        record(pipeline);
        sink.entered.await();
        record(pipeline, 4 + 3);

        await().until(() -> pipeline.dropped() == 3);
        sink.gate.countDown();
        await().until(() -> sink.lines.size() == 6);
        record(pipeline);
        pipeline.close();

        assertThat(sink.lines)
                .extracting(AuditPipelineTest::seqOrGap)
                .containsExactly("1", "2", "3", "4", "5", "6-8 (3)", "9");
        assertThat(sink.lines.get(5))
                .isEqualTo("{\"gap\":{\"from\":6,\"to\":8,\"count\":3},\"ts\":\"2026-12-01T10:20:30.123456Z\","
                        + "\"cluster\":\"staging-eu\",\"instance\":\"proxy-1\"}\n");
        assertThat(pipeline.recorded()).isEqualTo(6);
        assertThat(pipeline.dropped()).isEqualTo(3);
    }

    static String seqOrGap(String line) {
        return line.startsWith("{\"seq\":")
                ? line.replaceAll("^\\{\"seq\":(\\d+),.*\n", "$1")
                : line.replaceAll("^\\{\"gap\":\\{\"from\":(\\d+),\"to\":(\\d+),\"count\":(\\d+).*\n", "$1-$2 ($3)");
    }

    @Test
    void aFailingSinkLosesRecordsTheOtherDoesNot() {
        FailingSink failing = new FailingSink();
        Given.MemorySink healthy = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 100), failing, healthy);
        record(pipeline, 3);
        await().until(() -> pipeline.dropped() == 3);
        failing.failing = false;
        record(pipeline, 2);
        pipeline.close();

        assertThat(healthy.lines).hasSize(5);
        assertThat(failing.lines).extracting(AuditPipelineTest::seqOrGap).containsExactly("1-3 (3)", "4", "5");
        assertThat(pipeline.recorded()).isEqualTo(2);
        assertThat(pipeline.dropped()).isEqualTo(3);
        assertThat(pipeline.sinkErrors()).isPositive();
        assertThat(failing.closed).isTrue();
        assertThat(healthy.closed).isTrue();
    }

    @Test
    void aSinkThatThrowsAnythingNeverReachesTheTraffic() {
        Given.MemorySink broken = new Given.MemorySink() {
            @Override
            public void write(List<byte[]> batch) {
                throw new IllegalStateException("a bug");
            }

            @Override
            public void close() {
                throw new IllegalStateException("another");
            }
        };
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 100), broken);
        record(pipeline, 5);
        pipeline.close();

        assertThat(pipeline.recorded()).isZero();
        assertThat(pipeline.dropped()).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource("errors")
    void aSinkThatThrowsAnErrorLosesItsBatchAndNothingElse(Error error) {
        AtomicBoolean failing = new AtomicBoolean(true);
        Given.MemorySink broken = new Given.MemorySink() {
            @Override
            public void write(List<byte[]> batch) throws IOException {
                if (failing.get()) {
                    throw error;
                }
                super.write(batch);
            }

            @Override
            public void close() {
                super.close();
                throw error;
            }
        };
        Given.MemorySink healthy = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 100), broken, healthy);
        record(pipeline, 2);
        await().until(() -> pipeline.dropped() == 2);
        failing.set(false);
        record(pipeline, 2);
        pipeline.close();

        assertThat(broken.lines).extracting(AuditPipelineTest::seqOrGap).containsExactly("1-2 (2)", "3", "4");
        assertThat(healthy.lines).hasSize(4);
        assertThat(healthy.closed).isTrue();
        assertThat(pipeline.recorded()).isEqualTo(2);
        assertThat(pipeline.sinkErrors()).isPositive();
        assertThat(pipeline.internalErrors()).isZero();
    }

    static Stream<Error> errors() {
        return Stream.of(
                new OutOfMemoryError("simulated"),
                new NoClassDefFoundError("simulated"),
                new StackOverflowError(),
                new AssertionError("simulated"));
    }

    /** Wherever the first malformed byte is. */
    @Test
    void aMalformedCommandIsNoErrorOfOurs() {
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.ALL, 10));
        for (String json : List.of(
                "{find: 'orders', comment: 'test:x'}",
                "{getMore: 5, collection: 'orders'}",
                "{explain: {find: 'orders'}}",
                "{explain: {createUser: 'bob'}, verbosity: 'x'}",
                "{hello: 'x', client: {}}",
                "{ping: 'x'}",
                "{frobnicate: {a: 'x'}}")) {
            byte[] whole = BsonView.encode(BsonDocument.parse(json)).toByteArray();
            for (int at = 4; at < whole.length; at++) {
                for (int b : new int[] {0, 0x7f, 0xff}) {
                    byte[] bytes = whole.clone();
                    bytes[at] = (byte) b;
                    beginMalformed(pipeline, bytes, json + " at " + at);
                }
            }
        }
        pipeline.close();
    }

    private static void beginMalformed(AuditPipeline pipeline, byte[] bytes, String description) {
        CommandView command;
        try {
            command = CommandView.of("shop", BsonView.of(Unpooled.wrappedBuffer(bytes)));
        } catch (MalformedBsonException | ProtocolException e) {
            return; // never gets as far as a record
        }
        pipeline.begin(command, Given.notRouted("shop"), Given.LOGGED, Given.SOURCE);
        assertThat(pipeline.internalErrors()).as(description).isZero();
    }

    @Test
    void aRecordHasTheNotesOnItsCommand() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 10), sink);
        for (String command : List.of(
                "{delete: 'orders', deletes: [{q: {_id: 1}, limit: 1}]}",
                "{find: 'orders', filter: {region: null, 'x.userId': 7}}",
                "{find: 'orders', filter: {day: 1}}")) {
            Auditor.PendingRecord record =
                    pipeline.begin(Given.command(command), Given.broadcast(), Given.LOGGED, Given.SOURCE);
            pipeline.end(record, Given.ANSWERED);
        }
        pipeline.close();

        assertThat(sink.lines).hasSize(3);
        assertThat(sink.lines.get(0)).contains("\"notes\":[\"idOnlyWrite\"]");
        assertThat(sink.lines.get(1)).contains("\"notes\":[\"keyEqualsNull\",\"keyUnderWrongPath\"]");
        assertThat(sink.lines.get(2)).doesNotContain("\"notes\"");
    }

    @Test
    void aMalformedCommandIsRecordedWithoutNotes() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 10), sink);
        Auditor.PendingRecord record =
                pipeline.begin(Given.malformedFind(), Given.broadcast(), Given.LOGGED, Given.SOURCE);
        pipeline.end(record, Given.ANSWERED);
        pipeline.close();

        assertThat(pipeline.internalErrors()).isZero();
        assertThat(sink.lines)
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("\"placement\":\"allShards\"").doesNotContain("\"notes\""));
    }

    @Test
    void anErrorOfOursIsCountedAndKeptFromTheTraffic() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = AuditPipeline.start(
                Given.settings(Recording.ALL, 10),
                List.of(sink),
                route -> {
                    throw new IllegalStateException("no sentence");
                },
                Given.CLOCK);
        record(pipeline);
        pipeline.end(new Auditor.PendingRecord() {}, Given.ANSWERED);
        pipeline.close();

        assertThat(pipeline.internalErrors()).isEqualTo(2);
        assertThat(sink.lines)
                .singleElement()
                .satisfies(line -> assertThat(line).contains("\"placement\":\"allShards\""));
    }

    @Test
    void closingWritesWhatWaits() {
        Given.MemorySink sink = new Given.MemorySink();
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 5_000), sink);
        record(pipeline, 3_000);
        pipeline.close();

        assertThat(sink.lines).hasSize(3_000);
        assertThat(sink.closed).isTrue();
        record(pipeline);
        assertThat(pipeline.recorded()).isEqualTo(3_000);
        assertThat(pipeline.dropped()).isEqualTo(1);
    }

    @Test
    void closingGivesUpOnASinkThatHangs() throws Exception {
        GatedSink sink = new GatedSink();
        AuditSettings settings = new AuditSettings(
                "staging-eu", "proxy-1", Recording.FINDINGS, Findings.EVERY, 100, Duration.ofMillis(20));
        AuditPipeline pipeline = Given.pipeline(settings, sink);
        record(pipeline);
        sink.entered.await();
        record(pipeline, 7);
        pipeline.close();

        assertThat(pipeline.dropped()).isEqualTo(8);
        assertThat(pipeline.recorded()).isZero();
        await().untilAsserted(() -> assertThat(sink.closed).isTrue());
        assertThat(pipeline.dropped()).isEqualTo(8);
    }

    @Test
    void settingsNameWhatIsWrong() {
        assertThatThrownBy(() -> Given.settings(Recording.ALL, 0)).hasMessageContaining("queueCapacity: 0");
        assertThatThrownBy(() -> new AuditSettings("a", "b", Recording.ALL, Findings.EVERY, 1, Duration.ofSeconds(-1)))
                .hasMessageContaining("closeDeadline: PT-1S");
    }
}
