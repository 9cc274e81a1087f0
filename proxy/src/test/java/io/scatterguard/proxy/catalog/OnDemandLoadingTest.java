package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is read when: sweeps, looks at what is in use, and at what is asked for. */
@Timeout(120)
class OnDemandLoadingTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-05-01T10:00:00Z"), ZoneOffset.UTC);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int SWEEP = 5;
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final Namespace OTHER = Namespace.parse("shop.other");

    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private final Collection other = Collection.of(Layout.UUID, "shop.other", "{a: 1}");
    private final FakeCatalogSource source =
            new FakeCatalogSource().with(orders, orders.chunksSplitAt("1")).with(other, other.chunksSplitAt());
    private CatalogRefresher refresher = refresher(false);

    private CatalogRefresher refresher(boolean keysOnly) {
        return new CatalogRefresher(
                source, new RefreshSchedule(Duration.ofHours(1), () -> 0.5), CLOCK, keysOnly, UnaryOperator.identity());
    }

    @AfterEach
    void close() {
        refresher.close();
    }

    private CatalogSnapshot now() {
        return refresher.current();
    }

    private void sweep() {
        assertThat(refresher.refreshOnce()).isNull();
    }

    /** What a session does with a request. */
    private List<Namespace> use(Namespace namespace) {
        List<Namespace> missing = now().notLoaded(namespace);
        if (!missing.isEmpty()) {
            assertThat(refresher.load(missing)).succeedsWithin(LONG);
        }
        return missing;
    }

    @Test
    void aSweepReadsNoChunksAndWhatIsNotLoadedIsUnknown() {
        sweep();

        assertThat(source.queries).hasSize(SWEEP);
        assertThat(now().tracked()).containsOnlyKeys(ORDERS, OTHER);
        assertThat(now().tables()).isEmpty();
        assertThat(now().isUnknown(ORDERS)).isTrue();
        assertThat(now().isUnknown(Namespace.parse("shop.plain"))).isFalse();
        assertThat(now().notLoaded(ORDERS)).containsExactly(ORDERS);
        assertThat(now().notLoaded(Namespace.parse("shop.plain"))).isEmpty();
    }

    @Test
    void whatIsAskedForIsLoadedAndPublishedAtOnce() {
        sweep();

        assertThat(use(ORDERS)).containsExactly(ORDERS);

        assertThat(now().tables()).containsOnlyKeys(ORDERS);
        assertThat(now().isUnknown(ORDERS)).isFalse();
        assertThat(now().isUnknown(OTHER)).isTrue();
        assertThat(now().notLoaded(ORDERS)).isEmpty();
        assertThat(now().lookedAtMillis(ORDERS)).isEqualTo(CLOCK.millis());
        assertThat(refresher.status().published()).isEqualTo(2);
    }

    @Test
    void aTableInUseIsPolledAndOneThatIsNotIsAskedForByTheNextUse() {
        sweep();
        use(ORDERS);
        use(OTHER);
        sweep();
        RoutingTable table = now().table(OTHER);
        assertThat(use(ORDERS)).as("polled by the sweep").isEmpty();
        source.queries.clear();

        sweep();

        assertThat(source.queries).hasSize(SWEEP + 1).contains("delta shop.orders");
        assertThat(now().table(OTHER)).as("kept meanwhile").isSameAs(table);
        assertThat(use(OTHER)).containsExactly(OTHER);
        assertThat(source.queries).hasSize(SWEEP + 2).contains("delta shop.other");
        assertThat(use(OTHER)).isEmpty();
    }

    @Test
    void theChangedChunksOfATableInUseAreReadAndNoOthers() {
        List<BsonDocument> chunks = orders.chunksSplitAt("1", "2", "3", "4", "5");
        source.with(orders, chunks);
        sweep();
        use(ORDERS);
        source.move(chunks.get(2), "b", 9, 0);
        long chunksRead = refresher.status().counters().chunksRead();

        sweep();

        assertThat(now().table(ORDERS).version()).hasToString("9|0");
        assertThat(now().registry().ids().get(now().table(ORDERS).owner(2))).isEqualTo("b");
        CatalogCounters counters = refresher.status().counters();
        assertThat(counters.chunksRead() - chunksRead)
                .as("the newest known and the moved one")
                .isEqualTo(2);
        assertThat(counters.fullLoads()).isEqualTo(1);
        assertThat(counters.deltas()).isEqualTo(1);
    }

    @Test
    void aNewIncarnationIsUnknownUntilItIsLoaded() {
        sweep();
        use(ORDERS);
        sweep();
        source.with(orders.recreated(), orders.recreated().chunksSplitAt("7"));

        sweep();

        assertThat(now().table(ORDERS)).isNull();
        assertThat(now().isUnknown(ORDERS)).isTrue();
        use(ORDERS);
        assertThat(now().table(ORDERS).chunkCount()).isEqualTo(2);
    }

    @Test
    void bucketsAndViewsAskForWhatTheyRead() {
        Collection buckets = Collection.of(Layout.UUID, "shop.system.buckets.weather", "{meta: 1}");
        source.with(
                buckets.documentWith("{timeseriesFields: {timeField: 't', metaField: 'm'}}"), buckets.chunksSplitAt());
        source.views = new ArrayList<>(List.of(
                BsonDocument.parse("{_id: 'shop.v', viewOn: 'orders', pipeline: []}"),
                BsonDocument.parse("{_id: 'shop.w', viewOn: 'v', pipeline: []}"),
                BsonDocument.parse("{_id: 'shop.x', viewOn: 'weather', pipeline: []}")));
        sweep();

        Namespace bucketName = Namespace.parse("shop.system.buckets.weather");
        assertThat(now().notLoaded(Namespace.parse("shop.w"))).containsExactly(ORDERS);
        assertThat(now().notLoaded(Namespace.parse("shop.weather"))).containsExactly(bucketName);
        assertThat(now().notLoaded(Namespace.parse("shop.x"))).containsExactly(bucketName);
    }

    @Test
    void viewsAreReadAgainOnlyOfDatabasesInUse() {
        source.views = new ArrayList<>();
        source.databases.add(BsonDocument.parse("{_id: 'crm', primary: 'a'}"));
        sweep();
        assertThat(source.queries).contains("views shop", "views crm");
        now().notLoaded(Namespace.parse("crm.plain"));
        source.queries.clear();

        sweep();

        assertThat(source.queries).contains("views crm").doesNotContain("views shop");
    }

    @Test
    void requestsForTheSameCollectionShareOneReading() throws InterruptedException {
        sweep();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        source.afterChunks = () -> {
            reading.countDown();
            Waiting.forLatch(goOn);
        };
        List<CompletableFuture<Void>> requests = new ArrayList<>();
        requests.add(refresher.load(List.of(ORDERS)));
        reading.await();
        requests.add(refresher.load(List.of(ORDERS)));
        requests.add(refresher.load(List.of(ORDERS, OTHER)));
        source.afterChunks = () -> {};
        goOn.countDown();

        requests.forEach(request -> assertThat(request).succeedsWithin(LONG));
        assertThat(source.takeChunkReads()).containsExactlyInAnyOrder("chunks shop.orders", "chunks shop.other");
    }

    @Test
    void aLoadDoesNotWaitForASweep() throws InterruptedException {
        sweep();
        CountDownLatch sweeping = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        source.beforeStep = () -> {
            if (Thread.currentThread().getName().equals(CatalogRefresher.THREAD_NAME)) {
                sweeping.countDown();
                Waiting.forLatch(goOn);
            }
        };
        CompletableFuture<CatalogSnapshot> slow = refresher.refreshNow();
        sweeping.await();

        assertThat(refresher.load(List.of(ORDERS))).succeedsWithin(LONG);

        assertThat(now().table(ORDERS)).isNotNull();
        assertThat(slow).isNotDone();
        goOn.countDown();
        assertThat(slow).succeedsWithin(LONG);
        assertThat(now().table(ORDERS))
                .as("kept by the sweep that began before")
                .isNotNull();
    }

    @Test
    void whileTheSourceFailsNobodyIsMadeToWait() {
        sweep();
        use(ORDERS);
        RoutingTable old = now().table(ORDERS);
        sweep();
        sweep();
        source.down = new IllegalStateException("no server");

        assertThat(use(ORDERS)).as("the first one asks").containsExactly(ORDERS);

        assertThat(now().notLoaded(ORDERS)).isEmpty();
        assertThat(now().notLoaded(OTHER)).isEmpty();
        assertThat(now().table(ORDERS)).isSameAs(old);
        assertThat(now().isUnknown(OTHER)).isTrue();
        assertThat(refresher.status().failedLooks()).isEqualTo(1);
        assertThat(refresher.refreshOnce()).isNotNull();
        assertThat(now().notLoaded(OTHER)).isEmpty();

        source.down = null;
        sweep();

        assertThat(now().table(OTHER))
                .as("loaded by the sweep, as it was wanted")
                .isNotNull();
        assertThat(refresher.status().problems()).isEmpty();
    }

    @Test
    void whatHasChangedIsReadAndNothingElse() {
        sweep();
        use(ORDERS);
        source.queries.clear();
        source.move(source.chunks.get(0), "b", 9, 0);

        refresher.changed(ORDERS);
        refresher.changed(ORDERS);

        await().atMost(LONG)
                .untilAsserted(() -> assertThat(now().table(ORDERS).version()).hasToString("9|0"));
        assertThat(source.queries)
                .containsExactly("collection shop.orders", "delta shop.orders", "collection shop.orders");
    }

    @Test
    void aCollectionThatIsNewIsTrackedAtOnceAndADroppedOneIsNot() {
        sweep();
        Collection carts = Collection.of(Layout.UUID, "shop.carts", "{a: 1}");
        source.with(carts, carts.chunksSplitAt());
        source.remove("shop.other");

        refresher.changed(Namespace.parse("shop.carts"));
        refresher.changed(OTHER);

        await().atMost(LONG)
                .untilAsserted(
                        () -> assertThat(now().tracked()).containsOnlyKeys(ORDERS, Namespace.parse("shop.carts")));
        assertThat(source.queries.stream().filter("collections"::equals))
                .as("sweeps")
                .hasSize(1);
    }

    @Test
    void aChangedDatabaseIsReadWhole() {
        sweep();
        source.databases.set(0, BsonDocument.parse("{_id: 'shop', primary: 'a'}"));
        source.remove("shop.other");

        refresher.changed(ORDERS);
        refresher.changed(new Namespace("shop", ""));

        await().atMost(LONG)
                .untilAsserted(() -> assertThat(now().primary("shop")).isZero());
        assertThat(now().tracked()).containsOnlyKeys(ORDERS);
        assertThat(source.queries)
                .contains("database shop", "collections shop")
                .doesNotContain("collection shop.orders");
    }

    @Test
    void aDatabaseWhosePrimaryIsNoStringIsUnknownAndNotMissing() {
        source.databases.add(
                BsonDocument.parse("{_id: 'odd', primary: {$uuid: '00000000-0000-0000-0000-000000000001'}}"));
        sweep();

        assertThat(now().isUnknownDatabase("odd")).isTrue();
        assertThat(now().isUnknownDatabase("shop")).isFalse();
        assertThat(now().isUnknownDatabase("missing")).isFalse();
        assertThat(refresher.status().problems())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).contains("primary").contains("string"));
    }

    @Test
    void keysAloneNeedNoChunks() {
        refresher.close();
        refresher = refresher(true);
        sweep();

        assertThat(now().notLoaded(ORDERS)).isEmpty();
        assertThat(now().table(ORDERS).isPlaced()).isFalse();
        assertThat(now().table(ORDERS).shardKey()).hasToString("{a: 1}");
        sweep();
        assertThat(source.queries).hasSize(2 * SWEEP);
    }

    /** 20,000 collections of which 50 are in use, for 300 s of periods of 30 s. */
    @Test
    void aPeriodCostsAQueryForEachCollectionInUseWhateverTheirNumber() {
        List<BsonDocument> many = IntStream.range(0, 20_000)
                .mapToObj(i -> orders.documentWith("{}")
                        .append("_id", new BsonString("big.c" + i))
                        .append("number", new BsonInt32(i)))
                .toList();
        source.collections.addAll(many);
        List<Namespace> used = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Collection collection = Collection.of(Layout.UUID, "busy.c" + i, "{a: 1}");
            source.with(collection, collection.chunksSplitAt("1"));
            used.add(Namespace.parse("busy.c" + i));
        }
        sweep();
        used.forEach(this::use);

        for (int period = 0; period < 10; period++) {
            long before = refresher.status().counters().queries();
            used.forEach(namespace -> assertThat(use(namespace)).isEmpty());
            sweep();
            assertThat(refresher.status().counters().queries() - before).isLessThanOrEqualTo(50 + 10);
        }
        assertThat(now().tables()).hasSize(50);
        assertThat(now().tracked()).hasSize(20_052);
    }
}
