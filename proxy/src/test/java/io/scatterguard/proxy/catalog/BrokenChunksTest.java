package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.FaultySource.Fault;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An answer that was wrong for a while heals by itself, also where the collection never changes again. */
class BrokenChunksTest {
    private static final Namespace ORDERS = Namespace.parse("shop.orders");

    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private final FakeCatalogSource truth =
            new FakeCatalogSource().with(orders, orders.chunksSplitAt("10", "20", "30"));
    private final FaultySource source = new FaultySource(truth, time -> {});
    private final AtomicLong seconds = new AtomicLong(1_000);
    private final CatalogLoader loader = new CatalogLoader(
            source, ((InstantSource) () -> Instant.ofEpochSecond(seconds.get())).withZone(ZoneOffset.UTC));

    private int fullReads() {
        return truth.takeChunkReads().size();
    }

    private CatalogLoad loadAfter(Duration time) {
        seconds.addAndGet(time.toSeconds());
        return loader.load();
    }

    @ParameterizedTest
    @EnumSource(names = {"GAP", "OVERLAP", "GARBAGE_CHUNKS", "GARBAGE_SHARD"})
    void whatWasNeverReadWellIsReadAgain(Fault fault) {
        source.fault = fault;
        assertThat(loader.load().snapshot().isUnknown(ORDERS)).isTrue();
        source.fault = Fault.NONE;

        CatalogLoad healed = loadAfter(Duration.ofSeconds(30));

        assertThat(healed.problems()).isEmpty();
        assertThat(healed.snapshot().table(ORDERS).chunkCount()).isEqualTo(4);
        fullReads();
        loadAfter(Duration.ofHours(1));
        assertThat(fullReads()).as("as any other from then on").isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAP", "GARBAGE_CHUNKS", "GARBAGE_SHARD"})
    void soIsWhatHasAnOlderTable(Fault fault) {
        RoutingTable good = loader.load().snapshot().table(ORDERS);
        source.fault = fault;
        truth.move(truth.chunks.get(0), "b", 9, 0);
        CatalogLoad broken = loader.load();
        assertThat(broken.snapshot().table(ORDERS)).isSameAs(good);
        assertThat(broken.problems()).hasSize(1);
        source.fault = Fault.NONE;

        CatalogLoad healed = loadAfter(Duration.ofSeconds(30));

        assertThat(healed.problems()).isEmpty();
        assertThat(healed.snapshot().table(ORDERS).version()).hasToString("9|0");
    }

    @ParameterizedTest
    @EnumSource(names = {"GAP", "GARBAGE_CHUNKS"})
    void whatStaysBrokenIsReadEverMoreRarely(Fault fault) {
        source.fault = fault;
        loader.load();
        assertThat(fullReads()).as("once more before it is believed").isEqualTo(2);
        List<Integer> periodsWithAReading = new ArrayList<>();

        for (int period = 0; period < 60; period++) {
            assertThat(loadAfter(Duration.ofSeconds(30)).problems()).hasSize(1);
            if (fullReads() > 0) {
                periodsWithAReading.add(period);
            }
        }

        // After 5, 10, 20, 40, 80, 160 and 300 s, each up to the next period; then every ten of those.
        assertThat(periodsWithAReading).containsExactly(0, 1, 2, 4, 7, 13, 23, 33, 43, 53);
        truth.move(truth.chunks.get(1), "a", 9, 0);
        source.fault = Fault.NONE;
        assertThat(loadAfter(Duration.ZERO).problems())
                .as("newer chunks are read at once")
                .isEmpty();
    }
}
