package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is loaded though no command waits for it, and what a load must not wait for. */
@Timeout(120)
class UnawaitedLoadingTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-05-01T10:00:00Z"), ZoneOffset.UTC);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final Namespace OTHER = Namespace.parse("shop.other");
    private static final Namespace THIRD = Namespace.parse("shop.third");

    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private final Collection other = Collection.of(Layout.UUID, "shop.other", "{a: 1}");
    private final Collection third = Collection.of(Layout.UUID, "shop.third", "{a: 1}");
    private final FakeCatalogSource source = new FakeCatalogSource()
            .with(orders, orders.chunksSplitAt("1"))
            .with(other, other.chunksSplitAt())
            .with(third, third.chunksSplitAt());
    private final CatalogRefresher refresher = new CatalogRefresher(
            source, new RefreshSchedule(Duration.ofHours(1), () -> 0.5), CLOCK, false, UnaryOperator.identity());

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

    private void load(Namespace namespace) {
        assertThat(refresher.load(List.of(namespace))).succeedsWithin(LONG);
    }

    private Route route(String command) {
        return new KeyRouter()
                .route(
                        CommandView.of("shop", BsonView.encode(BsonDocument.parse(command))),
                        now(),
                        RouterRelease.parse("8.0"));
    }

    private void awaitLoaded(Namespace namespace) {
        await().atMost(LONG).until(() -> now().table(namespace) != null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{aggregate: 'orders', pipeline: [{$lookup: {from: 'other', as: 'x', pipeline: []}}]}",
                "{aggregate: 'orders', pipeline: [{$facet: {f: [{$lookup: {from: 'other', as: 'x', pipeline: []}}]}}]}",
                "{aggregate: 'orders', pipeline: [{$graphLookup: {from: 'other', startWith: '$a', connectFromField: 'a',"
                        + " connectToField: 'b', as: 'x'}}]}",
                "{aggregate: 'orders', pipeline: [{$unionWith: 'other'}]}",
                "{aggregate: 'orders', pipeline: [{$merge: {into: 'other'}}]}",
                "{aggregate: 'orders', pipeline: [{$out: 'other'}]}",
                "{aggregate: 'plain', pipeline: [{$lookup: {from: 'other', as: 'x', pipeline: []}}]}",
                "{mapReduce: 'orders', map: 'f', reduce: 'g', out: {merge: 'other'}}"
            })
    void whatACommandGoesOnToIsLoadedAfterItsFirstUse(String command) {
        sweep();
        load(ORDERS);
        assertThat(now().table(OTHER)).isNull();

        route(command);

        awaitLoaded(OTHER);
        assertThat(now().table(THIRD)).as("named by nobody").isNull();
        assertThat(source.queries.stream().filter("chunks shop.other"::equals)).hasSize(1);
    }

    @Test
    void aMergingShardIsExactOnceTheOtherCollectionIsLoaded() {
        sweep();
        load(ORDERS);
        String command = "{aggregate: 'orders', pipeline: [{$match: {a: 0}}, {$lookup: {from: 'other', as: 'x',"
                + " pipeline: []}}]}";
        assertThat(route(command).certainty()).isEqualTo(Certainty.UPPER_BOUND);
        awaitLoaded(OTHER);
        assertThat(route(command).certainty()).isEqualTo(Certainty.EXACT);
    }

    @Test
    void everyNamespaceOfABulkWriteIsLoadedAlsoThoseThatNoneWaitsFor() {
        StringBuilder namespaces = new StringBuilder();
        for (int i = 0; i < 150; i++) {
            namespaces.append("{ns: 'shop.plain").append(i).append("'}, ");
        }
        sweep();

        route("{bulkWrite: 1, nsInfo: [" + namespaces + "{ns: 'shop.other'}],"
                + " ops: [{insert: 150, document: {a: 1}}]}");

        awaitLoaded(OTHER);
    }

    @Test
    void whatACommandGoesOnToIsKeptUpToDate() {
        sweep();
        load(ORDERS);
        String command = "{aggregate: 'orders', pipeline: [{$unionWith: 'other'}]}";
        route(command);
        awaitLoaded(OTHER);
        sweep();
        route(command);
        source.move(
                source.chunks.stream()
                        .filter(chunk ->
                                chunk.get("uuid").equals(other.document().get("uuid")))
                        .findFirst()
                        .orElseThrow(),
                "b",
                9,
                0);

        sweep();

        assertThat(now().table(OTHER).version()).hasToString("9|0");
    }

    @Test
    void whatIsNotLoadedAndFailsIsNotAskedForByEachCommand() {
        sweep();
        source.down = new IllegalStateException("no server");
        source.queries.clear();
        now().noteUse(OTHER);
        await().atMost(LONG).until(() -> refresher.status().failedLooks() == 1);

        for (int i = 0; i < 100; i++) {
            now().noteUse(OTHER);
            now().noteUse(THIRD);
        }

        assertThat(source.queries).hasSize(1);
        source.down = null;
        sweep();
        assertThat(now().tables()).as("by the next poll").containsOnlyKeys(OTHER, THIRD);
    }

    /** Chunks of one collection cannot be read; the others can. */
    @Test
    void oneCollectionThatFailsKeepsNobodyElseFromWaiting() {
        source.afterChunks = () -> {
            if (source.queries.get(source.queries.size() - 1).equals("chunks shop.orders")) {
                throw new IllegalStateException("too slow");
            }
        };
        sweep();
        load(OTHER);
        now().notLoaded(ORDERS);
        now().notLoaded(OTHER);

        sweep();

        assertThat(refresher.status().failedLooks()).isEqualTo(1);
        assertThat(now().notLoaded(THIRD)).as("may be waited for").containsExactly(THIRD);
        load(THIRD);
        assertThat(now().table(THIRD)).isNotNull();
        assertThat(refresher.status().failuresInARow()).isZero();
    }

    /** An event loop asks for tables: it must not wait for what a sweep of many collections holds. */
    @Test
    void askingWaitsForNothingThatASweepHolds() throws InterruptedException {
        CountDownLatch holding = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        source.collections.add(
                new BsonDocument() {
                    @Override
                    public boolean equals(Object o) {
                        holding.countDown();
                        Waiting.forLatch(goOn);
                        return super.equals(o);
                    }

                    @Override
                    public int hashCode() {
                        return super.hashCode();
                    }
                }.append("_id", new org.bson.BsonString("shop.slow")).append("key", BsonDocument.parse("{a: 1}")));
        sweep();
        Thread sweeping = new Thread(refresher::refreshOnce);
        sweeping.start();
        holding.await();

        var asked = refresher.load(List.of(ORDERS));
        assertThat(now().notLoaded(OTHER)).containsExactly(OTHER);
        now().noteUse(OTHER);
        refresher.changed(THIRD);
        assertThat(refresher.status().failures()).isZero();

        goOn.countDown();
        assertThat(asked).succeedsWithin(LONG);
        sweeping.join();
        awaitLoaded(ORDERS);
        awaitLoaded(OTHER);
    }

    @Test
    void closingEndsEveryThread() {
        sweep();
        refresher.start();
        load(ORDERS);
        now().noteUse(OTHER);
        refresher.changed(THIRD);

        refresher.close();

        await().atMost(LONG)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread ->
                                thread.isAlive() && thread.getName().startsWith(CatalogRefresher.THREAD_NAME)));
        now().noteUse(THIRD);
        assertThat(refresher.load(List.of(THIRD))).succeedsWithin(LONG);
    }
}
