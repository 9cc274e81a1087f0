package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonType;

/** Routes {@code aggregate}: by the filter that ends up in front, plus a merging shard (targeting semantics §9). */
final class AggregateRouting {
    private static final Set<String> STATISTICS = Set.of("$collStats", "$indexStats", "$planCacheStats");

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

    /** Whether something that reaches every shard as a rule may reach fewer: a change stream of version 2, since 9.0. */
    static boolean mayReachFewer(RoutingContext context) {
        List<PipelineStage> pipeline = context.command().commandName() == CommandName.AGGREGATE
                ? PipelineStage.list(context.command().get("pipeline"))
                : List.of();
        if (pipeline.isEmpty()) {
            return false;
        }
        BsonValueView version = pipeline.get(0).get("version");
        boolean precise = context.release().atLeast(9, 0) && version != null && version.stringEquals("v2");
        return precise || pipeline.get(0).name().equals("$shardedDataDistribution");
    }

    /** Whether a stage stands for pipelines of its own, each of which is routed by itself (8.1 and later). */
    private static boolean hasFusion(List<PipelineStage> pipeline) {
        return pipeline.stream()
                .anyMatch(stage ->
                        stage.name().equals("$rankFusion") || stage.name().equals("$scoreFusion"));
    }

    static Route sharded(RoutingContext context, ShardedCollection collection) {
        return sharded(context, collection, filter -> filter);
    }

    /** As above, with the initial query translated to what the collection stores. */
    static Route sharded(RoutingContext context, ShardedCollection collection, UnaryOperator<Filter> translation) {
        List<PipelineStage> pipeline = PipelineStage.list(context.command().get("pipeline"));
        Collation collation = collection.collation(context.command().body());
        return sharded(context, pipeline, collation, collection, translation);
    }

    /** The route of {@code pipeline}, whatever the command itself says. */
    static Route sharded(
            RoutingContext context,
            List<PipelineStage> pipeline,
            Collation collation,
            ShardedCollection collection,
            UnaryOperator<Filter> translation) {
        Target target = target(context, pipeline, collation, collection, translation);
        ShardSet owning = collection.owningNow();
        for (CollectionPlace involved : involved(context, pipeline)) {
            owning = owning.union(involved.owning());
        }
        MergeShard merge = target.isError() ? MergeShard.NONE : MergeShard.of(context, pipeline);
        StatementRoute statement = collection.read(merge.certain() ? target : target.perhaps());
        Route route = Routes.of(context, collection, List.of(statement), merge.shards(), owning);
        return asksForStatistics(pipeline) ? Routes.intrinsic(route) : route;
    }

    /** Whether it begins with what every owning shard has to say of itself: no predicate could narrow that (§8). */
    private static boolean asksForStatistics(List<PipelineStage> pipeline) {
        return !pipeline.isEmpty() && STATISTICS.contains(pipeline.get(0).name());
    }

    private static Target target(
            RoutingContext context,
            List<PipelineStage> pipeline,
            Collation collation,
            ShardedCollection collection,
            UnaryOperator<Filter> translation) {
        if (hasFusion(pipeline)) {
            return Target.upperBound(collection.owning());
        }
        try {
            InitialQuery query = new InitialQuery(collection);
            Filter front = normal(translation.apply(query.of(pipeline)), context);
            if (!query.isUncertain()) {
                return collection.target(front, collation);
            }
            Filter perhaps = normal(translation.apply(query.uncertain()), context);
            return Simplification.onlyNarrows(front, perhaps, context.release())
                    ? collection.targetAtMost(front, collation)
                    : Target.upperBound(collection.owning());
        } catch (FilterException e) {
            return collection.failed(e);
        }
    }

    private static Filter normal(Filter raw, RoutingContext context) {
        return FilterNormalizer.normalize(raw, context.release(), context.budget());
    }

    /** Routes {@code mapReduce}, by its query as if that were a leading {@code $match} (§8). */
    static Route mapReduce(RoutingContext context, ShardedCollection collection) {
        Collation collation = collection.collation(context.command().body());
        Target target = collection.target(context.command().get("query"), collation);
        MergeShard merge = target.isError() ? MergeShard.NONE : output(context);
        StatementRoute statement = collection.read(merge.certain() ? target : target.perhaps());
        return Routes.of(context, collection, List.of(statement), merge.shards(), collection.owningNow());
    }

    /** The collection that a {@code mapReduce} writes, unless it answers inline. */
    private static MergeShard output(RoutingContext context) {
        BsonValueView out = context.command().get("out");
        String database = context.namespace().database();
        if (out != null && out.isString()) {
            return MergeShard.with(new Namespace(database, out.string()), context);
        }
        if (out == null || !out.isDocument()) {
            return MergeShard.NONE;
        }
        BsonValueView db = out.document().get("db");
        for (String mode : List.of("replace", "merge", "reduce")) {
            BsonValueView name = out.document().get(mode);
            if (name != null && name.isString()) {
                String target = db != null && db.isString() ? db.string() : database;
                return MergeShard.with(new Namespace(target, name.string()), context);
            }
        }
        return MergeShard.NONE;
    }

    /** The route on a collection that is not sharded; it counts as sharded if a collection it reads is. */
    static Route single(RoutingContext context, List<PipelineStage> pipeline, ShardSet owner) {
        MergeShard needed = MergeShard.of(context, pipeline);
        boolean merges = context.release().atLeast(8, 0) || !needed.certain();
        MergeShard merge = merges ? needed : MergeShard.NONE;
        boolean sharded = false;
        ShardSet owning = owner;
        for (CollectionPlace involved : involved(context, pipeline)) {
            sharded |= !involved.isOnOneShard();
            owning = owning.union(involved.owning());
        }
        ShardSet others = merge.shards().minus(owner);
        Placement placement = sharded ? Labels.placement(owner.union(others), owning) : Placement.UNSHARDED;
        return merge.certain()
                ? Routes.unsharded(context, owner, others, placement)
                : Routes.unshardedAtMost(context, owner, others, placement);
    }

    private static List<CollectionPlace> involved(RoutingContext context, List<PipelineStage> pipeline) {
        List<CollectionPlace> involved = new ArrayList<>(0);
        String database = context.namespace().database();
        for (PipelineStage stage : pipeline) {
            stage.foreign(database).ifPresent(ns -> involved.add(CollectionPlace.ofForeign(ns, context.catalog())));
            for (PipelineStage inner : stage.facetStages()) {
                inner.foreign(database).ifPresent(ns -> involved.add(CollectionPlace.ofForeign(ns, context.catalog())));
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
