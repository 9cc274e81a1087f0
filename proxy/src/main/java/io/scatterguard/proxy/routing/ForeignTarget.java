package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Filter.And;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The target of a nested pipeline on a sharded collection. What only the documents will tell is given a value that stands
 * in for it: that decides the shape; the shards are those that the rest of the filter leaves.
 */
final class ForeignTarget {
    /** Two of a kind, for those who need a list. */
    private static final List<BsonValue> OBJECT_IDS =
            List.of(new BsonObjectId(new ObjectId(new byte[12])), new BsonObjectId(new ObjectId(1, 1)));

    /** Under a collation text is looked up otherwise than everything else. */
    private static final List<BsonValue> TEXTS = List.of(new BsonString("a"), new BsonString("b"));

    private final RoutingTable table;
    private final RoutingContext context;
    private final Collation collation;

    /** @param collation of the whole command: a nested pipeline inherits it, and not its own collection's */
    ForeignTarget(RoutingTable table, RoutingContext context, Collation collation) {
        this.table = table;
        this.context = context;
        this.collation = collation;
    }

    /** A predicate whose values come from the document; made of two values that stand in for them. */
    interface Join extends Function<List<BsonValueView>, Filter> {
        Join NONE = values -> Filters.TRUE;
    }

    /** What is known of an access. */
    record Reach(@Nullable Shape shape, ShardSet shards, Certainty certainty) {}

    /** Where {@code pipeline} goes together with {@code join}; an invalid filter counts as one that is not understood. */
    Reach of(List<PipelineStage> pipeline, PipelineVariables variables, Join join) {
        Target alone = target(pipeline, variables.let(), Filters.TRUE, true);
        if (join == Join.NONE && variables.perDocument().isEmpty()) {
            return reach(alone);
        }
        Target joined = joined(pipeline, variables, join, OBJECT_IDS);
        Target worst = joined;
        if (!collation.simple()) {
            Target ofText = joined(pipeline, variables, join, TEXTS);
            worst = isWider(ofText, joined) ? ofText : joined;
        }
        if (alone.exact() && isAlike(alone, joined) && isAlike(alone, worst)) {
            return reach(alone);
        }
        Target superset = target(pipeline, variables.let(), Filters.TRUE, false);
        return new Reach(shape(worst), superset.shards(), Certainty.UPPER_BOUND);
    }

    private static Reach reach(Target target) {
        return new Reach(shape(target), target.shards(), target.exact() ? Certainty.EXACT : Certainty.UPPER_BOUND);
    }

    private static Shape shape(Target target) {
        Shape shape = target.shape();
        return shape == null ? Shape.SCATTER_GATHER : shape;
    }

    private static boolean isWider(Target a, Target b) {
        return shape(a).compareTo(shape(b)) > 0;
    }

    /** Whether they reach the same shards, whatever the values are that stand in. */
    private static boolean isAlike(Target a, Target b) {
        if (a.exact() != b.exact() || shape(a) != shape(b)) {
            return false;
        }
        return shape(a) == Shape.SCATTER_GATHER
                ? a.shards().equals(b.shards())
                : a.pointFields() == b.pointFields() && a.rangeFields() == b.rangeFields();
    }

    private Target joined(
            List<PipelineStage> pipeline, PipelineVariables variables, Join join, List<BsonValue> standIns) {
        List<BsonValueView> values = standIns.stream().map(BsonValueView::of).toList();
        return target(pipeline, variables.let(standIns.get(0)), join.apply(values), true);
    }

    /** @param alone whether nothing else will narrow it */
    private Target target(List<PipelineStage> pipeline, BsonValueView let, Filter more, boolean alone) {
        ShardedCollection collection = new ShardedCollection(table, context, let);
        try {
            InitialQuery query = new InitialQuery(collection);
            List<Filter> front = new ArrayList<>(List.of(query.of(pipeline), more));
            Filter certain = FilterNormalizer.normalize(new And(front), context.release(), context.budget());
            if (!query.isUncertain()) {
                Target target =
                        alone ? collection.target(certain, collation) : collection.targetAtMost(certain, collation);
                return target.isError() ? Target.upperBound(table.owningShards()) : target;
            }
            Filter perhaps = FilterNormalizer.normalize(query.uncertain(), context.release(), context.budget());
            return Simplification.onlyNarrows(certain, perhaps, context.release())
                    ? collection.targetAtMost(certain, collation)
                    : Target.upperBound(table.owningShards());
        } catch (FilterException e) {
            return Target.upperBound(table.owningShards());
        }
    }
}
