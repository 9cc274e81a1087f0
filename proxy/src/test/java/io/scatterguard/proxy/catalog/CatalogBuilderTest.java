package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CatalogBuilderTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");
    private static final Namespace ORDERS = Namespace.parse("shop.orders");

    @ParameterizedTest
    @EnumSource
    void buildsATableFromEitherLayout(Layout layout) {
        Collection orders = Collection.of(layout, "shop.orders", "{a: 1}");
        Collection other = Collection.of(layout, "shop.other", "{a: 1}");
        List<BsonDocument> chunks = RawCatalogs.concat(other.chunksSplitAt("5"), orders.chunksSplitAt("10", "20"));
        Collections.reverse(chunks);

        CatalogSnapshot snapshot = build(List.of(orders.document(), other.document()), chunks);

        assertThat(snapshot.complete()).isTrue();
        assertThat(snapshot.loadedAt()).isEqualTo(NOW);
        assertThat(snapshot.primary("shop"))
                .isEqualTo(snapshot.registry().ordinal("b"))
                .isEqualTo(1);
        assertThat(snapshot.primary("elsewhere")).isEqualTo(-1);
        RoutingTable table = snapshot.table(ORDERS);
        assertThat(table.chunkCount()).isEqualTo(3);
        assertThat(table.version()).hasToString("3|0");
        assertThat(table.shardOf(key("{a: 9}"))).isEqualTo(0);
        assertThat(table.shardOf(key("{a: 10}"))).isEqualTo(1);
        assertThat(table.shardOf(key("{a: {$numberDecimal: '19.5'}}"))).isEqualTo(1);
        assertThat(table.shardOf(key("{a: 'text'}"))).isEqualTo(0);
        assertThat(snapshot.table(Namespace.parse("shop.other")).chunkCount()).isEqualTo(2);
    }

    @Test
    void aCollectionWithATimestampIgnoresChunksThatHaveOnlyItsName() {
        Collection byUuid = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        Collection byName = Collection.of(Layout.NS, "shop.orders", "{a: 1}");

        CatalogSnapshot snapshot = build(
                List.of(byUuid.document()),
                RawCatalogs.concat(byName.chunksSplitAt("1", "2", "3"), byUuid.chunksSplitAt("10")));

        assertThat(snapshot.table(ORDERS).chunkCount()).isEqualTo(2);
    }

    @Test
    void comparesBoundsOfMixedTypesInTheServersOrder() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        List<BsonDocument> chunks =
                orders.chunksSplitAt("null", "{$numberLong: '7'}", "'m'", "{$oid: '500000000000000000000000'}");
        Collections.shuffle(chunks);

        RoutingTable table = build(List.of(orders.document()), chunks).table(ORDERS);

        assertThat(table.chunkOf(key("{a: null}"))).isEqualTo(1);
        assertThat(table.chunkOf(key("{a: {$numberDouble: '6.9'}}"))).isEqualTo(1);
        assertThat(table.chunkOf(key("{a: 7}"))).isEqualTo(2);
        assertThat(table.chunkOf(key("{a: 'z'}"))).isEqualTo(3);
        assertThat(table.chunkOf(key("{a: true}"))).isEqualTo(4);
    }

    @Test
    void readsHashedAndCompoundKeys() {
        Collection hashed = Collection.of(Layout.UUID, "shop.hashed", "{_id: 'hashed'}");
        Collection compound = Collection.of(Layout.UUID, "shop.compound", "{a: 1, 'b.c': 'hashed', d: -1}");
        String middle = "{a: 5, 'b.c': {$numberLong: '-3'}, d: {$minKey: 1}}";
        List<BsonDocument> chunks = RawCatalogs.concat(
                hashed.chunksSplitAt("{$numberLong: '-4611686018427387902'}", "{$numberLong: '0'}"),
                List.of(
                        compound.chunk("b", 2, 1, middle, all(compound, "{$maxKey: 1}")),
                        compound.chunk("a", 2, 0, all(compound, "{$minKey: 1}"), middle)));

        CatalogSnapshot snapshot = build(List.of(hashed.document(), compound.document()), chunks);

        RoutingTable byHash = snapshot.table(Namespace.parse("shop.hashed"));
        assertThat(byHash.shardKey().hasHashedField()).isTrue();
        assertThat(byHash.chunkOf(key("{_id: {$numberLong: '-1'}}"))).isEqualTo(1);
        RoutingTable table = snapshot.table(Namespace.parse("shop.compound"));
        assertThat(table.shardKey()).hasToString("{a: 1, b.c: \"hashed\", d: 1}");
        assertThat(table.version()).hasToString("2|1");
        assertThat(table.chunkOf(key("{a: 5, b: {$numberLong: '-4'}, d: 0}"))).isEqualTo(0);
        assertThat(table.chunkOf(key("{a: 5, b: {$numberLong: '-3'}, d: 0}"))).isEqualTo(1);
    }

    @Test
    void keepsWhatRoutingNeedsOfTheCollection() {
        Collection tracked = Collection.of(Layout.UUID, "shop.tracked", "{_id: 1}");
        Collection buckets = Collection.of(Layout.UUID, "shop.system.buckets.t", "{'control.min.t': 1}");
        BsonDocument trackedDocument = tracked.documentWith("{unsplittable: true, defaultCollation: {}}");
        BsonDocument bucketsDocument = buckets.documentWith(
                "{unique: true, timeseriesFields: {timeField: 't'}, defaultCollation: {locale: 'fr'}}");

        CatalogSnapshot snapshot = build(
                List.of(trackedDocument, bucketsDocument),
                RawCatalogs.concat(tracked.chunksSplitAt(), buckets.chunksSplitAt()));

        CollectionInfo first = snapshot.table(Namespace.parse("shop.tracked")).collection();
        assertThat(first.unsplittable()).isTrue();
        assertThat(first.unique()).isFalse();
        assertThat(first.defaultCollation()).isNull();
        assertThat(first.timeseriesFields()).isNull();
        CollectionInfo second =
                snapshot.table(Namespace.parse("shop.system.buckets.t")).collection();
        assertThat(second.unsplittable()).isFalse();
        assertThat(second.unique()).isTrue();
        assertThat(second.defaultCollation()).isEqualTo(BsonDocument.parse("{locale: 'fr'}"));
        assertThat(second.timeseriesFields()).isEqualTo(BsonDocument.parse("{timeField: 't'}"));
    }

    @Test
    void leavesOutDroppedAndUnshardedCollections() {
        Collection dropped = Collection.of(Layout.NS, "shop.dropped", "{a: 1}");
        Collection unsharded = Collection.of(Layout.NS, "shop.unsharded", "{a: 1}");
        Collection sharded = Collection.of(Layout.NS, "shop.orders", "{a: 1}");

        CatalogLoad load = load(
                List.of(
                        dropped.documentWith("{dropped: true}"),
                        unsharded.documentWith("{distributionMode: 'unsharded'}"),
                        sharded.documentWith("{dropped: false, distributionMode: 'sharded'}")),
                sharded.chunksSplitAt());

        assertThat(load.snapshot().tables()).containsOnlyKeys(ORDERS);
        assertThat(load.snapshot().unknown()).isEmpty();
        assertThat(load.problems()).isEmpty();
    }

    @Test
    void givesAnUnregisteredShardAnOrdinalAndKeepsTheOldOnes() {
        Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
        ShardRegistry previous = ShardRegistry.empty().withRegistered(List.of("old", "b"));
        RawCatalog raw = RawCatalogs.of(
                List.of(orders.document()),
                List.of(orders.chunk("ghost", 1, 0, "{a: {$minKey: 1}}", "{a: {$maxKey: 1}}")));

        CatalogSnapshot snapshot = CatalogBuilder.build(raw, previous, NOW);

        ShardRegistry registry = snapshot.registry();
        assertThat(registry.ids()).containsExactly("old", "b", "a", "ghost");
        assertThat(registry.names(registry.registered())).containsExactly("b", "a");
        assertThat(registry.names(snapshot.table(ORDERS).owningShards())).containsExactly("ghost");
    }

    @Test
    void aBrokenCollectionIsUnknownAndTheOthersAreUsable() {
        Collection broken = Collection.of(Layout.UUID, "shop.broken", "{a: 1}");
        Collection good = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");

        CatalogLoad load = load(List.of(broken.document(), good.document()), good.chunksSplitAt("1"));

        Namespace brokenName = Namespace.parse("shop.broken");
        assertThat(load.snapshot().tables()).containsOnlyKeys(ORDERS);
        assertThat(load.snapshot().isUnknown(brokenName)).isTrue();
        assertThat(load.snapshot().isUnknown(ORDERS)).isFalse();
        assertThat(load.problems())
                .containsExactly(new CatalogProblem(
                        "shop.broken", "shop.broken: 0 chunks (expected: at least 1 for a tracked collection)"));
    }

    @Test
    void aDatabaseWithoutPrimaryIsAProblemAndAShardWithoutIdIsFatal() {
        BsonDocument nameless = BsonDocument.parse("{host: 'x'}");
        RawCatalog noPrimary = new RawCatalog(
                List.of(RawCatalogs.SHARD_A), List.of(BsonDocument.parse("{_id: 'd'}")), List.of(), List.of());
        RawCatalog noShardId = new RawCatalog(List.of(nameless), List.of(), List.of(), List.of());

        CatalogLoad load = CatalogBuilder.load(noPrimary, ShardRegistry.empty(), NOW);

        assertThat(load.snapshot().primary("d")).isEqualTo(-1);
        assertThat(load.problems())
                .containsExactly(new CatalogProblem("d", "d: field primary: missing (expected: a string)"));
        assertThatThrownBy(() -> CatalogBuilder.build(noShardId, ShardRegistry.empty(), NOW))
                .isInstanceOf(CatalogException.class)
                .hasMessage("config.shards: field _id: missing (expected: a string)");
    }

    private static String all(Collection collection, String value) {
        return BsonDocument.parse(collection.key()).keySet().stream()
                .map(field -> "'" + field + "': " + value)
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static byte[] key(String values) {
        return KeyBytes.ofValues(BsonView.encode(BsonDocument.parse(values)));
    }

    private static CatalogSnapshot build(List<BsonDocument> collections, List<BsonDocument> chunks) {
        return CatalogBuilder.build(RawCatalogs.of(collections, chunks), ShardRegistry.empty(), NOW);
    }

    private static CatalogLoad load(List<BsonDocument> collections, List<BsonDocument> chunks) {
        return CatalogBuilder.load(RawCatalogs.of(collections, chunks), ShardRegistry.empty(), NOW);
    }
}
