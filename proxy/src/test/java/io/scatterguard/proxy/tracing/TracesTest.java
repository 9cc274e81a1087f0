package io.scatterguard.proxy.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.otlp.OtlpSender;
import io.scatterguard.proxy.otlp.ScriptedCollector;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Reasons;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a scripted collector. */
class TracesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SPANS = "/resourceSpans/0/scopeSpans/0/spans";

    /** Closing takes no longer than it has to. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ScriptedCollector collector = ScriptedCollector.start();
    private final RecordingAuditor audited = new RecordingAuditor();

    @AfterEach
    void stop() {
        collector.close();
    }

    private Traces traces(int capacity, OtlpSender.Pause pause) {
        OtlpSender sender = new OtlpSender(collector.target("/v1/traces"), "spans", pause);
        return Traces.start(audited, sender, "staging-eu", capacity, Commands.CLOCK);
    }

    private Traces traces() {
        return traces(100, time -> {});
    }

    /** Sends one command that has ended. */
    private static void send(Traces traces, String comment, Route route, Verdict verdict, Outcome outcome) {
        PendingRecord pending = traces.begin(Commands.find(comment), route, verdict, Commands.SOURCE);
        if (pending != null) {
            traces.end(pending, outcome);
        }
    }

    private static void send(Traces traces) {
        send(traces, Commands.SAMPLED, Commands.broadcast(), Commands.ALLOWED, Commands.ANSWERED);
    }

    @Test
    void aCommandInATraceIsASpan() throws JsonProcessingException {
        Traces traces = traces();
        send(traces, Commands.SAMPLED, Commands.broadcast(), Commands.RULED, Commands.ANSWERED);
        traces.close(PATIENCE);

        assertThat(collector.requests()).hasSize(1);
        ObjectNode span = (ObjectNode) collector.requests().get(0).at(SPANS + "/0");
        assertThat(span.get("spanId").asText()).matches("[0-9a-f]{16}").isNotEqualTo("0000000000000000");
        span.put("spanId", "");
        assertThat(collector.requests().get(0)).isEqualTo(MAPPER.readTree("""
                {"resourceSpans": [{"resource": {"attributes": [
                    {"key": "service.name", "value": {"stringValue": "scatterguard"}},
                    {"key": "service.instance.id", "value": {"stringValue": "proxy-1"}}]},
                  "scopeSpans": [{"scope": {"name": "scatterguard.tracing"}, "spans": [
                    {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "", "parentSpanId": "b7ad6b7169203331",
                     "name": "find shop.orders", "kind": 3,
                     "startTimeUnixNano": "1796120430118836789", "endTimeUnixNano": "1796120430123456789",
                     "attributes": [
                       {"key": "db.system.name", "value": {"stringValue": "mongodb"}},
                       {"key": "db.operation.name", "value": {"stringValue": "find"}},
                       {"key": "db.namespace", "value": {"stringValue": "shop"}},
                       {"key": "db.collection.name", "value": {"stringValue": "orders"}},
                       {"key": "scatterguard.cluster", "value": {"stringValue": "staging-eu"}},
                       {"key": "scatterguard.shape", "value": {"stringValue": "scatterGather"}},
                       {"key": "scatterguard.certainty", "value": {"stringValue": "exact"}},
                       {"key": "scatterguard.placement", "value": {"stringValue": "allShards"}},
                       {"key": "scatterguard.shards", "value": {"arrayValue": {"values": [
                         {"stringValue": "shard-a"}, {"stringValue": "shard-b"}]}}},
                       {"key": "scatterguard.shard_count", "value": {"intValue": "2"}},
                       {"key": "scatterguard.action", "value": {"stringValue": "log"}},
                       {"key": "scatterguard.would_refuse", "value": {"boolValue": true}},
                       {"key": "scatterguard.rule", "value": {"stringValue": "no-broadcast"}},
                       {"key": "scatterguard.proxy_micros", "value": {"intValue": "120"}},
                       {"key": "scatterguard.server_micros", "value": {"intValue": "4500"}}]}]}]}]}
                """));
        assertThat(collector.tokens()).containsExactly("Bearer s3cr3t");
        assertThat(collector.requests().get(0).toString()).doesNotContain("literal");
        assertThat(traces.sent()).isEqualTo(1);
        assertThat(traces.dropped()).isZero();
    }

    /** The audit log holds up who makes records of its own, and nobody because of a span. */
    @Test
    void aSpanIsNoRecord() {
        Traces traces = traces();
        PendingRecord pending =
                traces.begin(Commands.find(Commands.SAMPLED), Commands.broadcast(), Commands.ALLOWED, Commands.SOURCE);
        assertThat(pending).isNotNull();
        assertThat(pending.isAudited()).isEqualTo(pending.shapeHash() != null);
        traces.close(PATIENCE);
    }

    @ParameterizedTest
    @CsvSource({
        "false, 61001, true",
        "true, 11000, true",
        "true, 0, false",
        "true, , false",
        ", , false",
        "false, , true"
    })
    void whatFailsIsAnError(Boolean ok, Integer code, boolean error) {
        Traces traces = traces();
        Outcome outcome = new Outcome(ok, code, null, 1, 2, 3, 4);
        send(traces, Commands.SAMPLED, Commands.broadcast(), Commands.ALLOWED, outcome);
        traces.close(PATIENCE);

        JsonNode span = collector.all(SPANS).get(0);
        assertThat(span.at("/status/code").asInt()).isEqualTo(error ? 2 : 0);
        assertThat(attribute(span, "db.response.status_code")).isEqualTo(error && code != null ? code.toString() : "");
        assertThat(attribute(span, "error.type")).isEqualTo(error ? code == null ? "_OTHER" : code.toString() : "");
    }

    private static String attribute(JsonNode span, String key) {
        return span.get("attributes").findParents("key").stream()
                .filter(attribute -> attribute.get("key").asText().equals(key))
                .map(attribute -> attribute.at("/value/stringValue").asText())
                .findFirst()
                .orElse("");
    }

    @Test
    void whatIsNotRoutedHasNoTarget() {
        Traces traces = traces();
        PendingRecord pending = traces.begin(
                Commands.command("{ping: 1, comment: '" + Commands.SAMPLED + "', $db: 'admin'}"),
                Commands.notRouted(),
                Commands.ALLOWED,
                Commands.SOURCE);
        traces.end(pending, Commands.ANSWERED);
        traces.close(PATIENCE);

        JsonNode span = collector.all(SPANS).get(0);
        assertThat(span.get("name").asText()).isEqualTo("ping admin");
        assertThat(span.toString()).doesNotContain("scatterguard.shape").doesNotContain("db.collection.name");
    }

    /** Whoever must authenticate first has no say in anybody's traces. */
    @Test
    void beforeAnAuthenticationThereIsNone() {
        Traces traces = traces();
        Verdict unauthenticated = new Verdict(Action.ALLOW, false, null, null, Reasons.UNAUTHENTICATED, 0);
        send(traces, Commands.SAMPLED, Commands.notRouted(), unauthenticated, Commands.ANSWERED);
        traces.close(PATIENCE);

        assertThat(audited.begun).isEqualTo(1);
        assertThat(collector.requests()).isEmpty();
    }

    /** The page names what a span holds, no less and no more. */
    @Test
    void everyAttributeIsDocumented() throws IOException {
        Traces traces = traces();
        audited.recording = true;
        Verdict exempt = new Verdict(Action.ALLOW, true, "no-broadcast", "nightly", "exempted", 3);
        send(traces, Commands.SAMPLED, Commands.broadcast(), exempt, new Outcome(false, 50, null, 1, 2, 3, 4));
        traces.close(PATIENCE);

        String page = Files.readString(Path.of("..", "docs", "tracing.md"));
        Set<String> documented = Pattern.compile("(?m)^\\| (`[a-z].*?`) \\|")
                .matcher(page)
                .results()
                .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ", -1)))
                .collect(Collectors.toSet());
        assertThat(collector.all(SPANS).get(0).get("attributes").findValuesAsText("key"))
                .containsExactlyInAnyOrderElementsOf(documented);
    }

    /** A record is completed with or without a span, and a span is made with or without a record. */
    @Test
    void recordsGoOnToTheAuditor() {
        Traces traces = traces();
        String unsampled = Commands.SAMPLED.replaceFirst("01$", "00");
        for (String comment : List.of(Commands.SAMPLED, unsampled, "nothing")) {
            audited.recording = true;
            send(traces, comment, Commands.broadcast(), Commands.ALLOWED, Commands.ANSWERED);
            audited.recording = false;
            send(traces, comment, Commands.broadcast(), Commands.ALLOWED, Commands.ANSWERED);
        }
        traces.close(PATIENCE);

        assertThat(audited.begun).isEqualTo(6);
        assertThat(audited.ended).hasSize(3).allMatch(record -> record instanceof RecordingAuditor.Made);
        assertThat(collector.all(SPANS))
                .extracting(span -> attribute(span, "scatterguard.shape_hash"))
                .containsExactly("b877d4f5f43a820d", "");
        assertThat(traces.pressure()).isSameAs(audited.pressure());
    }

    @Test
    void whatIsMalformedIsTheServersToJudge() {
        Traces traces = traces();
        assertThat(traces.begin(Commands.malformed(), Commands.broadcast(), Commands.ALLOWED, Commands.SOURCE))
                .isNull();
        traces.close(PATIENCE);

        assertThat(traces.internalErrors()).isZero();
        assertThat(audited.begun).isEqualTo(1);
    }

    @Test
    void whileTheCollectorIsAwayWhatFindsNoRoomIsDropped() throws Exception {
        CountDownLatch away = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        AtomicBoolean back = new AtomicBoolean();
        collector.answers(() -> back.get() ? 200 : ScriptedCollector.HANG_UP);
        Traces traces = traces(10, time -> {
            away.countDown();
            made.await();
        });
        send(traces);
        away.await();
        IntStream.range(0, 25).forEach(i -> send(traces));
        assertThat(traces.dropped()).isEqualTo(15);
        back.set(true);
        made.countDown();
        traces.close(PATIENCE);

        assertThat(collector.all(SPANS)).hasSize(11);
        assertThat(traces.sent()).isEqualTo(11);
        assertThat(traces.dropped()).isEqualTo(15);
    }

    @Test
    void whatTheCollectorRefusesForGoodIsDropped() {
        collector.answers(() -> 401);
        Traces traces = traces();
        send(traces);
        await().until(() -> traces.dropped() == 1);
        collector.answers(() -> 200);
        send(traces);
        traces.close(PATIENCE);

        assertThat(traces.sent()).isEqualTo(1);
    }

    @Test
    void closingGivesUpOnACollectorThatStaysAway() throws Exception {
        collector.answers(() -> 503);
        CountDownLatch away = new CountDownLatch(1);
        Traces traces = traces(10, time -> {
            away.countDown();
            new CountDownLatch(1).await();
        });
        send(traces);
        away.await();
        send(traces);
        traces.close(Duration.ofMillis(50));
        send(traces);

        assertThat(traces.dropped()).isEqualTo(3);
        assertThat(traces.sent()).isZero();
    }

    /** Many spans go in requests of a bounded size. */
    @Test
    void aRequestIsBounded() {
        Traces traces = traces(1_000, time -> {});
        IntStream.range(0, 600).forEach(i -> send(traces));
        traces.close(PATIENCE);

        assertThat(collector.all(SPANS)).hasSize(600);
        assertThat(collector.requests()).allMatch(request -> request.at(SPANS).size() <= SpanExporter.MAX_BATCH);
    }

    @Test
    void aFaultOfOursIsCountedAndKeptFromTheTraffic() {
        Traces traces =
                Traces.start(audited, new OtlpSender(collector.target("/v1/traces"), "spans"), "c", 10, new Clock() {
                    @Override
                    public ZoneId getZone() {
                        return Commands.CLOCK.getZone();
                    }

                    @Override
                    public Clock withZone(ZoneId zone) {
                        return this;
                    }

                    @Override
                    public Instant instant() {
                        throw new IllegalStateException("no time");
                    }
                });
        audited.recording = true;
        send(traces);
        traces.close(PATIENCE);

        assertThat(traces.internalErrors()).isEqualTo(1);
        assertThat(audited.ended).hasSize(1);
    }
}
