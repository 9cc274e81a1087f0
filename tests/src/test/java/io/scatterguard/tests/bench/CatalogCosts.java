package io.scatterguard.tests.bench;

import com.sun.management.ThreadMXBean;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RoutingTable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A catalog that is refreshed when told to, and what that costs. */
final class CatalogCosts implements AutoCloseable {
    /** No refresh comes by itself meanwhile. */
    private static final Duration NEVER = Duration.ofDays(1);

    private static final int TIMEOUT_SECONDS = 300;
    private static final String THREADS = "scatterguard-catalog";

    private final GeneratedCatalog source;
    private final CatalogRefresher refresher;

    private CatalogCosts(GeneratedCatalog source, CatalogRefresher refresher) {
        this.source = source;
        this.refresher = refresher;
    }

    /** A catalog whose first refresh has ended. */
    static CatalogCosts of(GeneratedCatalog source) throws Exception {
        CatalogCosts costs = new CatalogCosts(source, new CatalogRefresher(source, NEVER));
        costs.refresher.start();
        if (!costs.refresher.awaitFirstLoad(Duration.ofSeconds(TIMEOUT_SECONDS))) {
            costs.close();
            throw new IllegalStateException("the generated catalog cannot be loaded");
        }
        return costs;
    }

    GeneratedCatalog source() {
        return source;
    }

    /** A command comes for each: whatever must be asked for is asked for. */
    void use(List<Namespace> namespaces) throws Exception {
        CatalogSnapshot snapshot = refresher.current();
        for (Namespace namespace : namespaces) {
            List<Namespace> missing = snapshot.notLoaded(namespace);
            if (!missing.isEmpty()) {
                refresher.load(missing).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    /** What a period brings. */
    void refresh() throws Exception {
        refresher.refreshNow().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    RoutingTable table(Namespace namespace) {
        return Objects.requireNonNull(refresher.current().table(namespace), namespace.fullName());
    }

    static List<Namespace> namespaces(int from, int to) {
        return IntStream.range(from, to).mapToObj(GeneratedCatalog::namespace).toList();
    }

    /** The queries of each of some periods in which a command came for each of {@code namespaces}. */
    int[] queriesOfPeriods(List<Namespace> namespaces, int periods) throws Exception {
        use(namespaces);
        refresh();
        int[] queries = new int[periods];
        for (int i = 0; i < periods; i++) {
            source.takeQueries();
            use(namespaces);
            refresh();
            queries[i] = source.takeQueries();
        }
        return queries;
    }

    /** What the threads that refresh have allocated, the source's documents included. */
    static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(info -> info != null && info.getThreadName().startsWith(THREADS))
                .mapToLong(info -> threads.getThreadAllocatedBytes(info.getThreadId()))
                .sum();
    }

    /** What is reachable. */
    static long heapBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    @Override
    public void close() {
        refresher.close();
    }
}
