package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.logs.LogEntry;
import io.scatterguard.proxy.logs.ServerLog;
import io.scatterguard.proxy.offline.OfflineJudge;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.reports.FindingsTally;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Rehearsal;
import io.scatterguard.proxy.routing.RouterRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is added up of brief records is what whole ones add up to. */
class BriefRecordsTest {
    private static final CatalogSnapshot CATALOG =
            VectorCatalog.of("{shardKey: {customerId: 1}, allShards: ['x', 'y', 'z'],"
                    + " chunks: [{min: {customerId: {$minKey: 1}}, max: {customerId: 0}, shard: 'x'},"
                    + " {min: {customerId: 0}, max: {customerId: {$maxKey: 1}}, shard: 'y'}]}");

    @ParameterizedTest
    @ValueSource(strings = {"shop.mongod.log", "yorkie.mongod.log"})
    void theFindingsAreEqual(String log) throws IOException {
        OfflineJudge judge = new OfflineJudge(
                new Rehearsal(new KeyRouter(), false),
                CATALOG,
                new RouterRelease(6, 0),
                CompiledPolicy.compile(PolicyConfig.standard(), 1),
                Clock.systemUTC());
        FindingsTally whole = new FindingsTally(Set.of());
        FindingsTally brief = new FindingsTally(Set.of());
        int found = 0;
        for (String line : Files.readAllLines(Path.of("src", "test", "resources", "recorded", log))) {
            // All on the one collection of the catalog, so that everything is of some sort.
            String moved = line.replaceAll("\"ns\":\"[^\"]*\"", "\"ns\":\"test.c\"")
                    .replaceAll("\"\\$db\":\"[^\"]*\"", "\"\\$db\":\"test\"")
                    .replaceAll("\"(find|aggregate|count|findAndModify)\":\"[^\"]*\"", "\"$1\":\"c\"");
            if (ServerLog.entry(moved) instanceof LogEntry.Ran ran) {
                JsonNode record = judge.record(ran.command());
                OfflineJudge.Found one = judge.find(ran.command());
                assertThat(one == null).isEqualTo(record == null);
                if (record != null) {
                    Objects.requireNonNull(one);
                    whole.addJudged(record, false);
                    brief.addJudged(one.brief(), one.whole(), false);
                    found++;
                }
            }
        }
        assertThat(found).isGreaterThan(20);
        assertThat(brief.findings()).isEqualTo(whole.findings());
    }
}
