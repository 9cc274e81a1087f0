package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.BsonType;

/** Routes {@code aggregate}: by the filter that ends up in front, plus a merging shard (targeting semantics §9). */
final class AggregateRouting {
    private AggregateRouting() {}

    /** Whether the pipeline runs on every registered shard whatever it says: change streams, collectionless ones. */
    static boolean isIntrinsic(RoutingContext context) {
        List<PipelineStage> pipeline = PipelineStage.list(context.command().get("pipeline"));
        String first = pipeline.isEmpty() ? "" : pipeline.get(0).name();
        if (first.equals("$changeStream")) {
            return true;
        }
        boolean routerLocal = first.equals("$documents")
                || first.equals("$listLocalSessions")
                || (first.equals("$currentOp") && pipeline.get(0).flag("localOps"));
        return context.namespace().collection().isEmpty() && !routerLocal;
    }

    static Route sharded(RoutingContext context, ShardedCollection collection) {
        return sharded(context, collection, filter -> filter);
    }

    /** As above, with the initial query translated to what the collection stores. */
    static Route sharded(RoutingContext context, ShardedCollection collection, UnaryOperator<Filter> translation) {
        List<PipelineStage> pipeline = PipelineStage.list(context.command().get("pipeline"));
        Target target = target(context, pipeline, collection, translation);
        ShardSet owning = collection.owning();
        for (CollectionPlace involved : involved(context, pipeline)) {
            owning = owning.union(involved.owning());
        }
        ShardSet merge = target.isError() ? ShardSet.none() : MergeShard.of(context, pipeline);
        return Routes.of(context, collection, List.of(collection.read(target)), merge, owning);
    }

    private static Target target(
            RoutingContext context,
            List<PipelineStage> pipeline,
            ShardedCollection collection,
            UnaryOperator<Filter> translation) {
        try {
            Filter raw = translation.apply(new InitialQuery(collection).of(pipeline));
            Filter filter = FilterNormalizer.normalize(raw, context.release());
            return collection.target(
                    filter, collection.collation(context.command().body()));
        } catch (FilterException e) {
            return collection.failed(e);
        }
    }

    /** The route on a collection that is not sharded; it counts as sharded if a collection it reads is. */
    static Route single(RoutingContext context, ShardSet owner) {
        List<PipelineStage> pipeline = PipelineStage.list(context.command().get("pipeline"));
        ShardSet merge = context.release().atLeast(8, 0) ? MergeShard.of(context, pipeline) : ShardSet.none();
        boolean sharded = false;
        ShardSet owning = owner;
        for (CollectionPlace involved : involved(context, pipeline)) {
            sharded |= !(involved instanceof CollectionPlace.Single);
            owning = owning.union(involved.owning());
        }
        ShardSet others = merge.minus(owner);
        Placement placement = sharded ? Labels.placement(owner.union(others), owning) : Placement.UNSHARDED;
        return Routes.unsharded(context, owner, others, placement);
    }

    private static List<CollectionPlace> involved(RoutingContext context, List<PipelineStage> pipeline) {
        List<CollectionPlace> involved = new ArrayList<>(0);
        String database = context.namespace().database();
        for (PipelineStage stage : pipeline) {
            stage.foreign(database).ifPresent(ns -> involved.add(CollectionPlace.of(ns, context.catalog())));
            for (PipelineStage inner : stage.facetStages()) {
                inner.foreign(database).ifPresent(ns -> involved.add(CollectionPlace.of(ns, context.catalog())));
            }
        }
        return involved;
    }

    /** Whether a document begins with a name that starts with {@code $}: an expression. */
    static boolean isExpression(BsonValueView value) {
        if (value.type() != BsonType.DOCUMENT) {
            return false;
        }
        BsonView document = value.document();
        BsonCursor cursor = document.cursor();
        return cursor.next() && cursor.nameStartsWith("$");
    }
}
