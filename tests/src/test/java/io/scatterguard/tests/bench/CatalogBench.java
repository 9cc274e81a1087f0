package io.scatterguard.tests.bench;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.RoutingTable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;

/**
 * Measures what a large catalog costs: one collection of 1,000,000 chunks, and 20,000 collections of which 50 are in use.
 * Prints each figure beside its bound. Exits with 1 if one that does not depend on a clock is broken.
 */
public final class CatalogBench {
    static final int CHUNKS = 1_000_000;
    static final int COLLECTIONS = 20_000;
    static final int USED = 50;
    static final int CHANGED = 100;

    /** How many bytes a chunk may take in memory; the aim is {@link #AIM_CHUNK_BYTES}. */
    static final int MAX_CHUNK_BYTES = 96;

    static final int AIM_CHUNK_BYTES = 40;

    /** A page is about 512 chunks: what a refresh copies for each changed chunk, at the most a chunk may take. */
    static final long MAX_CHANGED_BYTES = 2L * 512 * MAX_CHUNK_BYTES;

    private static final int PERIOD_SECONDS = 30;
    /** Thousands a second are too many; these are two a period and collection in use, and a sweep. */
    static final int MAX_QUERIES_OF_PERIOD = 2 * USED + 10;

    private static final int LOOKUPS = 200_000;
    private static final int ROUNDS = 10;

    private boolean holds = true;

    private CatalogBench() {}

    public static void main(String[] args) throws Exception {
        CatalogBench bench = new CatalogBench();
        bench.oneLargeCollection();
        bench.manyCollections();
        System.exit(bench.holds ? 0 : 1);
    }

    private void oneLargeCollection() throws Exception {
        print("%none collection of %,d chunks by ObjectId%n", CHUNKS);
        GeneratedCatalog source = new GeneratedCatalog(1, CHUNKS);
        byte[][] keys = keys();
        long empty = CatalogCosts.heapBytes();
        long begin = System.nanoTime();
        try (CatalogCosts costs = CatalogCosts.of(source)) {
            costs.use(CatalogCosts.namespaces(0, 1));
            double seconds = (System.nanoTime() - begin) / 1e9;
            print("  load                        %,10.1f s, documents made of nothing%n", seconds);
            double each = (double) (CatalogCosts.heapBytes() - empty) / CHUNKS;
            bound("  heap a chunk                %,10.1f B", each, MAX_CHUNK_BYTES, "B, aim " + AIM_CHUNK_BYTES);
            double before = nanos(costs.table(GeneratedCatalog.LARGE), keys);
            double bytes = refreshBytes(costs, CHANGED);
            bound(
                    "  a refresh of 100 chunks     %,10.0f B",
                    bytes, CHANGED * MAX_CHANGED_BYTES, "B: pages, not the table");
            double after = nanos(costs.table(GeneratedCatalog.LARGE), keys);
            print("  look-up before, after it    %,10.0f ns, %.0f ns%n", before, after);
        }
    }

    /** The second one counts: the first one runs code for the first time. */
    static long refreshBytes(CatalogCosts costs, int changed) throws Exception {
        long bytes = 0;
        for (int i = 0; i < 2; i++) {
            costs.use(CatalogCosts.namespaces(0, 1));
            costs.source().move(changed);
            long before = CatalogCosts.allocatedBytes();
            costs.refresh();
            bytes = CatalogCosts.allocatedBytes() - before;
        }
        return bytes;
    }

    private void manyCollections() throws Exception {
        print("%n%,d collections, %d in use, a period of %d s%n", COLLECTIONS, USED, PERIOD_SECONDS);
        long empty = CatalogCosts.heapBytes();
        long begin = System.nanoTime();
        try (CatalogCosts costs = CatalogCosts.of(new GeneratedCatalog(COLLECTIONS, 2))) {
            print("  load                        %,10.1f s%n", (System.nanoTime() - begin) / 1e9);
            int first = costs.source().takeQueries();
            print("  queries of the first load   %,10d%n", first);
            print(
                    "  heap a collection           %,10.0f B%n",
                    (double) (CatalogCosts.heapBytes() - empty) / COLLECTIONS);
            int[] queries = costs.queriesOfPeriods(CatalogCosts.namespaces(100, 100 + USED), 10);
            double most = Arrays.stream(queries).max().orElseThrow();
            bound(
                    "  queries a second            %,10.1f",
                    most / PERIOD_SECONDS,
                    (double) MAX_QUERIES_OF_PERIOD / PERIOD_SECONDS,
                    "where thousands are too many");
        }
    }

    private static byte[][] keys() {
        Random random = new Random(20261201);
        byte[][] keys = new byte[LOOKUPS][];
        for (int i = 0; i < LOOKUPS; i++) {
            BsonObjectId id = new BsonObjectId(new ObjectId(random.nextInt(), random.nextInt(1 << 24)));
            keys[i] = KeyBytes.ofValues(BsonView.encode(new BsonDocument("_id", id)));
        }
        return keys;
    }

    /** The fastest of some rounds. */
    private static double nanos(RoutingTable table, byte[][] keys) {
        double least = Double.MAX_VALUE;
        long sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            for (byte[] key : keys) {
                sum += table.shardOf(key);
            }
            least = Math.min(least, (double) (System.nanoTime() - begin) / keys.length);
        }
        if (sum == 0) {
            throw new IllegalStateException("every key is on the first shard");
        }
        return least;
    }

    private void bound(String format, double measured, double most, String unit) {
        boolean within = measured <= most;
        holds = holds && within;
        print(format + " (at most %,.1f %s): %s%n", measured, most, unit, within ? "holds" : "BROKEN");
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
