package io.scatterguard.proxy.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.KeysOnlyCatalog;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a collection of which only the key was read, an explanation names no chunk and no shard. */
class KeysOnlyExplainTest {
    private static final CatalogSnapshot KEYS = KeysOnlyCatalog.snapshot();

    private static Explanation explanation(String command) {
        CommandView view = CommandView.of("shop", BsonView.encode(BsonDocument.parse(command)));
        return Explanation.of(view, KEYS, RouterRelease.parse("8.0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'orders', filter: {a: 1}}",
                "{find: 'orders', filter: {a: {$gt: 1}}}",
                "{find: 'orders', filter: {}}",
                "{find: 'orders', filter: {$and: [{a: 1}, {a: 2}]}}",
                "{insert: 'orders', documents: [{a: 1}]}",
                "{find: 'moved', filter: {x: 1}}"
            })
    void noChunkAndNoShardIsNamed(String command) {
        BsonDocument json = ExplanationJson.document(explanation(command), List.of());

        assertThat(json.getDocument("route"))
                .doesNotContainKeys("shards", "shardCount", "placement", "contacted", "tableVersion");
        for (var statement : json.getArray("statements")) {
            assertThat(statement.asDocument()).doesNotContainKeys("shards", "placement");
            for (var lookup : statement.asDocument().getArray("lookups")) {
                assertThat(lookup.asDocument().getArray("chunks")).isEmpty();
                assertThat(lookup.asDocument().getInt32("chunkTotal").getValue())
                        .isZero();
                assertThat(lookup.asDocument().getDocument("chunksByShard")).isEmpty();
            }
        }
        assertThat(ExplanationText.of(explanation(command), List.of()))
                .contains("only the key was read")
                .doesNotContain("shard-a", "shard-b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{aggregate: 'orders', pipeline: [{$unionWith: 'other'}]}",
                "{aggregate: 'orders', pipeline: [{$unionWith: 'moved'}]}"
            })
    void noShardOfAnotherCollectionIsNamed(String command) {
        BsonDocument json = ExplanationJson.document(explanation(command), List.of());

        assertThat(json.getArray("secondary")).hasSize(1);
        assertThat(json.getArray("secondary").get(0).asDocument()).doesNotContainKey("shards");
        assertThat(ExplanationText.of(explanation(command), List.of())).contains("shards not known");
    }
}
