package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class CatalogRefresherTest {
    private static final Instant START = Instant.parse("2026-05-01T10:00:00Z");
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");

    private final FakeCatalogSource source = new FakeCatalogSource().with(orders, orders.chunksSplitAt("1"));
    private final SetClock clock = new SetClock();
    private final CatalogRefresher refresher =
            new CatalogRefresher(source, new RefreshSchedule(Duration.ofHours(1), () -> 0.5), clock);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    private static final class SetClock extends Clock {
        volatile Instant now = START;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @BeforeEach
    void captureTheLog() {
        logged.start();
        logger().setLevel(Level.INFO);
        logger().setAdditive(false);
        logger().addAppender(logged);
    }

    @AfterEach
    void close() {
        refresher.close();
        logger().detachAppender(logged);
        logger().setAdditive(true);
        logger().setLevel(null);
    }

    @Test
    void servesAnIncompleteSnapshotBeforeTheFirstLoad() {
        assertThat(refresher.current()).isEqualTo(CatalogSnapshot.empty());
        assertThat(refresher.current().isUnknown(ORDERS)).isTrue();
        assertThat(refresher.age(START)).isGreaterThan(Duration.ofDays(10_000));
    }

    private void loadOrders() {
        assertThat(refresher.refreshOnce()).isNull();
        assertThat(refresher.load(List.of(ORDERS))).succeedsWithin(LONG);
    }

    @Test
    void servesTheLastGoodSnapshotWhileTheSourceIsDown() {
        loadOrders();
        CatalogSnapshot good = refresher.current();
        source.down = new IllegalStateException("no server");
        clock.now = START.plusSeconds(95);

        assertThat(refresher.refreshOnce()).isSameAs(source.down);

        assertThat(refresher.current()).isSameAs(good);
        assertThat(refresher.age(clock.now)).hasSeconds(95);
        assertThat(refresher.status().refreshes()).isEqualTo(1);
        assertThat(refresher.status().failures()).isEqualTo(1);
        assertThat(refresher.status().lastError()).isEqualTo("no server");

        source.down = null;
        assertThat(refresher.refreshOnce()).isNull();

        assertThat(refresher.age(clock.now)).isZero();
        assertThat(refresher.current().table(ORDERS)).isSameAs(good.table(ORDERS));
        assertThat(refresher.status())
                .extracting(
                        RefreshStatus::refreshes,
                        RefreshStatus::failures,
                        RefreshStatus::failuresInARow,
                        RefreshStatus::lastError,
                        RefreshStatus::clusterId)
                .containsExactly(2L, 1L, 0, null, FakeCatalogSource.CLUSTER_ID);
    }

    @Test
    void theAgeIsNeverNegative() {
        refresher.refreshOnce();

        assertThat(refresher.age(START.minusSeconds(5))).isZero();
        assertThat(refresher.age(START.plusSeconds(5))).hasSeconds(5);
    }

    @Test
    void survivesAnErrorThatIsNotAnException() {
        loadOrders();
        source.beforeStep = () -> {
            throw new StackOverflowError("bug");
        };
        source.with(orders.recreated(), orders.recreated().chunksSplitAt());

        assertThat(refresher.refreshOnce()).isInstanceOf(StackOverflowError.class);

        assertThat(refresher.status().lastError()).isEqualTo("bug");
        assertThat(refresher.current().table(ORDERS).chunkCount()).isEqualTo(2);
    }

    @Test
    void logsTheFirstFailureEveryTenthAndTheRecovery() {
        refresher.refreshOnce();
        logged.list.clear();
        source.down = new IllegalStateException("no server");
        clock.now = START.plusSeconds(61);

        for (int i = 0; i < 21; i++) {
            refresher.refreshOnce();
        }

        assertThat(messages(Level.WARN))
                .containsExactly(
                        "Catalog refresh failed, 1 in a row; serving the catalog of 61 s ago. error: no server",
                        "Catalog refresh failed, 10 in a row; serving the catalog of 61 s ago. error: no server",
                        "Catalog refresh failed, 20 in a row; serving the catalog of 61 s ago. error: no server");
        assertThat(messages(Level.INFO)).isEmpty();

        source.down = null;
        refresher.refreshOnce();
        refresher.refreshOnce();

        assertThat(messages(Level.INFO))
                .containsExactly("Catalog loaded after 21 failures: 2 shards, 1 tracked collections");
    }

    @Test
    void logsAFailureBeforeAnythingIsLoaded() {
        source.down = new IllegalStateException("no server");

        refresher.refreshOnce();

        assertThat(messages(Level.WARN))
                .containsExactly(
                        "Catalog refresh failed, 1 in a row; nothing is loaded yet, so no command can be judged but by a declared shard key."
                                + " error: no server");
    }

    @Test
    void logsAProblemOnceAndWhenItIsGone() {
        source.with(orders, List.of());
        loadOrders();
        refresher.refreshOnce();
        refresher.refreshOnce();

        assertThat(messages(Level.WARN))
                .containsExactly(
                        "Catalog problem: shop.orders: 0 chunks (expected: at least 1 for a tracked collection)");
        assertThat(refresher.status().problems()).hasSize(1);

        source.with(orders, orders.chunksSplitAt());
        loadOrders();

        assertThat(messages(Level.INFO)).endsWith("Catalog problems: none any more");
        assertThat(refresher.status().problems()).isEmpty();
    }

    @Test
    void startLoadsOnADaemonThreadOfItsOwn() throws InterruptedException {
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        source.beforeStep = () -> reader.complete(Thread.currentThread());

        refresher.start();

        assertThat(refresher.awaitFirstLoad(LONG)).isTrue();
        assertThat(refresher.current().tracked()).containsOnlyKeys(ORDERS);
        assertThat(reader.join().getName()).isEqualTo(CatalogRefresher.THREAD_NAME);
        assertThat(reader.join().isDaemon()).isTrue();
    }

    @Test
    void awaitFirstLoadReturnsAsSoonAsTheFirstAttemptFailed() throws InterruptedException {
        source.down = new IllegalStateException("no server");
        refresher.start();

        assertThat(refresher.awaitFirstLoad(Duration.ofDays(1))).isFalse();
        assertThat(refresher.current().complete()).isFalse();
    }

    @Test
    void awaitFirstLoadEndsWithItsTimeout() throws InterruptedException {
        assertThat(refresher.awaitFirstLoad(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void refreshNowGivesTheNewSnapshotOrTheError() throws Exception {
        CatalogSnapshot first = refresher.refreshNow().get(30, TimeUnit.SECONDS);
        assertThat(first).isSameAs(refresher.current());
        source.down = new IllegalStateException("no server");

        CompletableFuture<CatalogSnapshot> failing = refresher.refreshNow();

        assertThatThrownBy(() -> failing.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("no server");
        assertThat(refresher.current()).isSameAs(first);
    }

    @Test
    void aRequestReplacesThePeriodicRefresh() {
        refresher.start();
        for (int i = 0; i < 3; i++) {
            assertThat(refresher.refreshNow()).succeedsWithin(LONG);
        }

        await().atMost(LONG)
                .untilAsserted(() -> assertThat(refresher.scheduled()).isEqualTo(1));
    }

    @Test
    void requestsThatComeBeforeTheRefreshBeginsShareIt() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        source.beforeStep = () -> {
            reading.countDown();
            awaitUninterrupted(goOn);
        };
        CompletableFuture<CatalogSnapshot> running = refresher.refreshNow();
        reading.await();

        CompletableFuture<CatalogSnapshot> second = refresher.refreshNow();
        CompletableFuture<CatalogSnapshot> third = refresher.refreshNow();
        goOn.countDown();

        assertThat(second.get(30, TimeUnit.SECONDS))
                .isSameAs(third.get(30, TimeUnit.SECONDS))
                .isNotSameAs(running.get(30, TimeUnit.SECONDS));
        assertThat(refresher.status().refreshes()).isEqualTo(2);
    }

    @Test
    void retriesByItselfAfterAFailure() {
        source.down = new IllegalStateException("no server");
        refresher.start();
        await().atMost(LONG).until(() -> refresher.status().failures() >= 1);
        source.down = null;

        await().atMost(LONG).until(() -> refresher.current().complete());
    }

    @Test
    void closeEndsTheThreadTheSourceAndWhoeverWaits() throws Exception {
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        CountDownLatch never = new CountDownLatch(1);
        source.beforeStep = () -> {
            reader.complete(Thread.currentThread());
            try {
                never.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
            }
        };
        CompletableFuture<CatalogSnapshot> running = refresher.refreshNow();
        reader.join();
        CompletableFuture<CatalogSnapshot> waiting = refresher.refreshNow();

        refresher.close();

        reader.join().join(LONG.toMillis());
        assertThat(reader.join().isAlive()).isFalse();
        assertThat(source.closed).isTrue();
        assertThat(running).failsWithin(LONG);
        assertThat(waiting).failsWithin(LONG);
        assertThat(refresher.refreshNow()).failsWithin(LONG);
        assertThat(refresher.awaitFirstLoad(LONG)).isFalse();
        assertThat(messages(Level.WARN)).as("closing is not a failure").isEmpty();
    }

    private List<String> messages(Level level) {
        // A copy: refreshers of other tests may still log as they end.
        return Stream.of(logged.list.toArray(new ILoggingEvent[0]))
                .filter(event -> event.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(CatalogRefresher.class);
    }
}
