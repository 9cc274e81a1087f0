package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.audit.AuditSettings.Findings;
import io.scatterguard.proxy.audit.AuditSettings.Recording;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code findings: sampled}: every refusal, the first of each shape and application in an hour, the others as counts. */
class SampledFindingsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration MINUTE = SampledFindings.COUNT_EVERY;
    private static final Verdict WOULD_REFUSE = new Verdict(Action.LOG, true, "no-broadcast", null, "rule", 3);

    private final SteppedClock clock = new SteppedClock();
    private final Given.MemorySink sink = new Given.MemorySink();

    private AuditPipeline pipeline(Recording recording) {
        AuditSettings settings = new AuditSettings(
                "staging-eu", "proxy-1", recording, Findings.SAMPLED, 100_000, Duration.ofSeconds(20));
        return AuditPipeline.start(settings, List.of(sink), route -> "it has no region", clock);
    }

    private static AuditSource from(String app) {
        return new AuditSource("127.0.0.1:27100", 42, new ClientInfo("10.1.2.3:50412", app, null, null, null), 0, null);
    }

    private static void find(AuditPipeline pipeline, String filter, String app, Verdict verdict) {
        CommandView command = Given.command("{find: 'orders', filter: " + filter + ", comment: 'test:a'}");
        pipeline.end(pipeline.begin(command, Given.broadcast(), verdict, from(app)), Given.ANSWERED);
    }

    private List<JsonNode> lines() throws IOException {
        List<JsonNode> read = new ArrayList<>();
        for (String line : List.copyOf(sink.lines)) {
            read.add(MAPPER.readTree(line));
        }
        return read;
    }

    private JsonNode line(int index) throws IOException {
        return lines().get(index);
    }

    @Test
    void theFirstOfAShapeAndAppIsRecordedAndTheOthersAreCounted() throws IOException {
        AuditPipeline pipeline = pipeline(Recording.FINDINGS);
        find(pipeline, "{userId: 1}", "checkout", Given.LOGGED);
        find(pipeline, "{userId: 2}", "checkout", Given.LOGGED);
        find(pipeline, "{userId: 3}", "checkout", WOULD_REFUSE);
        find(pipeline, "{userId: 4}", "checkout", Given.EXEMPTED);
        find(pipeline, "{userId: 5}", "reporting", Given.LOGGED);
        find(pipeline, "{userId: {$gt: 5}}", "checkout", Given.LOGGED);
        await().until(() -> sink.lines.size() == 3);
        clock.pass(MINUTE);
        await().until(() -> sink.lines.size() == 4);

        assertThat(line(3)).isEqualTo(MAPPER.readTree("""
                {"seq": 4, "ts": "2026-12-01T10:21:30.123456Z", "cluster": "staging-eu", "instance": "proxy-1",
                 "client": {"app": "checkout"}, "db": "shop", "coll": "orders", "command": "find",
                 "shape": {"text": "find {filter: {userId: ?number}}", "hash": "%s"},
                 "counts": {"from": "2026-12-01T10:20:30.123456Z", "findings": 3, "wouldRefuse": 1, "exempted": 1,
                            "serverMicros": 13500}}
                """.formatted(
                        line(0).at("/shape/hash").asText())));
        clock.pass(MINUTE);
        find(pipeline, "{userId: 6}", "checkout", Given.LOGGED);
        pipeline.close();
        assertThat(sink.lines)
                .as("a minute without findings has no counts, closing writes those so far")
                .hasSize(5);
        assertThat(line(4).at("/counts/findings").asInt()).isEqualTo(1);
        assertThat(pipeline.recorded()).isEqualTo(5);
    }

    @Test
    void everyRefusalIsRecorded() throws IOException {
        AuditPipeline pipeline = pipeline(Recording.FINDINGS);
        for (int i = 0; i < 5; i++) {
            find(pipeline, "{userId: 1}", "checkout", Given.REFUSED);
        }
        pipeline.close();

        assertThat(lines()).hasSize(5).allMatch(line -> line.has("verdict") && !line.has("counts"));
    }

    /** The neighbours: where more than findings is asked for, nothing is left out. */
    @Test
    void recordsOfOtherKindsAreNotSampled() throws IOException {
        for (Recording recording : List.of(Recording.ROUTED, Recording.ALL)) {
            sink.lines.clear();
            AuditPipeline pipeline = pipeline(recording);
            find(pipeline, "{userId: 1}", "checkout", Given.LOGGED);
            find(pipeline, "{userId: 2}", "checkout", Given.LOGGED);
            pipeline.close();
            assertThat(sink.lines).hasSize(2);
        }
    }

    @Test
    void afterAnHourThereIsAnotherExample() throws IOException {
        AuditPipeline pipeline = pipeline(Recording.FINDINGS);
        find(pipeline, "{userId: 1}", "checkout", Given.LOGGED);
        clock.pass(Duration.ofMinutes(59));
        find(pipeline, "{userId: 1}", "checkout", Given.LOGGED);
        clock.pass(MINUTE); // counts may have been taken, of nothing, before the second one came
        await().until(() -> sink.lines.size() == 2);
        find(pipeline, "{userId: 1}", "checkout", Given.LOGGED);
        pipeline.close();

        assertThat(lines()).extracting(line -> line.has("counts")).containsExactly(false, true, false);
    }

    private static AuditEvent.Subject subject(String hash) {
        return new AuditEvent.Subject(
                Given.broadcast().namespace(), "find", null, new QueryShape("find {filter: {}}", hash));
    }

    @Test
    void whatFindsNoRoomIsCountedTogether() {
        SampledFindings sampled = new SampledFindings(Given.NOW);
        int counted = 0;
        for (int i = 0; i < 100_000; i++) {
            SampledFindings.Counted one = sampled.begin(subject("h" + i), "app", Given.LOGGED, Given.NOW);
            if (one != null) {
                counted++;
                assertThat(sampled.end(one, 10, Given.NOW)).isNull();
            }
        }

        assertThat(sampled.keys()).isEqualTo(SampledFindings.MAX_KEYS);
        assertThat(counted).isEqualTo(100_000 - SampledFindings.MAX_KEYS);
        List<FindingCounts> counts = sampled.due(Given.NOW.plus(MINUTE));
        assertThat(counts).singleElement().satisfies(other -> {
            assertThat(other.subject()).isNull();
            assertThat(other.tally().findings()).isEqualTo(100_000 - SampledFindings.MAX_KEYS);
        });
        byte[] line = counts.get(0).line(new JsonLines(), 9, Given.NOW, Given.settings(Recording.ALL, 1));
        assertThat(new String(line, StandardCharsets.UTF_8))
                .contains("\"counts\":{\"from\":", "\"other\":true,\"findings\":95904,")
                .doesNotContain("\"shape\"", "\"client\"");

        sampled.due(Given.NOW.plus(SampledFindings.EXAMPLE_EVERY));
        assertThat(sampled.keys()).as("there is room again after an hour").isZero();
    }

    @Test
    void whatIsInFlightIsNotForgotten() {
        SampledFindings sampled = new SampledFindings(Given.NOW);
        assertThat(sampled.begin(subject("h"), null, Given.LOGGED, Given.NOW)).isNull();
        SampledFindings.Counted slow = sampled.begin(subject("h"), null, Given.LOGGED, Given.NOW);
        assertThat(slow).isNotNull();
        assertThat(sampled.due(Given.NOW.plus(Duration.ofHours(2)))).isEmpty();
        assertThat(sampled.keys()).isEqualTo(1);
        sampled.end(slow, 7, Given.NOW);

        assertThat(sampled.due(Given.NOW.plus(Duration.ofHours(3))))
                .extracting(
                        counts -> counts.tally().findings(),
                        counts -> counts.tally().serverMicros())
                .containsExactly(tuple(1L, 7L));
        assertThat(sampled.keys()).isZero();
    }

    @Test
    void whatEndsAfterClosingCountsAsDropped() {
        AuditPipeline pipeline = pipeline(Recording.FINDINGS);
        find(pipeline, "{userId: 1}", "checkout", Given.LOGGED);
        Auditor.PendingRecord late = pipeline.begin(
                Given.command("{find: 'orders', filter: {userId: 2}}"),
                Given.broadcast(),
                Given.LOGGED,
                from("checkout"));
        pipeline.close();
        pipeline.end(late, Given.ANSWERED);

        assertThat(pipeline.recorded()).isEqualTo(1);
        assertThat(pipeline.dropped()).isEqualTo(1);
    }

    @Test
    void whatHasNoShapeIsToldApartByItsName() {
        SampledFindings sampled = new SampledFindings(Given.NOW);
        AuditEvent.Subject malformed = new AuditEvent.Subject(Given.broadcast().namespace(), "find", null, null);
        AuditEvent.Subject other = new AuditEvent.Subject(Given.broadcast().namespace(), "count", null, null);

        assertThat(sampled.begin(malformed, "a", Given.LOGGED, Given.NOW)).isNull();
        assertThat(sampled.begin(other, "a", Given.LOGGED, Given.NOW)).isNull();
        assertThat(sampled.begin(malformed, "a", Given.LOGGED, Given.NOW)).isNotNull();
    }

    /** By NTP, or by hand. */
    @Test
    void aClockThatIsSetBackStopsNothing() {
        SampledFindings sampled = new SampledFindings(Given.NOW);
        Instant back = Given.NOW.minus(Duration.ofHours(3));
        assertThat(sampled.begin(subject("h"), "app", Given.LOGGED, Given.NOW)).isNull();
        SampledFindings.Counted one = sampled.begin(subject("h"), "app", Given.LOGGED, back);
        assertThat(one).isNotNull();
        sampled.end(one, 10, back);
        assertThat(sampled.due(back.plus(MINUTE).minusNanos(1))).isEmpty();
        assertThat(sampled.due(back.plus(MINUTE))).singleElement().satisfies(counts -> {
            assertThat(counts.tally().findings()).isEqualTo(1);
            assertThat(counts.tally().from()).isEqualTo(back.plus(MINUTE));
            assertThat(counts.tally().to()).isEqualTo(back.plus(MINUTE));
        });
        Instant anHour = back.plus(SampledFindings.EXAMPLE_EVERY);
        assertThat(sampled.begin(subject("h"), "app", Given.LOGGED, anHour.minusNanos(1)))
                .isNotNull();
        assertThat(sampled.begin(subject("h"), "app", Given.LOGGED, anHour))
                .as("the next example")
                .isNull();
    }

    /** Threads read the clock and come here in any order: time must not run faster for it. */
    @Test
    void readingsOutOfOrderAreNotCountedTwice() {
        SampledFindings sampled = new SampledFindings(Given.NOW);
        for (int i = 0; i < 1_000; i++) {
            Instant now = Given.NOW.plusMillis(i);
            sampled.due(now.plusMillis(500));
            sampled.due(now);
        }

        Instant later = Given.NOW.plusSeconds(2);
        assertThat(sampled.begin(subject("h"), null, Given.LOGGED, later)).isNull();
        sampled.end(sampled.begin(subject("h"), null, Given.LOGGED, later), 1, later);
        assertThat(sampled.due(Given.NOW.plus(MINUTE).minusMillis(1))).isEmpty();
        assertThat(sampled.due(Given.NOW.plus(MINUTE))).hasSize(1);
    }

    /** An example that found no room must not hide its shape for an hour. */
    @Test
    void anExampleThatIsLostIsFollowedByAnother() {
        SampledFindings sampled = new SampledFindings(Given.NOW);
        assertThat(sampled.begin(subject("h"), "a", Given.LOGGED, Given.NOW)).isNull();
        assertThat(sampled.begin(subject("g"), "a", Given.LOGGED, Given.NOW)).isNull();
        sampled.exampleLost(subject("h"), "a");
        sampled.exampleLost(subject("unknown"), "a");

        assertThat(sampled.begin(subject("h"), "a", Given.LOGGED, Given.NOW)).isNull();
        assertThat(sampled.begin(subject("h"), "a", Given.LOGGED, Given.NOW)).isNotNull();
        assertThat(sampled.begin(subject("g"), "a", Given.LOGGED, Given.NOW)).isNotNull();
    }

    @Test
    void whatIsRefusedByTheQueueIsALostExample() {
        AuditPipeline pipeline = pipeline(Recording.FINDINGS);
        pipeline.close();
        for (int i = 0; i < 2; i++) {
            CommandView command = Given.command("{find: 'orders', filter: {userId: 1}}");
            Auditor.PendingRecord pending = pipeline.begin(command, Given.broadcast(), Given.LOGGED, from("checkout"));
            assertThat(((AuditPipeline.Sighted) pending).record())
                    .as("an example each")
                    .isInstanceOf(PendingEvent.class);
            pipeline.end(pending, Given.ANSWERED);
        }
    }
}
