package io.scatterguard.proxy.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ShapeTableTest {
    private static final int FLOOD = 100_000;

    private final TestClock clock = new TestClock();
    private final ShapeTable table = new ShapeTable(clock);

    private static String hash(String prefix, int i) {
        return prefix + Integer.toHexString(i * 0x9E3779B9);
    }

    private Map<String, KnownShape> byHash() {
        return table.list().shapes().stream()
                .collect(Collectors.toMap(shape -> shape.subject().key(), Function.identity()));
    }

    private KnownShape only() {
        assertThat(table.list().shapes()).hasSize(1);
        return table.list().shapes().get(0);
    }

    @Test
    void aShapeIsCountedByWhatWasDoneAndWhatItCost() {
        table.count(Sightings.logged("orders", "h1", "shop"), 1_000);
        clock.pass(Duration.ofSeconds(5));
        table.count(Sightings.refused("orders", "h1"), 0);
        clock.pass(Duration.ofSeconds(5));
        table.count(Sightings.allowed("orders", "h1"), 200);

        KnownShape shape = only();
        assertThat(shape.tally())
                .isEqualTo(new Tally(3, 2, 1, 1, 0, new Tally.Times(1_200, 3_200), new Tally.Times(1_000, 3_000)));
        assertThat(shape.last().decision().action()).isEqualTo("allow");
        assertThat(shape.last().destination().missing()).isEmpty();
        assertThat(shape.lastFinding()).isNotNull();
        assertThat(shape.lastFinding().decision().action()).isEqualTo("refuse");
        assertThat(shape.lastFinding().destination().missing()).containsExactly("region");
        assertThat(shape.period()).isEqualTo(new KnownShape.Period(TestClock.START, TestClock.START.plusSeconds(10)));
    }

    @Test
    void whatHasNoShapeIsToldApartByNameAndNamespace() {
        for (String collection : List.of("a", "b", "a")) {
            Sighting.Subject malformed = new Sighting.Subject(new Namespace("shop", collection), "find", null, null);
            Sighting whole = Sightings.refused(collection, "h");
            table.count(new Sighting(malformed, whole.destination(), whole.decision(), null, List.of()), 0);
        }

        assertThat(byHash().keySet()).containsExactlyInAnyOrder("find shop.a", "find shop.b");
    }

    @Test
    void theFirstFewNamesAreKeptAndOthersCounted() {
        Sighting broadcast = Sightings.logged("orders", "h1", "shop");
        for (int i = 0; i < 8; i++) {
            table.count(Sightings.from(broadcast, "app-" + i, "suite#" + i, "all"), 1);
        }
        table.count(Sightings.from(broadcast, "app-0"), 1);
        table.count(Sightings.from(broadcast, null), 1);
        table.count(Sightings.from(broadcast, "x".repeat(5_000)), 1);

        KnownShape.Clients clients = only().clients();
        assertThat(clients.apps().names()).containsExactly("app-0", "app-1", "app-2", "app-3", "app-4");
        assertThat(clients.apps().others()).isEqualTo(4);
        assertThat(clients.tests().names()).containsExactly("suite#0", "all", "suite#1", "suite#2", "suite#3");
        assertThat(clients.tests().others()).isEqualTo(4);
    }

    /** Whoever sends ever new shapes displaces those, and everything stays counted. */
    @Test
    void manyShapesAreBoundedAndDoNotDisplaceWhatCosts() {
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 200; i++) {
                table.count(Sightings.logged("costly", hash("costly", i), "shop"), 50_000);
                table.count(Sightings.refused("refused", hash("refused", i)), 0);
            }
        }
        clock.pass(Duration.ofMinutes(1));
        for (int i = 0; i < FLOOD; i++) {
            table.count(Sightings.logged("flood", hash("flood", i), "shop"), 1_000);
            clock.pass(Duration.ofNanos(100_000));
        }

        ShapeListing listing = table.list();
        assertThat(listing.shapes()).hasSize(ShapeTable.MAX_SHAPES);
        assertThat(listing.shapes().size() + listing.displaced()).isEqualTo(400 + FLOOD);
        assertThat(listing.total().commands()).isEqualTo(2 * 20 * 200 + FLOOD);
        assertThat(listing.other().commands()).isEqualTo(listing.displaced());
        assertThat(listing.other().times()).isEqualTo(listing.other().timesOfFindings());
        assertThat(listing.total().times().shardMicros()).isEqualTo(3L * 20 * 200 * 50_000 + 3_000L * FLOOD);
        Map<String, Long> rows = listing.shapes().stream()
                .collect(Collectors.groupingBy(
                        shape -> shape.subject().namespace().collection(), Collectors.counting()));
        assertThat(rows).containsEntry("costly", 200L).containsEntry("refused", 200L);
    }

    /** The neighbour: what cost more, but long ago, makes room for what comes now. */
    @Test
    void whatWasSeenLongAgoGoesFirst() {
        for (int i = 0; i < 2 * ShapeTable.MAX_SHAPES; i++) {
            table.count(Sightings.logged("old", hash("old", i), "shop"), 20_000);
        }
        clock.pass(Duration.ofDays(1));
        for (int i = 0; i < 5_000; i++) {
            table.count(Sightings.logged("new", hash("new", i), "shop"), 1_000);
        }

        assertThat(table.list().shapes().stream()
                        .filter(shape ->
                                shape.subject().namespace().collection().equals("new")))
                .hasSize(5_000);
    }

    @Test
    void costIsShardTimeOverTheTimeThatWasCounted() {
        clock.pass(Duration.ofMinutes(30));
        table.count(Sightings.logged("orders", "h1", "shop"), 2_000_000);

        ShapeListing listing = table.list();
        assertThat(listing.shardSecondsPerHour(listing.total().times())).isEqualTo(12.0);
        assertThat(listing.counted()).isEqualTo(Duration.ofMinutes(30));
    }

    @Test
    void afterAResetCountingBeginsAnew() {
        table.count(Sightings.logged("orders", "h1", "shop"), 2_000);
        clock.pass(Duration.ofHours(1));
        ShapeListing cleared = table.reset();
        assertThat(cleared.since()).isEqualTo(TestClock.START);
        assertThat(cleared.total().findings()).isEqualTo(1);

        ShapeListing empty = table.list();
        assertThat(empty.since()).isEqualTo(cleared.at());
        assertThat(empty.shapes()).isEmpty();
        assertThat(empty.total()).isEqualTo(Tally.NOTHING);
        assertThat(empty.counted()).isEqualTo(Duration.ofSeconds(1));
        table.count(Sightings.allowed("orders", "h1"), 1);
        assertThat(only().lastFinding()).isNull();
    }

    /** What was cleared and what is left is what was fed, while threads feed without a pause; rows are displaced meanwhile. */
    @Test
    void aResetLosesNothing() throws InterruptedException {
        int feeders = 4;
        int each = 100_000;
        CountDownLatch running = new CountDownLatch(feeders);
        List<Thread> threads = new ArrayList<>();
        for (int feeder = 0; feeder < feeders; feeder++) {
            int number = feeder;
            threads.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    String hash = i % 3 == 0 ? hash("f" + number, i) : "shared" + i % 50;
                    table.count(i % 2 == 0 ? Sightings.logged("a", hash, "o") : Sightings.refused("a", hash), 7);
                }
                running.countDown();
            }));
        }
        threads.forEach(Thread::start);
        Tally sum = Tally.NOTHING;
        int resets = 0;
        while (running.getCount() > 0) {
            sum = sum.plus(table.reset().total());
            resets++;
        }
        for (Thread thread : threads) {
            thread.join();
        }
        sum = sum.plus(table.list().total());

        long all = (long) feeders * each;
        assertThat(resets).isPositive();
        assertThat(sum)
                .isEqualTo(new Tally(
                        all,
                        all,
                        all / 2,
                        all / 2,
                        0,
                        new Tally.Times(7 * all, 21 * all),
                        new Tally.Times(7 * all, 21 * all)));
    }
}
