package io.scatterguard.proxy.audit;

import static io.scatterguard.proxy.audit.AuditPipelineTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.otlp.OtlpSender;
import io.scatterguard.proxy.otlp.ScriptedCollector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Against a collector that is scripted: it takes records, is busy, hangs up or refuses. */
class OtlpSinkTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SteppedClock clock = new SteppedClock();
    private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());
    private final ScriptedCollector collector = ScriptedCollector.start();

    @AfterEach
    void stop() {
        collector.close();
    }

    private OtlpSink sink(OtlpSender.Pause pause) {
        OtlpSender sender = new OtlpSender(collector.target("/v1/logs"), "audit records", time -> {
            pauses.add(time);
            clock.pass(time);
            pause.sleep(time);
        });
        return new OtlpSink(sender, WhenFull.DROP, clock);
    }

    /** The lines that came, in their order. */
    private List<String> received() {
        return collector.all("/resourceLogs/0/scopeLogs/0/logRecords").stream()
                .map(log -> log.at("/body/stringValue").asText() + "\n")
                .toList();
    }

    @Test
    void aRecordIsALogRecord() throws IOException {
        OtlpSink sink = sink(time -> {});
        sink.write(List.of(
                "{\"seq\":7,\"ts\":\"2026-12-01T10:20:31.123456Z\",\"command\":\"find\"}\n"
                        .getBytes(StandardCharsets.UTF_8),
                "{\"gap\":{\"from\":8,\"to\":9,\"count\":2},\"ts\":\"x\"}\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(collector.requests()).singleElement().isEqualTo(MAPPER.readTree("""
                {"resourceLogs": [{"resource": {"attributes": [
                    {"key": "service.name", "value": {"stringValue": "scatterguard"}},
                    {"key": "service.instance.id", "value": {"stringValue": "proxy-1"}}]},
                  "scopeLogs": [{"scope": {"name": "scatterguard.audit"}, "logRecords": [
                    {"timeUnixNano": "1796120431123456000", "observedTimeUnixNano": "1796120430123456789",
                     "severityNumber": 9, "severityText": "INFO",
                     "body": {"stringValue": "{\\"seq\\":7,\\"ts\\":\\"2026-12-01T10:20:31.123456Z\\",\\"command\\":\\"find\\"}"}},
                    {"timeUnixNano": "1796120430123456789", "observedTimeUnixNano": "1796120430123456789",
                     "severityNumber": 13, "severityText": "WARN",
                     "body": {"stringValue": "{\\"gap\\":{\\"from\\":8,\\"to\\":9,\\"count\\":2},\\"ts\\":\\"x\\"}"}}]}]}]}
                """));
        assertThat(collector.tokens()).containsExactly("Bearer s3cr3t");
        assertThat(sink.name()).doesNotContain("s3cr3t");
    }

    @Test
    void aCollectorThatIsGoneForAMinuteCostsWhatTheQueueDoesNotHold() throws Exception {
        CountDownLatch away = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 50), sink(time -> {
            away.countDown();
            made.await();
        }));
        record(pipeline, 10);
        await().until(() -> received().size() == 10);
        Instant back = clock.instant().plusSeconds(60);
        collector.answers(
                () -> clock.instant().isBefore(back) ? pauses.size() % 2 == 0 ? 503 : ScriptedCollector.HANG_UP : 200);
        record(pipeline);
        away.await();
        record(pipeline, 200);
        await().until(() -> pipeline.dropped() == 150);
        made.countDown();
        await().until(() -> pipeline.recorded() == 61);
        pipeline.close();

        assertThat(received())
                .extracting(AuditPipelineTest::seqOrGap)
                .hasSize(62)
                .startsWith("1", "2")
                .contains("11", "12", "61")
                .endsWith("62-211 (150)");
        assertThat(pipeline.dropped()).isEqualTo(150);
        assertThat(pauses)
                .extracting(Duration::toSeconds)
                .as("seconds between attempts")
                .containsExactly(1L, 2L, 4L, 8L, 16L, 30L);
    }

    @Test
    void whatACollectorRefusesForGoodIsDroppedAndSaid() {
        AuditPipeline pipeline = Given.pipeline(Given.settings(Recording.FINDINGS, 50), sink(time -> {}));
        collector.answers(() -> 401);
        record(pipeline);
        await().until(() -> pipeline.dropped() == 1);
        collector.answers(() -> 200);
        record(pipeline);
        pipeline.close();

        assertThat(received()).extracting(AuditPipelineTest::seqOrGap).containsExactly("1-1 (1)", "2");
        assertThat(pauses).isEmpty();
    }

    @Test
    void closingGivesUpOnACollectorThatStaysAway() throws Exception {
        collector.answers(() -> 503);
        CountDownLatch away = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AuditSettings settings = new AuditSettings(
                "staging-eu", "proxy-1", Recording.FINDINGS, AuditSettings.Findings.EVERY, 50, Duration.ofMillis(50));
        AuditPipeline pipeline = Given.pipeline(settings, sink(time -> {
            away.countDown();
            never.await();
        }));
        record(pipeline, 5);
        away.await();
        pipeline.close();

        assertThat(pipeline.dropped()).isEqualTo(5);
        assertThat(pipeline.recorded()).isZero();
    }

    /** The headers are for the collector, not for whoever it names. */
    @Test
    void aRedirectionIsNotFollowed() {
        collector.answers(() -> 307);

        assertThatThrownBy(() -> sink(time -> {}).write(List.of("{}\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("HTTP status 307");
    }
}
