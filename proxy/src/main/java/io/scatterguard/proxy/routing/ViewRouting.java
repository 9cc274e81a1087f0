package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.ResolvedView;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Routes commands on a view (targeting semantics §14.3). The router takes it for an unsharded collection and asks the
 * database's primary. Where the view reads a collection that is not there alone, the primary answers with the view's
 * pipeline, and the router runs that, and the command's own stages after it, on the collection.
 */
final class ViewRouting {
    /** Options of {@code find} that no aggregation has: the primary, or the router after it, may answer with an error. */
    private static final List<String> ONLY_OF_FIND = List.of(
            "min",
            "max",
            "returnKey",
            "showRecordId",
            "tailable",
            "noCursorTimeout",
            "allowPartialResults",
            "singleBatch");

    /** Operators of a {@code find} projection that no aggregation has in the same form: as above. */
    private static final Set<String> ONLY_OF_FIND_PROJECTIONS = Set.of("$elemMatch", "$slice", "$meta");

    private final RoutingContext context;
    private final ResolvedView view;
    private final ShardSet primary;

    private ViewRouting(RoutingContext context, CollectionPlace.View place) {
        this.context = context;
        this.view = place.view();
        this.primary = place.primary();
    }

    static Route route(RoutingContext context, CollectionPlace.View place) {
        return new ViewRouting(context, place).route();
    }

    private Route route() {
        CommandView command = context.command();
        return switch (command.commandName()) {
            case FIND -> read(match(command.get("filter")));
            case COUNT, DISTINCT -> read(match(command.get("query")));
            case AGGREGATE -> read(PipelineStage.list(command.get("pipeline")));
            default -> refused(PredictedError.COMMAND_NOT_SUPPORTED_ON_VIEW);
        };
    }

    private Route refused(PredictedError error) {
        return Routes.single(context, Route.Kind.ROUTED, refused(primary, error), ShardSet.none());
    }

    /** A command that reaches the database's primary, which refuses it. */
    static StatementRoute refused(ShardSet primary, PredictedError error) {
        return new StatementRoute(
                Placement.UNSHARDED, null, Certainty.EXACT, primary, 0, 0, Reason.PREDICTED_ERROR, error);
    }

    /** What follows the filter (sort, skip, limit, projection, counting) moves no filter, so it is left out. */
    private static List<PipelineStage> match(@Nullable BsonValueView filter) {
        return filter != null && filter.isDocument() ? List.of(new PipelineStage("$match", filter)) : List.of();
    }

    private Route read(List<PipelineStage> own) {
        if (isCollationRefused()) {
            return refused(PredictedError.OPTION_NOT_SUPPORTED_ON_VIEW);
        }
        CollectionPlace place = CollectionPlace.ofForeign(view.underlying(), context.catalog());
        if (place instanceof CollectionPlace.Sharded sharded) {
            ShardedCollection collection = new ShardedCollection(sharded.table(), context);
            return afterPrimary(sharded(own, collection, UnaryOperator.identity()));
        } else if (place instanceof CollectionPlace.Buckets buckets) {
            ShardedCollection collection = new ShardedCollection(buckets.table(), context);
            return afterPrimary(sharded(own, collection, BucketRouting.translation(collection)::of));
        } else if (place instanceof CollectionPlace.Single single) {
            return single(own, single.owner());
        }
        ShardSet registered = context.catalog().registry().registered();
        return afterPrimary(Routes.upperBound(context, registered, Reason.CATALOG_UNKNOWN, registered));
    }

    private Route sharded(List<PipelineStage> own, ShardedCollection collection, UnaryOperator<Filter> translation) {
        return AggregateRouting.sharded(
                context, wholePipeline(own), collection.collationOf(view.collation()), collection, translation);
    }

    /** The primary answers by itself, unless the collection was moved to another shard (8.0 and later). */
    private Route single(List<PipelineStage> own, ShardSet owner) {
        boolean moved = !owner.equals(primary);
        if (context.command().commandName() == CommandName.AGGREGATE || moved) {
            return afterPrimary(AggregateRouting.single(context, moved ? wholePipeline(own) : own, owner));
        }
        return Routes.unsharded(context, owner, ShardSet.none(), Placement.UNSHARDED);
    }

    private Route afterPrimary(Route route) {
        Route after = Routes.after(primary, route);
        return mayBeRefused() ? atMost(after) : after;
    }

    private List<PipelineStage> wholePipeline(List<PipelineStage> own) {
        List<PipelineStage> whole = new ArrayList<>(PipelineStage.list(view.pipeline()));
        whole.addAll(own);
        return whole;
    }

    /** A view has the collation it has: another one is refused, unless it may be the same after all. */
    private boolean isCollationRefused() {
        return isOtherCollation() && !isCollationDoubtful();
    }

    private boolean isOtherCollation() {
        BsonValueView given = context.command().get("collation");
        return given != null
                && given.isDocument()
                && !Collation.of(given, view.collation().document().toBsonDocument())
                        .isDefault();
    }

    private boolean isCollationDoubtful() {
        BsonValueView given = context.command().get("collation");
        return given != null
                && isOtherCollation()
                && Collation.mayBeSame(given.document(), view.collation().document());
    }

    private boolean mayBeRefused() {
        return isOnlyOfFind() || isCollationDoubtful();
    }

    private boolean isOnlyOfFind() {
        CommandView command = context.command();
        if (command.commandName() != CommandName.FIND) {
            return false;
        }
        BsonValueView projection = command.get("projection");
        return ONLY_OF_FIND.stream().anyMatch(option -> command.get(option) != null)
                || (projection != null && projection.isDocument() && isOnlyOfFind(projection.document(), 0));
    }

    private static boolean isOnlyOfFind(BsonView projection, int depth) {
        BsonCursor cursor = projection.cursor();
        while (cursor.next()) {
            String name = cursor.name();
            BsonValueView value = cursor.value();
            boolean found = name.endsWith(".$") || ONLY_OF_FIND_PROJECTIONS.contains(name);
            boolean below = !found && (value.isDocument() || value.isArray());
            if (found || (below && (depth > BsonView.MAX_DEPTH || isOnlyOfFind(value.document(), depth + 1)))) {
                return true;
            }
        }
        return false;
    }

    private static Route atMost(Route route) {
        StatementRoute exact = route.worst();
        StatementRoute atMost = new StatementRoute(
                exact.placement(),
                exact.shape(),
                Certainty.UPPER_BOUND,
                exact.shards(),
                exact.pointFields(),
                exact.rangeFields(),
                exact.reason(),
                exact.error());
        return new Route(
                route.kind(),
                route.namespace(),
                atMost,
                List.of(atMost),
                route.shards(),
                route.contacted(),
                route.placement(),
                route.table(),
                route.registry(),
                route.release());
    }
}
