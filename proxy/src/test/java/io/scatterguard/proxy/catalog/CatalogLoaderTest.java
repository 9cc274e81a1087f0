package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CatalogLoaderTest {
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final Namespace OTHER = Namespace.parse("shop.other");
    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private final Collection other = Collection.of(Layout.UUID, "shop.other", "{b: 1}");

    private final FakeCatalogSource source =
            new FakeCatalogSource().with(orders, orders.chunksSplitAt("1")).with(other, other.chunksSplitAt());
    private final CatalogLoader loader = new CatalogLoader(source, Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void loadsEverything() {
        CatalogLoad load = loader.load();

        assertThat(load.problems()).isEmpty();
        assertThat(load.clusterId()).isEqualTo(FakeCatalogSource.CLUSTER_ID);
        assertThat(load.snapshot().loadedAt()).isEqualTo(NOW);
        assertThat(load.snapshot().complete()).isTrue();
        assertThat(load.snapshot().tables()).containsOnlyKeys(ORDERS, OTHER);
        assertThat(load.snapshot().primary("shop")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void keepsTheTableOfACollectionThatDidNotChange(Layout layout) {
        Collection collection = Collection.of(layout, "shop.orders", "{a: 1}");
        source.with(collection, collection.chunksSplitAt("1", "2"));
        RoutingTable before = loader.load().snapshot().table(ORDERS);
        source.queries.clear();

        RoutingTable after = loader.load().snapshot().table(ORDERS);

        assertThat(after).isSameAs(before);
        assertThat(source.queries)
                .containsExactlyInAnyOrder(
                        "shards",
                        "databases",
                        "collections",
                        "delta shop.orders",
                        "delta shop.other",
                        "version",
                        "clusterParameters");
    }

    @Test
    void readsOnlyTheCollectionWhoseChunkMoved() {
        CatalogSnapshot before = loader.load().snapshot();
        source.takeChunkReads();
        source.with(
                orders,
                List.of(
                        orders.chunk("b", 3, 0, "{a: {$minKey: 1}}", "{a: 1}"),
                        orders.chunk("b", 3, 1, "{a: 1}", "{a: {$maxKey: 1}}")));

        CatalogSnapshot after = loader.load().snapshot();

        assertThat(source.queries).contains("delta shop.orders", "collection shop.orders");
        assertThat(source.takeChunkReads()).as("read in full").isEmpty();
        assertThat(after.table(OTHER)).isSameAs(before.table(OTHER));
        assertThat(after.table(ORDERS).version()).hasToString("3|1");
        assertThat(after.registry().names(after.table(ORDERS).owningShards())).containsExactly("b");
        assertThat(before.registry().names(before.table(ORDERS).owningShards())).containsExactly("a", "b");
    }

    @ParameterizedTest
    @EnumSource
    void readsACollectionAgainThatWasDroppedAndCreatedWithTheSameVersions(Layout layout) {
        Collection first = Collection.of(layout, "shop.orders", "{a: 1}");
        source.with(first, first.chunksSplitAt("1"));
        RoutingTable before = loader.load().snapshot().table(ORDERS);
        source.with(first.recreated(), first.recreated().chunksSplitAt("100"));

        RoutingTable after = loader.load().snapshot().table(ORDERS);

        assertThat(after.version()).isEqualTo(before.version());
        assertThat(after).isNotSameAs(before);
    }

    @Test
    void forgetsADroppedCollection() {
        loader.load();
        source.remove("shop.orders");
        assertThat(loader.load().snapshot().tables()).containsOnlyKeys(OTHER);
        source.with(orders, orders.chunksSplitAt("1"));
        source.takeChunkReads();

        assertThat(loader.load().snapshot().tables()).containsOnlyKeys(ORDERS, OTHER);

        assertThat(source.takeChunkReads()).containsExactly("chunks shop.orders");
    }

    @Test
    void keepsTheBoundsWhenOnlyTheDescriptionChanges() {
        loader.load();
        source.takeChunkReads();
        source.with(orders.documentWith("{unique: true}"), orders.chunksSplitAt("1"));

        RoutingTable changed = loader.load().snapshot().table(ORDERS);
        RoutingTable later = loader.load().snapshot().table(ORDERS);

        assertThat(changed.collection().unique()).isTrue();
        assertThat(changed.chunkCount()).isEqualTo(2);
        assertThat(later).isSameAs(changed);
        assertThat(source.takeChunkReads()).isEmpty();
    }

    @Test
    void keepsTheLastGoodTableOfABrokenCollectionAndRecovers() {
        CatalogSnapshot good = loader.load().snapshot();
        source.with(orders, List.of(orders.chunk("a", 5, 0, "{a: 5}", "{a: {$maxKey: 1}}")));

        CatalogLoad broken = loader.load();

        assertThat(broken.snapshot().table(ORDERS)).isSameAs(good.table(ORDERS));
        assertThat(broken.snapshot().table(OTHER)).isSameAs(good.table(OTHER));
        assertThat(broken.snapshot().isUnknown(ORDERS)).isFalse();
        assertThat(broken.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.subject()).isEqualTo("shop.orders");
            assertThat(problem.message()).contains("version 5|0");
        });
        source.takeChunkReads();
        assertThat(loader.load().problems()).isEqualTo(broken.problems());
        assertThat(source.takeChunkReads())
                .as("known to be broken at this version")
                .isEmpty();

        source.with(orders, List.of(orders.chunk("a", 6, 0, "{a: {$minKey: 1}}", "{a: {$maxKey: 1}}")));
        CatalogLoad mended = loader.load();
        assertThat(mended.problems()).isEmpty();
        assertThat(mended.snapshot().table(ORDERS).version()).hasToString("6|0");
    }

    @Test
    void aBrokenDescriptionKeepsTheLastGoodTable() {
        CatalogSnapshot good = loader.load().snapshot();
        source.with(orders.documentWith("{key: {a: '2d'}}"), orders.chunksSplitAt("1"));

        CatalogLoad broken = loader.load();

        assertThat(broken.snapshot().table(ORDERS)).isSameAs(good.table(ORDERS));
        assertThat(broken.problems())
                .containsExactly(new CatalogProblem(
                        "shop.orders", "shop.orders: shard key field a: STRING (expected: a number or \"hashed\")"));
    }

    @Test
    void aBrokenNewIncarnationIsUnknownBecauseTheOldTableIsNotOfIt() {
        loader.load();
        source.with(orders.recreated(), List.of());

        CatalogLoad load = loader.load();

        assertThat(load.snapshot().table(ORDERS)).isNull();
        assertThat(load.snapshot().isUnknown(ORDERS)).isTrue();
        assertThat(load.snapshot().isUnknown(OTHER)).isFalse();
        assertThat(load.problems()).hasSize(1);
    }

    @Test
    void readsAgainWhenTheCollectionIsReshardedMeanwhile() {
        AtomicInteger reads = new AtomicInteger();
        source.remove("shop.other");
        source.afterChunks = () -> {
            if (reads.incrementAndGet() == 1) {
                source.with(orders.recreated(), orders.recreated().chunksSplitAt("1", "2", "3"));
            }
        };

        CatalogLoad load = loader.load();

        assertThat(load.problems()).isEmpty();
        assertThat(load.snapshot().table(ORDERS).chunkCount()).isEqualTo(4);
        assertThat(reads).hasValue(2);
        loader.load();
        assertThat(reads).as("remembered under the new incarnation").hasValue(2);
    }

    @Test
    void givesUpAfterThreeReadsThatWereOvertaken() {
        source.remove("shop.other");
        AtomicInteger reads = new AtomicInteger();
        source.afterChunks = () -> {
            Collection next = new Collection(Layout.UUID, "shop.orders", "{a: 1}", 10 + reads.incrementAndGet());
            source.with(next, next.chunksSplitAt());
        };

        CatalogLoad load = loader.load();

        assertThat(reads).hasValue(3);
        assertThat(load.snapshot().isUnknown(ORDERS)).isTrue();
        assertThat(load.snapshot().isUnknown(OTHER)).isFalse();
        assertThat(load.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message())
                        .isEqualTo("shop.orders: dropped, created or resharded during each of 3 reads of its chunks"
                                + " (expected: one incarnation)"));
    }

    @Test
    void aCollectionDroppedWhileItIsReadIsUnsharded() {
        source.remove("shop.other");
        source.afterChunks = () -> source.remove("shop.orders");

        CatalogLoad load = loader.load();

        assertThat(load.snapshot().tables()).isEmpty();
        assertThat(load.snapshot().isUnknown(ORDERS)).isFalse();
        assertThat(load.problems()).isEmpty();
    }

    @Test
    void readsAgainWhenASplitWasUnderWay() {
        source.remove("shop.other");
        source.with(orders, List.of(orders.chunk("a", 1, 0, "{a: {$minKey: 1}}", "{a: 7}")));
        AtomicInteger reads = new AtomicInteger();
        source.afterChunks = () -> {
            reads.incrementAndGet();
            source.with(orders, orders.chunksSplitAt("7"));
        };

        CatalogLoad load = loader.load();

        assertThat(load.problems()).isEmpty();
        assertThat(load.snapshot().table(ORDERS).chunkCount()).isEqualTo(2);
        assertThat(reads).hasValue(2);
    }

    @Test
    void readsTheClusterParametersAndKeepsThemWhenItMayNotAnyMore() {
        assertThat(loader.load().snapshot().clusterParameters()).isEqualTo(ClusterParameters.DEFAULT);
        source.clusterParameters.add(
                BsonDocument.parse("{_id: 'onlyTargetDataOwningShardsForMultiWrites', enabled: true}"));
        source.clusterParameters.add(BsonDocument.parse("{_id: 'pauseMigrationsDuringMultiUpdates', enabled: false}"));
        source.clusterParameters.add(BsonDocument.parse("{_id: 'another', enabled: true}"));
        assertThat(loader.load().snapshot().clusterParameters()).isEqualTo(new ClusterParameters(true, false));
        source.clusterParameters = null;

        CatalogLoad load = loader.load();

        assertThat(load.snapshot().clusterParameters()).isEqualTo(new ClusterParameters(true, false));
        assertThat(load.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message())
                        .startsWith("config.clusterParameters: could not be read: IllegalStateException"));
    }

    @Test
    void registersAShardThatIsAddedDuringTheSweep() {
        source.with(orders, List.of(orders.chunk("c", 9, 0, "{a: {$minKey: 1}}", "{a: {$maxKey: 1}}")));
        source.afterChunks = () -> {
            source.afterChunks = () -> {};
            source.shards.add(BsonDocument.parse("{_id: 'c'}"));
        };

        ShardRegistry registry = loader.load().snapshot().registry();

        assertThat(registry.names(registry.registered())).containsExactly("a", "b", "c");
    }

    @Test
    void keepsOrdinalsOverAFailedSweepAndARemovedShard() {
        source.with(orders, List.of(orders.chunk("ghost", 9, 0, "{a: {$minKey: 1}}", "{a: {$maxKey: 1}}")));
        source.afterChunks = () -> source.down = new IllegalStateException("gone");
        assertThatThrownBy(loader::load).hasMessage("gone");
        source.down = null;
        source.afterChunks = () -> {};
        source.shards.remove(RawCatalogs.SHARD_A);
        source.shards.add(BsonDocument.parse("{_id: 'd'}"));

        CatalogSnapshot snapshot = loader.load().snapshot();

        ShardRegistry registry = snapshot.registry();
        assertThat(registry.names(snapshot.table(ORDERS).owningShards())).containsExactly("ghost");
        assertThat(registry.names(registry.registered())).containsExactly("b", "d");
        assertThat(registry.ids()).startsWith("a", "b").contains("ghost", "d");
    }

    @Test
    void aTableBeyondTheBoundOfTheCacheIsServedAndReadAgain() {
        TableLoader small = new TableLoader(source, new ShardOrdinals(ShardRegistry.empty()), 1, Clock.systemUTC());

        assertThat(small.load(orders.document()).table().table().chunkCount()).isEqualTo(2);
        assertThat(small.load(orders.document()).table().table().chunkCount()).isEqualTo(2);
        assertThat(small.load(other.document()).table().table().chunkCount()).isEqualTo(1);
        assertThat(small.load(other.document()).table().table().chunkCount()).isEqualTo(1);

        assertThat(source.takeChunkReads())
                .containsExactly("chunks shop.orders", "chunks shop.orders", "chunks shop.other");
    }
}
