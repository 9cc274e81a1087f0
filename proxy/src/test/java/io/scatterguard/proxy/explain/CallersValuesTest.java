package io.scatterguard.proxy.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxy explains to whoever asks holds values of the question, and none of the cluster. */
class CallersValuesTest {
    private static final String STORED = "7411";

    private static final CatalogSnapshot CATALOG = CatalogBuilder.build(
            new RawCatalog(
                    documents("{_id: 'x'}", "{_id: 'y'}"),
                    documents("{_id: 'test', primary: 'x'}"),
                    documents(
                            collection("c", "key: {a: 1}"),
                            collection("h", "key: {a: 'hashed'}"),
                            collection(
                                    "system.buckets.series",
                                    "key: {meta: 1}, timeseriesFields: {timeField: 't', metaField: 'm'}")),
                    documents(
                            chunk("c", "{a: {$minKey: 1}}", "{a: 741100}", "x"),
                            chunk("c", "{a: 741100}", "{a: {$maxKey: 1}}", "y"),
                            chunk("h", "{a: {$minKey: 1}}", "{a: {$numberLong: '741100'}}", "x"),
                            chunk("h", "{a: {$numberLong: '741100'}}", "{a: {$maxKey: 1}}", "y"),
                            chunk("system.buckets.series", "{meta: {$minKey: 1}}", "{meta: 741100}", "x"),
                            chunk("system.buckets.series", "{meta: 741100}", "{meta: {$maxKey: 1}}", "y")),
                    List.of(),
                    documents(
                            "{_id: 'test.five', viewOn: 'c', pipeline: [{$match: {a: 741155}}]}",
                            "{_id: 'test.low', viewOn: 'five', pipeline: [{$match: {a: {$lt: 741177}}}]}",
                            "{_id: 'test.hashed', viewOn: 'h', pipeline: [{$match: {a: 741155}}]}",
                            "{_id: 'test.ofSeries', viewOn: 'series', pipeline: [{$match: {m: 741155}}]}"),
                    List.of()),
            ShardRegistry.empty(),
            Instant.EPOCH);

    private static List<BsonDocument> documents(String... documents) {
        return Stream.of(documents).map(BsonDocument::parse).toList();
    }

    private static String collection(String name, String fields) {
        return "{_id: 'test." + name + "', lastmodEpoch: {$oid: '000000000000000000000001'}, " + fields + "}";
    }

    private static String chunk(String name, String min, String max, String shard) {
        return "{ns: 'test." + name + "', min: " + min + ", max: " + max + ", shard: '" + shard
                + "', lastmod: {$timestamp: {t: 1, i: 0}}}";
    }

    private static Explanation explanation(String command) {
        CommandView view = CommandView.of("test", BsonView.encode(BsonDocument.parse(command)));
        return Explanation.of(view, CATALOG, RouterRelease.parse("8.0"));
    }

    private static BsonDocument told(String command) {
        Explanation explanation = explanation(command);
        BsonDocument json = ExplanationJson.document(explanation, List.of());
        CallersValues.only(json, explanation, CATALOG);
        return json;
    }

    private static BsonDocument lookup(BsonDocument json) {
        return json.getArray("statements")
                .get(0)
                .asDocument()
                .getArray("lookups")
                .get(0)
                .asDocument();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'c'}",
                "{find: 'c', filter: {a: {$gt: 5}}}",
                "{find: 'h', filter: {b: 5}}",
                "{find: 'series', filter: {m: {$gt: 5}}}",
                "{update: 'c', updates: [{q: {a: {$gt: 5}}, u: {$set: {b: 1}}, multi: true}, {q: {a: 1}, u: {$set: {b: 1}}}]}",
                "{find: 'five'}",
                "{find: 'low', filter: {a: {$gt: 5}}}",
                "{explain: {find: 'five'}}",
                "{find: 'hashed'}",
                "{find: 'ofSeries'}"
            })
    void nothingThatIsStoredIsTold(String command) {
        Explanation explanation = explanation(command);
        assertThat(ExplanationJson.of(explanation, List.of()))
                .as("the neighbour")
                .contains(STORED);

        String told = told(command).toJson();
        assertThat(told).doesNotContain(STORED).contains("\"chunkCount\"", "\"chunksByShard\"");
        assertThat(told).doesNotContain("\"min\"", "\"max\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{find: 'c', filter: {a: 815}}", "{find: 'h', filter: {a: 815}}"})
    void whatWasAskedIsTold(String command) {
        BsonDocument lookup = lookup(told(command));

        assertThat(lookup.getArray("fields").get(0).asDocument().toJson()).contains("815");
        assertThat(lookup.getArray("ranges").get(0).asDocument()).containsKeys("low", "high");
        assertThat(lookup.getArray("chunks"))
                .allSatisfy(chunk -> assertThat(chunk.asDocument()).containsOnlyKeys("shard"));
    }
}
