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
 * @param clusterId the cluster's id as the last success saw it; null if there is none or before the first
 */
public record RefreshStatus(
        long refreshes,
        long failures,
        int failuresInARow,
        @Nullable String lastError,
        List<CatalogProblem> problems,
        @Nullable ObjectId clusterId) {
    public RefreshStatus {
        problems = List.copyOf(problems);
    }

    static RefreshStatus initial() {
        return new RefreshStatus(0, 0, 0, null, List.of(), null);
    }

    RefreshStatus afterSuccess(CatalogLoad load) {
        return new RefreshStatus(refreshes + 1, failures, 0, null, load.problems(), load.clusterId());
    }

    RefreshStatus afterFailure(String error) {
        return new RefreshStatus(refreshes, failures + 1, failuresInARow + 1, error, problems, clusterId);
    }
}
