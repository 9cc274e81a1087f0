package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FindingsTallyTest {
    private static final String ID = "b877d4f5f43a820d";

    private final FindingsTally tally = new FindingsTally(Set.of("00000000000000aa"));

    private void add(String record) {
        try {
            tally.add(new ObjectMapper().readTree(record));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A broadcast of three shards that took four milliseconds. */
    private static String record(String id, String verdict, String further) {
        return "{\"seq\":1,\"ts\":\"2026-12-01T10:20:30.123456Z\",\"client\":{\"app\":\"checkout\",\"driver\":\"PyMongo 4\"},"
                + "\"db\":\"shop\",\"coll\":\"orders\",\"command\":\"find\",\"shape\":{\"text\":\"find {}\",\"hash\":\""
                + id
                + "\"},\"route\":{\"shape\":\"scatterGather\",\"certainty\":\"exact\",\"shardCount\":3,\"shardTotal\":3},"
                + "\"shardKey\":\"{region: 1, userId: 1}\",\"constrained\":[{\"field\":\"userId\",\"by\":\"point\"}],"
                + "\"missing\":[\"region\"],\"why\":\"because.\",\"fix\":\"add a predicate on \\\"region\\\"\",\"fixFilter\":\"filter: {region: <value>}\",\"verdict\":"
                + verdict
                + ",\"micros\":{\"server\":4000}" + further
                + "}";
    }

    private static String record(String verdict) {
        return record(ID, verdict, "");
    }

    private Finding only() {
        List<Finding> all = tally.findings().all();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void recordsOfAShapeAddUp() {
        add(record("{\"action\":\"log\"}"));
        add(record("{\"action\":\"log\",\"wouldRefuse\":true,\"rule\":\"r\"}"));
        add(record(ID, "{\"action\":\"refuse\"}", ",\"comment\":\"test:A#b test:C#d\""));
        Finding finding = only();
        assertThat(finding.seen().times()).isEqualTo(3);
        assertThat(finding.seen().refused()).isEqualTo(2);
        assertThat(finding.seen().serverMicros()).isEqualTo(12_000);
        assertThat(finding.seen().shardMicros()).isEqualTo(36_000);
        assertThat(finding.seen().last()).isEqualTo(Instant.parse("2026-12-01T10:20:30.123456Z"));
        assertThat(finding.clients().tests()).containsExactly("A#b", "C#d");
        assertThat(finding.key()).isNotNull();
        assertThat(finding.key().fields())
                .containsExactly(new Finding.KeyField("region", null), new Finding.KeyField("userId", "point"));
        assertThat(finding.owner()).isEqualTo("unowned");
    }

    /** At the start of a proxy its metadata may not be there yet. */
    @Test
    void theFirstThatIsKnownTellsWhereItGoes() {
        String unknown = record("{\"action\":\"log\",\"reason\":\"catalogUnknown\"}")
                .replace(",\"shardCount\":3,\"shardTotal\":3", "")
                .replace("\"shape\":\"scatterGather\",", "");
        add(unknown);
        assertThat(only().kind()).isEqualTo(Finding.Kind.UNKNOWN_NAMESPACE);
        assertThat(only().reach()).isEqualTo(new Finding.Reach(-1, -1, true));
        add(record("{\"action\":\"log\"}"));
        add(unknown);
        assertThat(only().kind()).isEqualTo(Finding.Kind.SCATTER_GATHER);
        assertThat(only().reach()).isEqualTo(new Finding.Reach(3, 3, true));
        assertThat(only().seen().times()).isEqualTo(3);
    }

    /** Of the values of a shape some may reach fewer shards than others. */
    @Test
    void theReachIsThatOfTheWidest() {
        add(record("{\"action\":\"log\"}").replace("\"shardCount\":3", "\"shardCount\":1"));
        add(record("{\"action\":\"log\"}"));
        add(record("{\"action\":\"log\"}").replace("\"shardCount\":3", "\"shardCount\":2"));
        assertThat(only().reach()).isEqualTo(new Finding.Reach(3, 3, false));
        assertThat(only().seen().shardMicros()).isEqualTo(4_000 * (1 + 3 + 2));
    }

    /** What says nothing of the command itself is no finding. */
    @Test
    void whatIsNoFindingIsNotCountedAsOne() {
        add(record("{\"action\":\"allow\"}"));
        add(record("{\"action\":\"refuse\",\"reason\":\"transactionRefused\"}"));
        add(record("{\"action\":\"refuse\",\"reason\":\"internalError\"}"));
        add(record("{\"action\":\"allow\",\"exemption\":\"nightly\"}"));
        add("{\"gap\":{\"from\":1,\"to\":2,\"count\":2}}");
        Findings findings = tally.findings();
        assertThat(findings.all()).isEmpty();
        assertThat(findings.totals()).isEqualTo(new Findings.Totals(4, 1, 0));
    }

    /** Counts come before or after their example, and tell how many there were. */
    @Test
    void countsOfASampledLogAddUpWithTheExample() {
        String counts =
                "{\"seq\":2,\"ts\":\"2026-12-01T10:21:30.123456Z\",\"client\":{\"app\":\"other\"},\"db\":\"shop\","
                        + "\"coll\":\"orders\",\"command\":\"find\",\"shape\":{\"text\":\"find {}\",\"hash\":\"" + ID
                        + "\"},\"counts\":{\"findings\":10,\"wouldRefuse\":2,\"exempted\":4,\"serverMicros\":6000}}";
        add(counts);
        assertThat(only().kind()).isEqualTo(Finding.Kind.OTHER);
        add(record("{\"action\":\"log\"}"));
        add(counts);
        Finding finding = only();
        assertThat(finding.kind()).as("of the example").isEqualTo(Finding.Kind.SCATTER_GATHER);
        assertThat(finding.seen().times()).isEqualTo(13);
        assertThat(finding.seen().refused()).isEqualTo(4);
        assertThat(finding.clients().apps()).containsExactly("other", "checkout");
        assertThat(tally.findings().totals()).isEqualTo(new Findings.Totals(21, 8, 0));
    }

    @Test
    void newOnesComeFirstAndThenTheCostliest() {
        add(record("00000000000000aa", "{\"action\":\"log\"}", ""));
        add(record("00000000000000bb", "{\"action\":\"log\"}", ""));
        add(record("00000000000000cc", "{\"action\":\"log\"}", ""));
        add(record("00000000000000cc", "{\"action\":\"log\"}", ""));
        assertThat(tally.findings().all())
                .extracting(Finding::id)
                .containsExactly("00000000000000cc", "00000000000000bb", "00000000000000aa");
        assertThat(tally.findings().fresh()).hasSize(2);
        String text = TextReport.of(tally.findings(), Colours.OFF);
        assertThat(text)
                .startsWith("""
                        00000000000000cc new scatter-gather shop.orders find
                          find {}
                          shard key: {region: 1, userId: 1}   ✗ region missing, ✓ userId (point)
                          3 of 3 shards, 2 times, 4.0 ms each, 0.0 s of shards in all
                          why: because.
                          fix: add a predicate on "region"
                          filter: {region: <value>}
                          PyMongo: add "region": … to the filter, a dict
                        """)
                .contains("00000000000000aa known scatter-gather shop.orders find\n")
                .contains("accept: scatterguard baseline accept 00000000000000bb")
                .doesNotContain("baseline accept 00000000000000aa")
                .endsWith("2 new, 1 known; 4 commands, 0 exempted (new ones came 3 times; owners: unowned)\n");
    }
}
