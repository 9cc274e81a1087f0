package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.ModelCollection.Chunk;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random lives of collections: whatever happens between two reads, the changed chunks give the table that reading all of them
 * gives. A failure names the seed of its history; {@code -Dscatterguard.seed=… -Dscatterguard.histories=1} repeats it alone.
 */
class RoutingTableHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("scatterguard.histories", 100_000);
    private static final int[] PAGE_CHUNKS = {2, 3, 5, 8, 12};

    private final long firstSeed = Long.getLong("scatterguard.seed", System.nanoTime());
    private final ShardOrdinals ordinals = new ShardOrdinals(ShardRegistry.empty());
    private int deltas;
    private int unchanged;
    private int incarnations;
    private int broken;
    private int refused;

    RoutingTableHistoriesTest() {
        ModelCollection.SHARDS.forEach(ordinals::ordinal);
    }

    @Test
    void deltasGiveWhatReadingEverythingGives() {
        for (int i = 0; i < HISTORIES; i++) {
            long seed = firstSeed + i;
            try {
                live(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dscatterguard.seed=" + seed + " -Dscatterguard.histories=1: " + e, e);
            }
        }
        if (HISTORIES >= 10_000) {
            // A test that never does what it is about would pass as well.
            assertThat(deltas).isGreaterThan(HISTORIES);
            assertThat(unchanged).isGreaterThan(HISTORIES / 20);
            assertThat(incarnations).isGreaterThan(HISTORIES / 20);
            assertThat(broken - refused).isGreaterThan(HISTORIES / 20);
            assertThat(refused).isGreaterThan(HISTORIES / 20);
        }
    }

    private void live(Random random) {
        ModelCollection model = new ModelCollection(random);
        int pageChunks = PAGE_CHUNKS[random.nextInt(PAGE_CHUNKS.length)];
        Incarnation incarnation = Incarnation.of(model.document());
        RoutingTable table = full(model, pageChunks);
        for (int round = 1 + random.nextInt(4); round > 0; round--) {
            for (int steps = random.nextInt(8); steps > 0; steps--) {
                model.step();
            }
            RoutingTable expected = full(model, pageChunks);
            if (!Incarnation.of(model.document()).equals(incarnation)) {
                incarnation = Incarnation.of(model.document());
                requireOtherKeyRefused(table, model);
                table = expected;
                incarnations++;
            } else {
                breakDelta(table, model, expected, random);
                table = delta(table, model, expected, random);
            }
        }
    }

    private RoutingTable full(ModelCollection model, int pageChunks) {
        RoutingTableAssembler assembler = new RoutingTableAssembler(model.info(), ordinals, pageChunks);
        model.chunks().forEach(chunk -> assembler.add(chunk.document()));
        return assembler.build();
    }

    private void requireOtherKeyRefused(RoutingTable table, ModelCollection model) {
        CollectionInfo info = model.info();
        if (!table.shardKey().equals(info.shardKey())) {
            assertThatThrownBy(() -> new RoutingTableUpdate(table, info, ordinals))
                    .isInstanceOf(CatalogException.class)
                    .hasMessageContaining("shard key: ");
        }
    }

    private RoutingTable update(RoutingTable base, ModelCollection model, List<BsonDocument> changed) {
        RoutingTableUpdate update = new RoutingTableUpdate(base, model.info(), ordinals);
        changed.forEach(update::add);
        RoutingTable table = update.build();
        assertThat(table.version()).isEqualTo(update.version());
        return table;
    }

    private RoutingTable delta(RoutingTable base, ModelCollection model, RoutingTable expected, Random random) {
        List<BsonDocument> changed = model.since(base.version());
        Collections.shuffle(changed, random);
        RoutingTable table = update(base, model, changed);
        requireSame(table, expected, model, random);
        requireGoodPages(table.pages());
        boolean same = base.version().equals(expected.version());
        assertThat(table == base).isEqualTo(same);
        deltas++;
        unchanged += same ? 1 : 0;
        return table;
    }

    private static void requireSame(RoutingTable table, RoutingTable expected, ModelCollection model, Random random) {
        int earlier = model.clock() - 1 - random.nextInt(30);
        @Nullable String difference = TableComparison.difference(table, expected, earlier, model.clock());
        if (difference != null) {
            fail(difference + " in " + model);
        }
        for (int i = 0; i < table.chunkCount(); i++) {
            Chunk chunk = model.chunks().get(i);
            if (table.owner(i) != ModelCollection.SHARDS.indexOf(chunk.shard())) {
                fail("owner of chunk " + i + ": " + table.owner(i) + " in " + model);
            }
        }
    }

    private static void requireGoodPages(ChunkPages pages) {
        int wanted = pages.pageChunks();
        for (int page = 0; page < pages.pageCount(); page++) {
            int size = pages.page(page).size();
            boolean tiny = 4 * size < wanted && pages.pageCount() > 1;
            if (tiny || size > 2 * wanted) {
                fail("page " + page + " of " + pages.pageCount() + ": " + size + " chunks, wanted: " + wanted);
            }
        }
    }

    /** Changed chunks that no cluster has in this way: refused, or the table is right all the same. */
    private void breakDelta(RoutingTable base, ModelCollection model, RoutingTable expected, Random random) {
        List<BsonDocument> changed = model.since(base.version());
        boolean complete = random.nextBoolean();
        boolean old = false;
        if (complete) {
            if (model.replaced().isEmpty()) {
                return;
            }
            Chunk replaced =
                    model.replaced().get(random.nextInt(model.replaced().size()));
            old = replaced.version().compareTo(base.version()) < 0;
            changed.add(replaced.document());
        } else {
            changed.remove(random.nextInt(changed.size()));
        }
        Collections.shuffle(changed, random);
        broken++;
        try {
            RoutingTable table = update(base, model, changed);
            assertThat(old).as("an older chunk is refused").isFalse();
            if (complete) {
                requireSame(table, expected, model, random);
            } else {
                requireOnlyWhatWasSaid(table, base, changed);
            }
        } catch (CatalogException e) {
            refused++;
        }
    }

    /** No key is where neither the base nor a changed chunk has it, and every changed chunk is there. */
    private void requireOnlyWhatWasSaid(RoutingTable table, RoutingTable base, List<BsonDocument> changed) {
        for (int i = 0; i < table.chunkCount(); i++) {
            byte[] min = table.min(i);
            boolean said = false;
            for (BsonDocument chunk : changed) {
                said |= Arrays.equals(key(chunk, "min"), min)
                        && ordinals.ordinal(chunk.getString("shard").getValue()) == table.owner(i)
                        && isEnd(table, i, key(chunk, "max"));
            }
            int inBase = base.chunkOf(min);
            said |= Arrays.equals(base.min(inBase), min)
                    && base.owner(inBase) == table.owner(i)
                    && (inBase + 1 == base.chunkCount()
                            ? i + 1 == table.chunkCount()
                            : isEnd(table, i, base.min(inBase + 1)));
            if (!said) {
                fail("chunk " + i + " is neither changed nor in the base");
            }
        }
    }

    private static boolean isEnd(RoutingTable table, int chunk, byte[] max) {
        return chunk + 1 == table.chunkCount()
                ? max[0] == KeyBytes.of(BsonValueView.MAX_KEY)[0]
                : Arrays.equals(table.min(chunk + 1), max);
    }

    private static byte[] key(BsonDocument chunk, String end) {
        return KeyBytes.ofValues(BsonView.encode(chunk.getDocument(end)));
    }
}
