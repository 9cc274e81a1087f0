package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;
import java.util.Optional;

/**
 * The particular shard that a stage needs (targeting semantics §9.4): until 7.x the database's primary for a stage on an
 * unsharded collection, since 8.0 the owner of that collection. The first stage that needs one wins, also in a
 * {@code $facet}.
 */
final class MergeShard {
    private MergeShard() {}

    /** The shard, or the empty set. */
    static ShardSet of(RoutingContext context, List<PipelineStage> pipeline) {
        for (PipelineStage stage : pipeline) {
            ShardSet needed = needed(context, stage);
            if (!needed.isEmpty()) {
                return needed;
            }
            for (PipelineStage inner : stage.facetStages()) {
                ShardSet within = needed(context, inner);
                if (!within.isEmpty()) {
                    return within;
                }
            }
        }
        return ShardSet.none();
    }

    private static ShardSet needed(RoutingContext context, PipelineStage stage) {
        boolean needs = switch (stage.name()) {
            case "$out", "$merge", "$lookup", "$graphLookup" -> true;
            default -> false;
        };
        String database = context.namespace().database();
        Optional<Namespace> foreign = needs ? stage.foreign(database) : Optional.empty();
        if (foreign.isEmpty()) {
            return ShardSet.none();
        }
        CollectionPlace place = CollectionPlace.of(foreign.get(), context.catalog());
        if (!(place instanceof CollectionPlace.Single single)) {
            return ShardSet.none();
        }
        return context.release().atLeast(8, 0)
                ? single.owner()
                : ShardSet.of(context.catalog().primary(database));
    }
}
