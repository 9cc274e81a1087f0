package io.scatterguard.tests.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.catalog.ChunkVersion;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What of the bounds on the catalog's cost depends on no clock holds for small catalogs as well. */
class CatalogCostsTest {
    private static final int CHUNKS = 100_000;
    private static final int COLLECTIONS = 2_000;

    @Test
    void aChunkTakesFewBytes() throws Exception {
        GeneratedCatalog source = new GeneratedCatalog(1, CHUNKS);
        long empty = CatalogCosts.heapBytes();
        try (CatalogCosts costs = CatalogCosts.of(source)) {
            costs.use(CatalogCosts.namespaces(0, 1));
            assertThat(costs.table(GeneratedCatalog.LARGE).chunkCount()).isEqualTo(CHUNKS);
            // Others who use this process's heap meanwhile are few bytes a chunk.
            assertThat((CatalogCosts.heapBytes() - empty) / CHUNKS).isBetween(4L, (long) CatalogBench.MAX_CHUNK_BYTES);
        }
    }

    /** Ten pages of some two hundred: much less than the table. */
    @Test
    void aRefreshCopiesThePagesThatChanged() throws Exception {
        int changed = 10;
        try (CatalogCosts costs = CatalogCosts.of(new GeneratedCatalog(1, CHUNKS))) {
            costs.use(CatalogCosts.namespaces(0, 1));
            ChunkVersion before = costs.table(GeneratedCatalog.LARGE).version();
            assertThat(CatalogBench.refreshBytes(costs, changed))
                    .isBetween(1L, changed * CatalogBench.MAX_CHANGED_BYTES);
            assertThat(costs.table(GeneratedCatalog.LARGE).version()).isGreaterThan(before);
            assertThat(costs.table(GeneratedCatalog.LARGE).chunkCount()).isEqualTo(CHUNKS);
        }
    }

    @Test
    void onlyWhatIsInUseIsAskedFor() throws Exception {
        try (CatalogCosts costs = CatalogCosts.of(new GeneratedCatalog(COLLECTIONS, 2))) {
            assertThat(costs.source().takeQueries())
                    .as("queries of the first load")
                    .isLessThan(20);
            int[] queries = costs.queriesOfPeriods(CatalogCosts.namespaces(100, 100 + CatalogBench.USED), 5);
            assertThat(Arrays.stream(queries).boxed())
                    .allSatisfy(count ->
                            assertThat(count).isBetween(CatalogBench.USED, CatalogBench.MAX_QUERIES_OF_PERIOD));
            // What is used no longer is not asked for any longer.
            costs.refresh();
            costs.source().takeQueries();
            costs.refresh();
            assertThat(costs.source().takeQueries()).isLessThan(20);
        }
    }
}
