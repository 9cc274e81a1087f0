package io.scatterguard.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.proxy.findings.ShapeTable;
import io.scatterguard.proxy.findings.Sightings;
import io.scatterguard.proxy.findings.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which shapes are answered, and in which order. */
class ShapeEndpointsTest {
    private final TestClock clock = new TestClock();
    private final ShapeTable table = new ShapeTable(clock);

    private static BsonDocument ask(Endpoint endpoint, Map<String, String> parameters) throws BadQuestionException {
        Answer answer = endpoint.answer(new GuardTest.FakeQuestion(parameters, Map.of()));
        assertThat(answer.status()).isEqualTo(200);
        return BsonDocument.parse(answer.body());
    }

    private BsonDocument findings(Map<String, String> parameters) throws BadQuestionException {
        return ask(new FindingsEndpoint(table), parameters);
    }

    private static List<String> hashes(BsonDocument answer, String list) {
        return answer.getArray(list).stream()
                .map(BsonValue::asDocument)
                .map(shape -> shape.getDocument("shape").getString("hash").getValue())
                .toList();
    }

    private void feed() {
        table.count(Sightings.logged("orders", "cheap", "shop-team"), 1_000);
        table.count(Sightings.refused("orders", "refused"), 0);
        table.count(Sightings.refused("orders", "refused-twice"), 0);
        table.count(Sightings.refused("orders", "refused-twice"), 0);
        for (int i = 0; i < 10; i++) {
            table.count(Sightings.allowed("orders", "allowed"), 90_000_000);
        }
        clock.pass(Duration.ofHours(2));
        table.count(Sightings.logged("items", "costly", "items-team"), 60_000_000);
        table.count(Sightings.allowed("items", "costly"), 900_000_000);
        table.count(Sightings.allowed("items", "costly"), 900_000_000);
    }

    /** Not what commands of the same shape cost that were no findings. */
    @Test
    void findingsAreRankedByWhatTheyCost() throws BadQuestionException {
        feed();

        BsonDocument answer = findings(Map.of());
        assertThat(hashes(answer, "findings")).containsExactly("costly", "cheap", "refused-twice", "refused");
        assertThat(answer.getInt32("total").getValue()).isEqualTo(4);
        assertThat(answer.getInt32("known").getValue()).isEqualTo(5);
        assertThat(answer.getDouble("seconds").getValue()).isEqualTo(7_200);
        assertThat(answer.getDocument("counts").getNumber("commands").longValue())
                .isEqualTo(17);
        assertThat(answer.getDocument("other").getNumber("displaced").longValue())
                .isZero();
        assertThat(answer.getArray("findings").get(0)).isEqualTo(BsonDocument.parse("""
                {db: "shop", coll: "items", command: "find", shape: {text: "find {filter: {}}", hash: "costly"},
                 route: {placement: "allShards", shape: "scatterGather", certainty: "exact", intrinsic: false,
                         shardCount: 3},
                 missing: ["region"], verdict: {action: "log", wouldRefuse: true}, owner: "items-team",
                 shardSecondsPerHour: 90.0,
                 counts: {commands: 3, findings: 1, refused: 0, wouldRefuse: 1, exempted: 0, serverMicros: 1860000000,
                          shardMicros: 1980000000, findingServerMicros: 60000000, findingShardMicros: 180000000},
                 apps: ["checkout"], otherApps: 0, tests: [], otherTests: 0,
                 firstSeen: "2026-12-01T12:00:00Z", lastSeen: "2026-12-01T12:00:00Z"}
                """));
    }

    @Test
    void allShapesAreRankedByHowOftenTheyCame() throws BadQuestionException {
        feed();

        BsonDocument answer = ask(new ShapesEndpoint(table), Map.of("limit", "3"));
        assertThat(hashes(answer, "shapes")).containsExactly("allowed", "costly", "refused-twice");
        assertThat(answer.getInt32("total").getValue()).isEqualTo(5);
        BsonDocument costly = answer.getArray("shapes").get(1).asDocument();
        assertThat(costly.getDocument("verdict").getString("action").getValue()).isEqualTo("allow");
        assertThat(costly.containsKey("owner")).isFalse();
        assertThat(costly.getDouble("shardSecondsPerHour").getValue()).isEqualTo(990);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            namespace | shop.items           | costly
            namespace | shop                 | costly cheap refused-twice refused
            namespace | shop.item            | ''
            namespace | sho                  | ''
            owner     | shop-team            | cheap
            owner     | shop                 | refused-twice refused
            owner     | none                 | ''
            since     | 2026-12-01T12:00:00Z | costly
            since     | 2026-12-01T10:00:00Z | costly cheap refused-twice refused
            since     | 2026-12-01T12:00:01Z | ''
            limit     | 1                    | costly
            """)
    void onlySomeMayBeAskedFor(String parameter, String value, String found) throws BadQuestionException {
        feed();

        assertThat(String.join(" ", hashes(findings(Map.of(parameter, value)), "findings")))
                .isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource({"limit,0", "limit,1001", "limit,x", "since,yesterday", "since,''"})
    void aWrongParameterIsNamed(String parameter, String value) {
        assertThatThrownBy(() -> findings(Map.of(parameter, value)))
                .isInstanceOf(BadQuestionException.class)
                .hasMessageStartingWith(parameter + ": ")
                .hasMessageContaining("(expected: ");
    }

    @Test
    void aResetAnswersWhatWasCleared() throws BadQuestionException {
        feed();
        FindingsResetEndpoint endpoint = new FindingsResetEndpoint(table);
        assertThat(endpoint.access()).isEqualTo(Endpoint.Access.CHANGE);

        BsonDocument answer = ask(endpoint, Map.of());
        BsonDocument cleared = answer.getDocument("cleared");
        assertThat(cleared.getInt32("known").getValue()).isEqualTo(5);
        assertThat(cleared.getDocument("counts").getNumber("findings").longValue())
                .isEqualTo(5);
        assertThat(answer.getString("since").getValue()).isEqualTo("2026-12-01T12:00:00Z");
        assertThat(hashes(findings(Map.of()), "findings")).isEmpty();
    }

    /** A large command takes memory: of many that are asked about at once only a few are looked at. */
    @Test
    void fewCommandsAreExplainedAtOnce() throws Exception {
        CountDownLatch entered = new CountDownLatch(ExplainEndpoint.MAX_AT_ONCE);
        CountDownLatch gate = new CountDownLatch(1);
        ExplainEndpoint endpoint = new ExplainEndpoint(asked -> {
            entered.countDown();
            awaited(gate);
            return "{}";
        });
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> askers = new ArrayList<>();
        for (int i = 0; i < ExplainEndpoint.MAX_AT_ONCE; i++) {
            askers.add(new Thread(() -> {
                try {
                    endpoint.answer(new GuardTest.FakeQuestion(Map.of(), Map.of()));
                } catch (BadQuestionException | RuntimeException e) {
                    failure.set(e);
                }
            }));
        }
        askers.forEach(Thread::start);
        assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(endpoint.answer(new GuardTest.FakeQuestion(Map.of(), Map.of()))
                        .status())
                .isEqualTo(503);
        gate.countDown();
        for (Thread asker : askers) {
            asker.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(endpoint.answer(new GuardTest.FakeQuestion(Map.of(), Map.of()))
                        .status())
                .isEqualTo(200);
    }

    private static void awaited(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
