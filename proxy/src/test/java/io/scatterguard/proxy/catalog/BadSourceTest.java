package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogReadiness.Cause;
import io.scatterguard.proxy.catalog.FaultySource.Fault;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the source does, each table that is published is one that the cluster has had, and what is wrong is shown. */
@Timeout(120)
class BadSourceTest {
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final int SPLITS = 6;
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private final FakeCatalogSource truth =
            new FakeCatalogSource().with(orders, orders.chunksSplitAt("10", "20", "30", "40", "50", "60"));
    private final SetClock clock = new SetClock();
    private final FaultySource source = new FaultySource(truth, clock::pass);
    private final CatalogRefresher refresher =
            new CatalogRefresher(source, new RefreshSchedule(Duration.ofHours(1), () -> 0.5), clock);
    /** What the cluster's own metadata said at one time or another, see {@link #state}. */
    private final Set<String> trueStates = new HashSet<>();

    private int major = SPLITS + 1;

    private static final class SetClock extends Clock {
        private volatile Instant now = Instant.parse("2026-05-01T10:00:00Z");

        void pass(Duration time) {
            now = now.plus(time);
        }

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

    @AfterEach
    void close() {
        refresher.close();
    }

    /** A refresh, and a use of what is in it. */
    private CatalogSnapshot refreshed() throws Exception {
        refresher.refreshOnce();
        refresher.load(List.of(ORDERS)).get(30, TimeUnit.SECONDS);
        return refresher.current();
    }

    /** Moves a chunk as a migration does: under a new major version, in one step. */
    private void move(int chunk, String shard) {
        truth.move(truth.chunks.get(chunk), shard, ++major, 0);
        trueStates.add(state());
    }

    /** The placement as the documents tell it, by an arithmetic of the test's own. */
    private String state() {
        StringBuilder shards = new StringBuilder();
        for (int key = -5; key < 75; key += 10) {
            shards.append(ownerOf(key)).append(' ');
        }
        return shards.append(major).append("|0").toString();
    }

    private String ownerOf(int key) {
        for (BsonDocument chunk : truth.chunks) {
            BsonDocument min = chunk.getDocument("min");
            BsonDocument max = chunk.getDocument("max");
            boolean above = !min.isNumber("a") || min.getNumber("a").intValue() <= key;
            boolean below = !max.isNumber("a") || key < max.getNumber("a").intValue();
            if (above && below) {
                return chunk.getString("shard").getValue();
            }
        }
        throw new AssertionError("no chunk holds " + key);
    }

    private static String state(RoutingTable table, ShardRegistry registry) {
        StringBuilder shards = new StringBuilder();
        for (int key = -5; key < 75; key += 10) {
            KeyBytes bytes = new KeyBytes();
            bytes.append(
                    BsonView.encode(new BsonDocument("a", new BsonInt32(key))).get("a"));
            shards.append(registry.ids().get(table.shardOf(bytes))).append(' ');
        }
        return shards.append(table.version()).toString();
    }

    private void assertTrue(CatalogSnapshot published) {
        RoutingTable table = published.table(ORDERS);
        if (table == null) {
            assertThat(published.isUnknown(ORDERS))
                    .as("never taken for unsharded")
                    .isTrue();
        } else {
            assertThat(trueStates).contains(state(table, published.registry()));
        }
    }

    private List<Cause> causes() {
        CatalogSnapshot now = refresher.current();
        CatalogReadiness readiness =
                CatalogReadiness.of(now.complete(), refresher.status(), refresher.age(clock.instant()), PERIOD);
        assertThat(readiness.ready()).isEqualTo(now.complete());
        return readiness.causes();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFaultLeavesTheLastGoodTableAndIsShownUntilItIsOver(Fault fault) throws Exception {
        trueStates.add(state());
        assertTrue(refreshed());
        assertThat(causes()).isEmpty();
        String before = state();
        source.fault = fault;
        move(0, "b");
        String after = state();
        CatalogSnapshot bad = refreshed();
        assertTrue(bad);
        boolean harmless = fault == Fault.NONE || fault == Fault.SLOW;
        assertThat(state(bad.tables().get(ORDERS), bad.registry())).isEqualTo(harmless ? after : before);
        if (!harmless) {
            assertThat(causes()).containsAnyOf(Cause.FAILING, Cause.PROBLEMS);
        }
        if (fault.isOfChunks() || fault == Fault.GARBAGE_COLLECTIONS) {
            assertThat(refresher.status().problems())
                    .anySatisfy(problem -> assertThat(problem.message()).contains("shop.orders"));
        }
        source.fault = Fault.NONE;
        // What was broken twice at the same version is read again once there is a newer one.
        move(2, "b");
        CatalogSnapshot healed = refreshed();
        assertThat(state(healed.tables().get(ORDERS), healed.registry())).isEqualTo(state());
        assertThat(causes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void whatWasNeverReadIsUnknownUnderAFault(Fault fault) throws Exception {
        trueStates.add(state());
        source.fault = fault;
        CatalogSnapshot first = refreshed();
        assertTrue(first);
        if (fault != Fault.NONE && fault != Fault.SLOW) {
            assertThat(first.table(ORDERS)).isNull();
            assertThat(causes()).isNotEmpty();
        }
        source.fault = Fault.NONE;
        move(2, "b");
        assertTrue(refreshed());
        assertThat(refresher.current().table(ORDERS)).isNotNull();
    }

    @Test
    void aSourceThatIsAwayForTenMinutesIsServedFromMemoryAndComesBack() throws Exception {
        trueStates.add(state());
        CatalogSnapshot good = refreshed();
        source.fault = Fault.REFUSING;
        move(1, "a");
        RefreshSchedule schedule = new RefreshSchedule(PERIOD, () -> 0.5);
        Instant until = clock.instant().plus(Duration.ofMinutes(10));
        int failures = 0;
        while (clock.instant().isBefore(until)) {
            clock.pass(schedule.delayAfter(refresher.status().failuresInARow()));
            refresher.refreshOnce();
            failures++;
            assertThat(refresher.current().table(ORDERS)).isSameAs(good.table(ORDERS));
            assertThat(refresher.status().failuresInARow()).isEqualTo(failures);
            assertThat(refresher.status().lastError()).contains("connection refused");
            assertThat(causes()).contains(Cause.FAILING);
        }
        assertThat(failures).as("backed off, not given up").isBetween(10, 30);
        assertThat(causes()).containsExactly(Cause.STALE, Cause.FAILING);
        assertThat(refresher.age(clock.instant())).isGreaterThanOrEqualTo(Duration.ofMinutes(10));
        source.fault = Fault.NONE;
        CatalogSnapshot back = refreshed();
        assertThat(state(back.tables().get(ORDERS), back.registry())).isEqualTo(state());
        assertThat(causes()).isEmpty();
    }

    @Test
    void whatWasNeverLoadedIsNotReady() {
        source.fault = Fault.REFUSING;
        refresher.refreshOnce();
        assertThat(causes()).containsExactly(Cause.NOTHING_LOADED, Cause.FAILING);
        assertThat(refresher.current().isUnknown(ORDERS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void faultsAndMigrationsInAnyOrderNeverPublishWhatNeverWas(long seed) throws Exception {
        Random random = new Random(seed);
        Fault[] faults = Fault.values();
        List<Fault> seen = new ArrayList<>();
        trueStates.add(state());
        for (int i = 0; i < 100; i++) {
            if (random.nextInt(3) > 0) {
                move(random.nextInt(SPLITS + 1), random.nextBoolean() ? "a" : "b");
            }
            source.fault = random.nextInt(3) == 0 ? Fault.NONE : faults[random.nextInt(faults.length)];
            seen.add(source.fault);
            assertTrue(refreshed());
        }
        source.fault = Fault.NONE;
        move(0, "b");
        CatalogSnapshot last = refreshed();
        assertThat(state(last.tables().get(ORDERS), last.registry()))
                .as("after %s", seen)
                .isEqualTo(state());
    }
}
