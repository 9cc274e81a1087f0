package io.scatterguard.proxy.catalog;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is logged about refreshing: changes and reminders, not every refresh. Thread-safe. */
final class RefreshLog {
    /** Every how many failures in a row there is a reminder. */
    static final int REMINDER = 10;

    /** How many problems are logged in full at a time. */
    private static final int MAX_PROBLEMS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(CatalogRefresher.class);

    private Set<CatalogProblem> reported = Set.of();

    synchronized void failed(RefreshStatus status, CatalogSnapshot serving, Duration age) {
        int failures = status.failuresInARow();
        if (failures != 1 && failures % REMINDER != 0) {
            return;
        }
        LOG.warn(
                "Catalog refresh failed, {} in a row; {}. error: {}",
                failures,
                serving.complete()
                        ? "serving the catalog of " + age.toSeconds() + " s ago"
                        : "nothing is loaded yet, so no command can be judged but by a declared shard key",
                status.lastError());
    }

    synchronized void succeeded(RefreshStatus before, RefreshStatus now, CatalogSnapshot loaded) {
        if (before.refreshes() == 0 || before.failuresInARow() > 0) {
            LOG.info(
                    "Catalog loaded{}: {} shards, {} tracked collections",
                    before.failuresInARow() == 0 ? "" : " after " + before.failuresInARow() + " failures",
                    loaded.registry().registered().size(),
                    loaded.tracked().size() + loaded.unknown().size());
        }
    }

    /** Of each problem there is one line when it appears, and one when all are gone. */
    synchronized void published(List<CatalogProblem> present) {
        List<CatalogProblem> problems =
                present.stream().filter(problem -> !reported.contains(problem)).toList();
        problems.stream().limit(MAX_PROBLEMS).forEach(problem -> LOG.warn("Catalog problem: {}", problem.message()));
        if (problems.size() > MAX_PROBLEMS) {
            LOG.warn("Catalog problems: {} more that are not logged", problems.size() - MAX_PROBLEMS);
        }
        if (!reported.isEmpty() && present.isEmpty()) {
            LOG.info("Catalog problems: none any more");
        }
        reported = new HashSet<>(present);
    }
}
