package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chunks are read in batches, between which a migration can commit. */
class MigrationDuringReadTest {
    private static final Namespace ORDERS = Namespace.parse("shop.orders");
    private static final int CHUNKS = 4;
    /** A refresh that a migration disturbs queries and gets fewer things than this. */
    private static final int STEPS = 40;

    private final Collection orders = Collection.of(Layout.UUID, "shop.orders", "{a: 1}");
    private final List<BsonDocument> chunks = orders.chunksSplitAt("1", "2", "3");

    private FakeCatalogSource source = new FakeCatalogSource();
    private CatalogLoader loader = new CatalogLoader(source, Clock.systemUTC());

    private void start(boolean warm) {
        source = new FakeCatalogSource().with(orders, chunks);
        loader = new CatalogLoader(source, Clock.systemUTC());
        if (warm) {
            loader.load();
            source.move(chunks.get(CHUNKS - 1), "b", CHUNKS + 1, 0);
        }
    }

    private List<String> owners() {
        CatalogSnapshot snapshot = loader.load().snapshot();
        RoutingTable table = snapshot.table(ORDERS);
        return IntStream.range(0, table.chunkCount())
                .mapToObj(chunk -> snapshot.registry().ids().get(table.owner(chunk)))
                .toList();
    }

    private List<String> truth() {
        return source.chunks.stream()
                .map(chunk -> chunk.getString("shard").getValue())
                .toList();
    }

    /** Whatever chunk moves, whichever chunk the donor keeps, at whatever moment of the refresh. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theRefreshAfterAMigrationShowsIt(boolean warm) {
        for (int moved = 0; moved < CHUNKS; moved++) {
            for (int control = 0; control < CHUNKS; control++) {
                for (int step = 0; step < STEPS; step++) {
                    start(warm);
                    migrateAtStep(step, moved, control);

                    owners();
                    source.beforeStep = () -> {};

                    assertThat(owners())
                            .as("chunk %d moves, control chunk %d, at step %d", moved, control, step)
                            .isEqualTo(truth());
                }
            }
        }
    }

    /** The donor's control chunk is bumped with the same commit; without one where {@code control} is the chunk itself. */
    private void migrateAtStep(int step, int moved, int control) {
        AtomicInteger steps = new AtomicInteger();
        source.beforeStep = () -> {
            if (steps.getAndIncrement() == step) {
                source.move(chunks.get(moved), "c", 9, 0);
                if (control != moved) {
                    String donor = truth().get(control);
                    source.move(chunks.get(control), donor, 9, 1);
                }
            }
        };
    }

    @Test
    void aReadThatWasDisturbedIsRepeatedAtOnce() {
        start(false);
        int stepsBeforeChunk2 = stepsBeforeTheChunks() + 1;
        migrateAtStep(stepsBeforeChunk2, 0, 1);

        assertThat(owners()).isEqualTo(truth()).startsWith("c");

        assertThat(source.takeChunkReads()).hasSize(2);
        owners();
        assertThat(source.takeChunkReads()).isEmpty();
    }

    @Test
    void anUndisturbedReadIsNotRepeated() {
        start(false);

        assertThat(owners()).isEqualTo(truth());

        assertThat(source.takeChunkReads()).hasSize(1);
    }

    /** Served all the same, but not believed: the next refresh reads again although nothing moves any more. */
    @Test
    void aTableThatIsDisturbedByEveryReadIsReadAgain() {
        start(false);
        AtomicInteger major = new AtomicInteger(8);
        AtomicInteger given = new AtomicInteger();
        int stepsOfARead = CHUNKS + 1; // and the query that comes next
        source.beforeStep = () -> {
            boolean inChunks = source.queries.get(source.queries.size() - 1).startsWith("chunks ");
            if (inChunks && given.getAndIncrement() % stepsOfARead == 1) {
                String to = major.incrementAndGet() % 2 == 0 ? "a" : "c";
                source.move(chunks.get(0), to, major.get(), 0);
                source.move(chunks.get(2), "a", major.get(), 1);
            }
        };
        source.queries.add("none yet");

        CatalogLoad disturbed = loader.load();
        assertThat(source.takeChunkReads()).hasSize(TableLoader.MAX_READS);
        source.beforeStep = () -> {};

        assertThat(disturbed.problems()).isEmpty();
        assertThat(disturbed.snapshot().table(ORDERS).version()).hasToString("11|1");
        assertThat(owners()).isEqualTo(truth()).startsWith("c");
        assertThat(source.takeChunkReads()).hasSize(1);
    }

    private int stepsBeforeTheChunks() {
        AtomicInteger steps = new AtomicInteger();
        AtomicInteger before = new AtomicInteger();
        source.beforeStep = () -> steps.incrementAndGet();
        source.afterChunks = () -> before.set(steps.get() - CHUNKS);
        loader.load();
        start(false);
        return before.get();
    }
}
