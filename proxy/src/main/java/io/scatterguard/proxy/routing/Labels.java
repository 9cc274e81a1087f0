package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.catalog.ShardSet;
import org.jspecify.annotations.Nullable;

/** Gives statements their labels by placement (targeting semantics §18.1). */
final class Labels {
    private Labels() {}

    /** The label of a sharded collection's command that uses n shards, where {@code owning} own chunks. */
    static Placement placement(ShardSet used, ShardSet owning) {
        int n = used.size();
        if (n <= 1) {
            return Placement.ONE_SHARD;
        }
        return n >= owning.size() ? Placement.ALL_SHARDS : Placement.MANY_SHARDS;
    }

    /** The route of a statement on a sharded collection. */
    static StatementRoute statement(Target target, ShardSet owning) {
        return new StatementRoute(
                placement(target.shards(), owning),
                target.shape(),
                target.exact() ? Certainty.EXACT : Certainty.UPPER_BOUND,
                target.shards(),
                target.pointFields(),
                target.rangeFields(),
                target.reason(),
                target.error());
    }

    /** The route of a statement that no shard key decides. */
    static StatementRoute plain(Placement placement, Certainty certainty, ShardSet shards, Reason reason) {
        return new StatementRoute(placement, null, certainty, shards, 0, 0, reason, null);
    }

    /** Whether {@code a} is worse than {@code b}: in shape, then in placement. */
    static boolean isWorse(StatementRoute a, StatementRoute b) {
        int byShape = compareShapes(a.shape(), b.shape());
        return byShape != 0 ? byShape > 0 : a.placement().compareTo(b.placement()) > 0;
    }

    /** No shape is the least. */
    private static int compareShapes(@Nullable Shape a, @Nullable Shape b) {
        if (a == null || b == null) {
            return Boolean.compare(a != null, b != null);
        }
        return a.compareTo(b);
    }
}
