package io.scatterguard.proxy.audit;

import static io.scatterguard.proxy.audit.AuditPipelineTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.config.Secret;
import io.scatterguard.proxy.config.SinkConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a collector that is scripted: it takes records, is busy, hangs up or refuses. */
class OtlpSinkTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int HANG_UP = -1;

    /** An answer that begins, with status 200, and does not end. */
    private static final int NO_END = -2;

    private final SteppedClock clock = new SteppedClock();
    private final List<JsonNode> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger unended = new AtomicInteger();
    private volatile IntSupplier status = () -> 200;
    private HttpServer collector;

    @BeforeEach
    void start() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/logs", this::answer);
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode request = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
        int answer = status.getAsInt();
        if (answer == 200) {
            requests.add(request);
        }
        if (answer == NO_END) {
            unended.incrementAndGet();
            exchange.sendResponseHeaders(200, 100);
            return;
        }
        if (answer != HANG_UP) {
            exchange.sendResponseHeaders(answer, -1);
        }
        exchange.close();
    }

    private OtlpSink sink(OtlpSink.Pause pause) {
        return sink(pause, OtlpSink.TIMEOUT);
    }

    private OtlpSink sink(OtlpSink.Pause pause, Duration timeout) {
        URI endpoint = URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/logs");
        OtlpSink.Target target =
                new OtlpSink.Target(endpoint, Map.of("Authorization", "Bearer s3cr3t"), "scatterguard", "proxy-1");
        OtlpSink.Pause noted = time -> {
            pauses.add(time);
            clock.pass(time);
            pause.sleep(time);
        };
        return new OtlpSink(target, WhenFull.DROP, clock, noted, timeout);
    }

    /** The lines that came, in their order. */
    private List<String> received() {
        List<String> lines = new ArrayList<>();
        for (JsonNode request : List.copyOf(requests)) {
            for (JsonNode log : request.at("/resourceLogs/0/scopeLogs/0/logRecords")) {
                lines.add(log.at("/body/stringValue").asText() + "\n");
            }
        }
        return lines;
    }

    @Test
    void aRecordIsALogRecord() throws IOException {
        OtlpSink sink = sink(time -> {});
        sink.write(List.of(
                "{\"seq\":7,\"ts\":\"2026-12-01T10:20:31.123456Z\",\"command\":\"find\"}\n"
                        .getBytes(StandardCharsets.UTF_8),
                "{\"gap\":{\"from\":8,\"to\":9,\"count\":2},\"ts\":\"x\"}\n".getBytes(StandardCharsets.UTF_8)));

        assertThat(requests).singleElement().isEqualTo(MAPPER.readTree("""
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
        assertThat(tokens).containsExactly("Bearer s3cr3t");
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
        status = () -> clock.instant().isBefore(back) ? pauses.size() % 2 == 0 ? 503 : HANG_UP : 200;
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
        status = () -> 401;
        record(pipeline);
        await().until(() -> pipeline.dropped() == 1);
        status = () -> 200;
        record(pipeline);
        pipeline.close();

        assertThat(received()).extracting(AuditPipelineTest::seqOrGap).containsExactly("1-1 (1)", "2");
        assertThat(pauses).isEmpty();
    }

    @Test
    void closingGivesUpOnACollectorThatStaysAway() throws Exception {
        status = () -> 503;
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

    /** A peer that is lost in the middle of its answer must not hold the sink for ever. */
    @Test
    void anAnswerThatDoesNotEndIsTriedAgain() throws IOException {
        status = () -> unended.get() < 2 ? NO_END : 200;

        sink(time -> {}, Duration.ofMillis(500)).write(List.of("{\"seq\":1}\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(unended).hasValue(2);
        assertThat(pauses).hasSize(2);
        assertThat(received()).containsExactly("{\"seq\":1}\n");
    }

    /** The headers are for the collector, not for whoever it names. */
    @Test
    void aRedirectionIsNotFollowed() {
        status = () -> 307;

        assertThatThrownBy(() -> sink(time -> {}).write(List.of("{}\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("HTTP status 307");
    }

    /** What would fail at every request is refused at the start: of all names, in whatever spelling, the client's own rule. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Accept", "Authorization", "CONNECTION", "Connection", "content-length", "Cookie", "Date", "expect",
                        "From",
                "Host", "Origin", "Referer", "TE", "Trailer", "upgrade", "Via", "Warning", "X-Scope-OrgID"
            })
    void aHeaderThatMayBeConfiguredCanBeSent(String name) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1/"));
        boolean sent;
        try {
            request.header(name, "x");
            sent = true;
        } catch (IllegalArgumentException e) {
            sent = false;
        }
        boolean configured;
        try {
            configured = new SinkConfig.Otlp.Header(name, Secret.of("x")).name().equals(name);
        } catch (RuntimeException e) {
            configured = false;
        }

        assertThat(configured).isEqualTo(sent);
    }
}
