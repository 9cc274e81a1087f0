package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;

/**
 * The particular shard that a stage needs (targeting semantics §9.4): until 7.x the database's primary for a stage on an
 * unsharded collection or a view, since 8.0 the owner of that collection, for a view still the primary. The first stage
 * that needs one wins, also in a {@code $facet}.
 *
 * @param shards the shard, or the empty set; every registered one where the collection is not known
 * @param certain whether the collection that decides is known
 */
record MergeShard(ShardSet shards, boolean certain) {
    static final MergeShard NONE = new MergeShard(ShardSet.none(), true);

    static MergeShard of(RoutingContext context, List<PipelineStage> pipeline) {
        for (PipelineStage stage : pipeline) {
            MergeShard needed = needed(context, stage);
            if (!needed.isNone()) {
                return needed;
            }
            for (PipelineStage inner : stage.facetStages()) {
                MergeShard within = needed(context, inner);
                if (!within.isNone()) {
                    return within;
                }
            }
        }
        return NONE;
    }

    boolean isNone() {
        return certain && shards.isEmpty();
    }

    private static MergeShard needed(RoutingContext context, PipelineStage stage) {
        boolean needs = switch (stage.name()) {
            case "$out", "$merge", "$lookup", "$graphLookup" -> true;
            default -> false;
        };
        return needs
                ? stage.foreign(context.namespace().database())
                        .map(foreign -> with(foreign, context))
                        .orElse(NONE)
                : NONE;
    }

    /** For a stage on the collection {@code foreign}. */
    static MergeShard with(Namespace foreign, RoutingContext context) {
        CollectionPlace place = CollectionPlace.ofForeign(foreign, context.catalog());
        if (place instanceof CollectionPlace.Unknown) {
            return new MergeShard(context.catalog().registry().registered(), false);
        }
        if (!place.isOnOneShard()) {
            return NONE;
        }
        boolean owner = context.release().atLeast(8, 0) && place instanceof CollectionPlace.Single;
        ShardSet shards = owner
                ? place.owning()
                : ShardSet.of(context.catalog().primary(context.namespace().database()));
        return new MergeShard(shards, true);
    }
}
