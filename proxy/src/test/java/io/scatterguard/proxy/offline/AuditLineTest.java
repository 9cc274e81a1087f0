package io.scatterguard.proxy.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.records.AuditRecord;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the lines of an audit log are, and what becomes of records that a policy is tried on. */
class AuditLineTest {
    private static final String GAP = "{\"gap\":{\"from\":6,\"to\":8,\"count\":3},\"ts\":\"2026-12-01T10:20:30Z\"}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{seq: 1, route: {}, verdict: {}}                  | ROUTED     | 1",
                "{seq: 1, command: 'ping', verdict: {}}            | NOT_ROUTED | 1",
                "{seq: 1, counts: {findings: 299, exempted: 2}}    | COUNTS     | 299",
                "{seq: 1, counts: {findings: 'x'}}                 | COUNTS     | 0",
                "{gap: {from: 6, to: 8, count: 3}, ts: ''}         | GAP        | 3",
                "{id: 'a', ns: 'shop.c', command: {find: 'c'}}     | OTHER      | 1",
                "{seq: 'x', route: {}}                             | OTHER      | 1",
                "{}                                                | OTHER      | 1",
            })
    void itsMembersSayWhatALineIs(String line, AuditRecord.Kind kind, long represents) {
        assertThat(AuditLine.parse(line).kind()).isEqualTo(kind);
        assertThat(AuditLine.parse(line).represents()).isEqualTo(represents);
    }

    @Test
    void aGapTellsOfNoFinding() {
        assertThat(AuditLine.parse(GAP).kind()).isEqualTo(AuditRecord.Kind.GAP);
        assertThat(AuditLine.parse(GAP).finding()).isEmpty();
        assertThatThrownBy(() -> AuditLine.parse("no line")).isInstanceOf(LineFormatException.class);
    }

    private static String record(String reason, String certainty) {
        return "{seq: 1, ts: '2026-12-01T10:20:30.123456Z', db: 'shop', coll: 'c', command: 'find', route: {placement:"
                + " 'allShards', shape: 'scatterGather', certainty: '" + certainty
                + "', shardCount: 2}, verdict: {action: 'allow', reason: '" + reason + "'}}";
    }

    private static String tried(String line, OnUnknown onUnknown) {
        PolicyTrial trial = new PolicyTrial(
                ConfigReader.read("listeners: [{upstream: {hosts: [a]}}]\npolicy: {default: {reads: log}}\n", Map.of())
                        .policy(),
                onUnknown);
        return trial.result(PolicyCase.of(
                        AuditLine.parse(line),
                        () -> {
                            throw new AssertionError("records need no catalog");
                        },
                        Instant.EPOCH))
                .toString();
    }

    @ParameterizedTest
    @EnumSource(OnUnknown.class)
    void whereTheMetadataWasNotKnownTheConfigurationDecidesAgain(OnUnknown onUnknown) {
        String done = onUnknown == OnUnknown.REFUSE ? "refuse" : "allow";

        assertThat(tried(record("catalogUnknown", "upperBound"), onUnknown)).isEqualTo(done + " by (catalogUnknown)");
        assertThat(tried(record("default", "upperBound"), onUnknown)).isEqualTo("log by (default)");
        assertThat(tried(record("default", "exact"), onUnknown)).isEqualTo("log by (default)");
    }

    @Test
    void aRecordWhoseMembersAreOfOtherTypesCannotBeRead() {
        for (String wrong : new String[] {"intrinsic: 1", "shardCount: 'x'", "release: 'x'", "viewOn: 5"}) {
            String line = record("rule", "exact").replace("placement:", wrong + ", placement:");
            assertThatThrownBy(() -> tried(line.replace(", shardCount: 2", ""), OnUnknown.ALLOW))
                    .as(wrong)
                    .isInstanceOf(LineFormatException.class);
        }
    }
}
