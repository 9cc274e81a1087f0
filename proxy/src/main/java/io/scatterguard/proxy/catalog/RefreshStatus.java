package io.scatterguard.proxy.catalog;

import java.util.List;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * How refreshing the catalog is going; a snapshot for health checks, metrics and people.
 *
 * @param refreshes how many succeeded
 * @param failures how many failed
 * @param failuresInARow how many failed since the last success
 * @param lastError the message of the newest failure; null after a success
 * @param problems what the last success had to leave out or to keep from earlier
 * @param published how many snapshots were published: one a refresh, and one for a table that was loaded or changed
 * @param failedLooks how often a single collection could not be looked at
 * @param counters what reading cost
 * @param clusterId the cluster's id as the last success saw it; null if there is none or before the first
 */
public record RefreshStatus(
        long refreshes,
        long failures,
        int failuresInARow,
        @Nullable String lastError,
        List<CatalogProblem> problems,
        long published,
        long failedLooks,
        CatalogCounters counters,
        @Nullable ObjectId clusterId) {
    public RefreshStatus {
        problems = List.copyOf(problems);
    }

    static RefreshStatus initial() {
        return new RefreshStatus(0, 0, 0, null, List.of(), 0, 0, CatalogCounters.NONE, null);
    }

    RefreshStatus afterSuccess() {
        return new RefreshStatus(
                refreshes + 1, failures, 0, null, problems, published, failedLooks, counters, clusterId);
    }

    RefreshStatus afterFailure(String error) {
        return new RefreshStatus(
                refreshes,
                failures + 1,
                failuresInARow + 1,
                error,
                problems,
                published,
                failedLooks,
                counters,
                clusterId);
    }

    RefreshStatus afterPublication(CatalogLoad load) {
        return new RefreshStatus(
                refreshes,
                failures,
                failuresInARow,
                lastError,
                load.problems(),
                published + 1,
                failedLooks,
                counters,
                load.clusterId());
    }

    RefreshStatus afterFailedLook() {
        return new RefreshStatus(
                refreshes,
                failures,
                failuresInARow,
                lastError,
                problems,
                published,
                failedLooks + 1,
                counters,
                clusterId);
    }

    RefreshStatus with(CatalogCounters newer) {
        return new RefreshStatus(
                refreshes, failures, failuresInARow, lastError, problems, published, failedLooks, newer, clusterId);
    }
}
