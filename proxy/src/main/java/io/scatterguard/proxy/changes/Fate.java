package io.scatterguard.proxy.changes;

import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a command on one side of a comparison.
 *
 * @param shards how many are contacted; -1 where that is not known; 0 for what fails
 * @param total how many shards there are; -1 where that is not known
 * @param exact false where {@code shards} is an upper bound
 * @param error the code name of the error that it is answered with; null if it is not
 */
public record Fate(
        Way way,
        int shards,
        int total,
        boolean exact,
        Action action,
        @Nullable String error) {
    /** @param wouldFail what a cluster would refuse about it; what depends on stored values does not count */
    static Fate of(Route route, @Nullable WouldFail wouldFail, Verdict verdict) {
        PredictedError error = wouldFail != null && wouldFail.certain()
                ? wouldFail.error()
                : route.worst().error();
        if (error != null) {
            return new Fate(Way.WOULD_FAIL, 0, route.shardTotal(), true, verdict.action(), error.codeName());
        }
        int shards = route.isPlaced() ? route.shards().union(route.contacted()).size() : -1;
        boolean exact = route.certainty() == Certainty.EXACT && !route.isMostPlacement();
        return new Fate(Way.of(route), shards, route.shardTotal(), exact, verdict.action(), null);
    }

    boolean fails() {
        return way == Way.WOULD_FAIL;
    }

    boolean isRefused() {
        return action == Action.REFUSE;
    }

    /** Whether it is sent to shards that it need not reach, more than one. */
    boolean isBroadcast() {
        return way == Way.SCATTER_GATHER || way == Way.UNKNOWN || (way == Way.TWO_PHASE && shards != 1);
    }

    /** Whether {@code other} is the same to a client and to the shards, whatever is known of how exact that is. */
    boolean isLike(Fate other) {
        return isSortOf(other) && shards == other.shards;
    }

    /** Whether the two differ but in the number of shards. */
    private boolean isSortOf(Fate other) {
        return way == other.way && action == other.action && Objects.equals(error, other.error);
    }

    /** Both in one, of commands of one shape: the larger number of shards, as an upper bound where they differ. */
    Fate and(Fate other) {
        return new Fate(
                way,
                Math.max(shards, other.shards),
                Math.max(total, other.total),
                exact && other.exact && shards == other.shards,
                action,
                error);
    }
}
