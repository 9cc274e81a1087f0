package io.scatterguard.proxy.catalog;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is logged about refreshing: changes and reminders, not every refresh. Not thread-safe. */
final class RefreshLog {
    /** Every how many failures in a row there is a reminder. */
    static final int REMINDER = 10;

    /** How many problems are logged in full at a time. */
    private static final int MAX_PROBLEMS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(CatalogRefresher.class);

    private Set<CatalogProblem> reported = Set.of();

    void failed(RefreshStatus status, CatalogSnapshot serving, Duration age) {
        int failures = status.failuresInARow();
        if (failures != 1 && failures % REMINDER != 0) {
            return;
        }
        LOG.warn(
                "Catalog refresh failed, {} in a row; {}. error: {}",
                failures,
                serving.complete()
                        ? "serving the catalog of " + age.toSeconds() + " s ago"
                        : "nothing is loaded yet, so no command can be judged",
                status.lastError());
    }

    void succeeded(RefreshStatus before, RefreshStatus now, CatalogSnapshot loaded) {
        if (before.refreshes() == 0 || before.failuresInARow() > 0) {
            LOG.info(
                    "Catalog loaded{}: {} shards, {} tracked collections",
                    before.failuresInARow() == 0 ? "" : " after " + before.failuresInARow() + " failures",
                    loaded.registry().registered().size(),
                    loaded.tables().size() + loaded.unknown().size());
        }
        List<CatalogProblem> problems = now.problems().stream()
                .filter(problem -> !reported.contains(problem))
                .toList();
        problems.stream().limit(MAX_PROBLEMS).forEach(problem -> LOG.warn("Catalog problem: {}", problem.message()));
        if (problems.size() > MAX_PROBLEMS) {
            LOG.warn("Catalog problems: {} more that are not logged", problems.size() - MAX_PROBLEMS);
        }
        if (!reported.isEmpty() && now.problems().isEmpty()) {
            LOG.info("Catalog problems: none any more");
        }
        reported = new HashSet<>(now.problems());
    }
}
