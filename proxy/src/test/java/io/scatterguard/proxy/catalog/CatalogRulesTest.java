package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogRules.Imported;
import io.scatterguard.proxy.catalog.CatalogRules.Placement;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import io.scatterguard.proxy.config.ClusterShardsRule;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.Bounds;
import io.scatterguard.proxy.config.CollectionRule.ChunkRule;
import io.scatterguard.proxy.config.CollectionRule.Chunks;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.config.CollectionRule.Unsplittable;
import io.scatterguard.proxy.config.DatabaseRule;
import io.scatterguard.proxy.config.TimeseriesRule;
import io.scatterguard.proxy.config.ViewRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CatalogRulesTest {
    private static final Placement CHUNKS = new Placement(true, null);
    private static final Placement OWNING = new Placement(false, null);

    private static RawCatalog with(List<BsonDocument> collections, List<BsonDocument> chunks, String... views) {
        RawCatalog raw = RawCatalogs.of(collections, chunks);
        return new RawCatalog(
                raw.shards(),
                raw.databases(),
                raw.collections(),
                raw.chunks(),
                List.of(),
                Stream.of(views).map(BsonDocument::parse).toList(),
                List.of());
    }

    private static Imported all(RawCatalog raw, Placement placement) {
        return CatalogRules.of(raw, namespace -> true, placement);
    }

    private static CollectionRule only(Imported imported) {
        return imported.rules().stream()
                .filter(CollectionRule.class::isInstance)
                .map(CollectionRule.class::cast)
                .reduce((a, b) -> {
                    throw new AssertionError("two: " + a + ", " + b);
                })
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void declaresChunksInTheOrderOfTheirBounds(Layout layout) {
        Collection orders = Collection.of(layout, "shop.orders", "{a: 1}");
        List<BsonDocument> chunks = new ArrayList<>(orders.chunksSplitAt("10", "'x'"));
        Collections.reverse(chunks);

        Imported imported = all(
                with(List.of(orders.documentWith("{unique: true, defaultCollation: {locale: 'fr'}}")), chunks), CHUNKS);

        assertThat(imported.problems()).isEmpty();
        assertThat(imported.rules())
                .containsExactly(
                        new ClusterShardsRule(List.of("a", "b")),
                        new DatabaseRule("shop", "b"),
                        new CollectionRule(
                                new Namespace("shop", "orders"),
                                BsonDocument.parse("{a: 1}"),
                                true,
                                BsonDocument.parse("{locale: 'fr'}"),
                                new Chunks(List.of(
                                        new ChunkRule(BsonDocument.parse("{a: {$minKey: 1}}"), "a"),
                                        new ChunkRule(BsonDocument.parse("{a: 10}"), "b"),
                                        new ChunkRule(BsonDocument.parse("{a: 'x'}"), "a"))),
                                null,
                                List.of()));
    }

    @Test
    void declaresAsManyShardsAsOwnChunksOrAsAreGiven() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 'hashed'}");
        RawCatalog raw =
                with(List.of(orders.document()), orders.chunksSplitAt("{$numberLong: '1'}", "{$numberLong: '5'}"));

        assertThat(only(all(raw, OWNING)).distribution()).isEqualTo(new Shards(2, Bounds.UNKNOWN));
        assertThat(only(all(raw, new Placement(false, 7))).distribution()).isEqualTo(new Shards(7, Bounds.UNKNOWN));
        assertThat(only(all(raw, new Placement(false, 1))).distribution()).isEqualTo(new Shards(1));
    }

    @Test
    void declaresTimeSeriesByTheNamesOfTheirFields() {
        Collection buckets =
                Collection.of(Layout.UUID, "shop.system.buckets.weather", "{'meta.city': 1, 'control.min.when': 1}");
        BsonDocument document = buckets.documentWith(
                "{timeseriesFields: {timeField: 'when', metaField: 'tags',"
                        + " granularity: 'hours', bucketMaxSpanSeconds: 2592000, bucketRoundingSeconds: {$numberLong: '86400'}}}");
        List<BsonDocument> chunks = List.of(
                buckets.chunk(
                        "a",
                        1,
                        0,
                        "{'meta.city': {$minKey: 1}, 'control.min.when': {$minKey: 1}}",
                        "{'meta.city': 'Oslo', 'control.min.when': {$minKey: 1}}"),
                buckets.chunk(
                        "b",
                        2,
                        0,
                        "{'meta.city': 'Oslo', 'control.min.when': {$minKey: 1}}",
                        "{'meta.city': {$maxKey: 1}, 'control.min.when': {$maxKey: 1}}"));

        CollectionRule rule = only(all(
                with(
                        List.of(document),
                        chunks,
                        "{_id: 'shop.weather', viewOn: 'system.buckets.weather', pipeline: [{$_internalUnpackBucket: {}}]}",
                        "{_id: 'shop.oslo', viewOn: 'weather', pipeline: [{$match: {'tags.city': 'Oslo'}}]}"),
                CHUNKS));

        assertThat(rule.namespace()).isEqualTo(new Namespace("shop", "weather"));
        assertThat(rule.key()).isEqualTo(BsonDocument.parse("{'tags.city': 1, when: 1}"));
        assertThat(rule.timeseries()).isEqualTo(new TimeseriesRule("when", "tags", "hours", 2_592_000, 86_400));
        assertThat(((Chunks) rule.distribution()).chunks())
                .extracting(ChunkRule::min)
                .containsExactly(
                        BsonDocument.parse("{'tags.city': {$minKey: 1}, when: {$minKey: 1}}"),
                        BsonDocument.parse("{'tags.city': 'Oslo', when: {$minKey: 1}}"));
    }

    @Test
    void declaresWhatIsTrackedAndNotSplit() {
        Collection moved = Collection.of(Layout.UUID, "shop.moved", "{_id: 1}");
        RawCatalog raw = with(List.of(moved.documentWith("{unsplittable: true}")), moved.chunksSplitAt());

        assertThat(only(all(raw, OWNING)).distribution()).isEqualTo(new Unsplittable("a"));
        assertThat(only(all(raw, CHUNKS)).distribution()).isEqualTo(new Unsplittable("a"));
    }

    @Test
    void declaresATimeSeriesCollectionThatIsNotSplit() {
        Collection moved = Collection.of(Layout.UUID, "shop.system.buckets.moved", "{_id: 1}");
        RawCatalog raw = with(
                List.of(moved.documentWith(
                        "{unsplittable: true, timeseriesFields: {timeField: 'when', metaField: 'tags'}}")),
                moved.chunksSplitAt());
        Imported imported = all(raw, CHUNKS);

        assertThat(imported.problems()).isEmpty();
        assertThat(only(imported).namespace()).isEqualTo(new Namespace("shop", "moved"));
        assertThat(only(imported).distribution()).isEqualTo(new Unsplittable("a"));
        assertThat(only(imported).timeseries()).isEqualTo(new TimeseriesRule("when", "tags", null, null, null));
    }

    @Test
    void theOwnersOfChunksAreAsGoodAsTheChunks() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        Collection moved = Collection.of(Layout.UUID, "shop.moved", "{_id: 1}");
        Collection empty = Collection.of(Layout.UUID, "shop.empty", "{a: 1}");
        List<BsonDocument> collections =
                List.of(orders.document(), moved.documentWith("{unsplittable: true}"), empty.document());
        String view = "{_id: 'shop.open', viewOn: 'orders', pipeline: []}";
        RawCatalog read =
                with(collections, RawCatalogs.concat(orders.chunksSplitAt("1", "2"), moved.chunksSplitAt()), view);
        OwnedCatalog owned = new OwnedCatalog(
                with(collections, List.of(), view, "{_id: 'shop.broken', viewOn: 'orders'}"),
                Map.of(
                        new Namespace("shop", "orders"), List.of("a", "b"),
                        new Namespace("shop", "moved"), List.of("a")));

        Imported imported = CatalogRules.of(owned, namespace -> true, OWNING);

        assertThat(imported.rules()).isEqualTo(all(read, OWNING).rules());
        assertThat(imported.problems())
                .extracting(CatalogProblem::subject)
                .containsExactlyInAnyOrder("shop.empty", "shop.broken");
    }

    @Test
    void takesTheViewsOnWhatIsWantedAndWhatTheyRead() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        Collection other = Collection.of(Layout.UUID, "shop.other", "{a: 1}");
        RawCatalog raw = with(
                List.of(orders.document(), other.document()),
                RawCatalogs.concat(orders.chunksSplitAt("1"), other.chunksSplitAt("1")),
                "{_id: 'shop.open', viewOn: 'orders', pipeline: [{$match: {open: true}}]}",
                "{_id: 'shop.recent', viewOn: 'open', pipeline: [], collation: {locale: 'de'}}",
                "{_id: 'shop.unrelated', viewOn: 'other', pipeline: []}",
                "{_id: 'shop.broken', viewOn: 'orders'}");

        Imported byCollection =
                CatalogRules.of(raw, namespace -> namespace.equals(new Namespace("shop", "orders")), OWNING);
        Imported byView = CatalogRules.of(raw, namespace -> namespace.equals(new Namespace("shop", "recent")), OWNING);

        assertThat(byCollection.rules())
                .filteredOn(ViewRule.class::isInstance)
                .extracting(rule -> ((ViewRule) rule).namespace().collection())
                .containsExactly("open", "recent");
        assertThat(byView.rules()).isEqualTo(byCollection.rules());
        assertThat(byView.problems()).extracting(CatalogProblem::subject).containsExactly("shop.broken");
        assertThat(byCollection.rules()).contains(new DatabaseRule("shop", "b"));
    }

    @Test
    void leavesOutWhatIsBrokenAndSaysSo() {
        Collection good = Collection.of(Layout.UUID, "shop.good", "{a: 1}");
        Collection bad = Collection.of(Layout.UUID, "shop.bad", "{a: 1}");
        List<BsonDocument> gap = List.of(bad.chunksSplitAt("1", "2").get(0));

        Imported imported = all(
                with(
                        List.of(good.document(), bad.document(), bad.documentWith("{_id: 'shop.gone', dropped: true}")),
                        RawCatalogs.concat(good.chunksSplitAt("1"), gap)),
                CHUNKS);

        assertThat(only(imported).namespace()).isEqualTo(new Namespace("shop", "good"));
        assertThat(imported.problems()).extracting(CatalogProblem::subject).containsExactly("shop.bad");
    }

    @Test
    void aBoundThatWouldBeReadAsSomethingElseCostsTheChunks() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        List<BsonDocument> chunks = orders.chunksSplitAt("1");
        BsonDocument bound =
                new BsonDocument("a", new BsonDocument("$oid", new BsonString("65a000000000000000000001")));
        chunks.get(0).append("max", bound);
        chunks.get(1).append("min", bound);

        Imported imported = all(with(List.of(orders.document()), chunks), CHUNKS);

        assertThat(only(imported).distribution()).isEqualTo(new Shards(2));
        assertThat(imported.problems())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).contains("shop.orders").contains("Extended JSON"));
    }
}
