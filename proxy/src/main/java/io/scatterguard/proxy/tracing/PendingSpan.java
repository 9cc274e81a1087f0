package io.scatterguard.proxy.tracing;

import io.scatterguard.proxy.audit.Auditor.PendingRecord;
import io.scatterguard.proxy.audit.TracedCommand;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a span when its command is judged; values only, so that it may outlive the command's bytes.
 *
 * @param recorded the command's audit record; null if it gets none
 * @param spanId the span's own, 16 hexadecimal digits
 * @param target null for a command that is not routed
 */
record PendingSpan(
        @Nullable PendingRecord recorded,
        TracedCommand command,
        String spanId,
        @Nullable Target target,
        Verdict verdict)
        implements PendingRecord {
    /**
     * What is kept of a {@link Route}: not the routing table, which a waiting span would keep alive.
     *
     * @param placed whether it is known where the command goes: else placement and shards say nothing
     */
    record Target(
            Placement placement,
            @Nullable Shape shape,
            Certainty certainty,
            boolean placed,
            ShardSet shards,
            ShardRegistry registry) {
        static @Nullable Target of(Route route) {
            return route.kind() == Route.Kind.NOT_ROUTED
                    ? null
                    : new Target(
                            route.placement(),
                            route.shape(),
                            route.certainty(),
                            route.isPlaced(),
                            route.shards(),
                            route.registry());
        }
    }

    @Override
    public @Nullable String shapeHash() {
        return recorded == null ? null : recorded.shapeHash();
    }

    @Override
    public boolean isAudited() {
        return recorded != null;
    }
}
