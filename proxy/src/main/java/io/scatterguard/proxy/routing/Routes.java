package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;

/** Assembles the route of a command from those of its statements. */
final class Routes {
    private Routes() {}

    static Route notRouted(Namespace namespace, CatalogSnapshot catalog, RouterRelease release) {
        return Route.notRouted(namespace, Certainty.EXACT, Reason.NOT_ROUTED, catalog.registry(), release);
    }

    static Route unsharded(RoutingContext context, ShardSet owner, ShardSet contacted, Placement placement) {
        StatementRoute statement = Labels.plain(placement, Certainty.EXACT, owner, Reason.UNSHARDED);
        return single(context, Route.Kind.ROUTED, statement, contacted);
    }

    /** As {@link #unsharded}, but a collection it reads besides is not known. */
    static Route unshardedAtMost(RoutingContext context, ShardSet owner, ShardSet contacted, Placement placement) {
        StatementRoute statement = Labels.plain(placement, Certainty.UPPER_BOUND, owner, Reason.CATALOG_UNKNOWN);
        return single(context, Route.Kind.ROUTED, statement, contacted);
    }

    /** An upper bound for a command that is not understood: perhaps everywhere. */
    static Route notUnderstood(RoutingContext context) {
        return everywhereAtMost(
                context, Target.upperBound(context.catalog().registry().registered()));
    }

    /** An upper bound for a command in which a field that decides stands twice: perhaps everywhere. */
    static Route ambiguous(RoutingContext context) {
        return everywhereAtMost(
                context, Target.ambiguous(context.catalog().registry().registered()));
    }

    private static Route everywhereAtMost(RoutingContext context, Target target) {
        ShardSet registered = context.catalog().registry().registered();
        return single(context, Route.Kind.ROUTED, Labels.statement(target, registered), ShardSet.none());
    }

    /** The same route after a first hop, which counts for no label. */
    static Route after(ShardSet firstHop, Route route) {
        return new Route(
                route.kind(),
                route.namespace(),
                route.worst(),
                route.worstIndex(),
                route.statements(),
                route.shards(),
                route.contacted().union(firstHop.minus(route.shards())),
                route.placement(),
                route.table(),
                route.registry(),
                route.release());
    }

    /** The same route as one that reaches what it reaches by its nature. */
    static Route intrinsic(Route route) {
        StatementRoute statement = Labels.plain(route.placement(), route.certainty(), route.shards(), Reason.INTRINSIC);
        return new Route(
                Route.Kind.INTRINSIC,
                route.namespace(),
                statement,
                List.of(statement),
                route.shards(),
                route.contacted(),
                route.placement(),
                route.table(),
                route.registry(),
                route.release());
    }

    /** An upper bound for a collection of which no table is used. */
    static Route upperBound(RoutingContext context, ShardSet superset, Reason reason, ShardSet owning) {
        Placement placement = reason == Reason.UNSHARDED ? Placement.UNSHARDED : Labels.placement(superset, owning);
        return single(
                context,
                Route.Kind.ROUTED,
                Labels.plain(placement, Certainty.UPPER_BOUND, superset, reason),
                ShardSet.none());
    }

    static Route single(RoutingContext context, Route.Kind kind, StatementRoute statement, ShardSet contacted) {
        return new Route(
                kind,
                context.namespace(),
                statement,
                List.of(statement),
                statement.shards(),
                contacted,
                statement.placement(),
                context.catalog().table(context.namespace()),
                context.catalog().registry(),
                context.release());
    }

    static Route of(RoutingContext context, ShardedCollection collection, List<StatementRoute> statements) {
        return of(context, collection, statements, ShardSet.none(), collection.owningNow());
    }

    /**
     * The route of a sharded collection's command.
     *
     * @param owning the shards that own data of any collection involved
     */
    static Route of(
            RoutingContext context,
            ShardedCollection collection,
            List<StatementRoute> statements,
            ShardSet contacted,
            ShardSet owning) {
        ShardSet used = used(context, statements);
        StatementRoute worst = statements.isEmpty()
                ? Labels.plain(Placement.ONE_SHARD, Certainty.EXACT, ShardSet.none(), Reason.NO_FILTER)
                : worst(statements);
        ShardSet others = contacted.minus(used);
        return new Route(
                Route.Kind.ROUTED,
                context.namespace(),
                worst,
                statements.isEmpty() ? List.of(worst) : statements,
                used,
                others,
                Labels.placement(used.union(others), owning),
                collection.table(),
                context.catalog().registry(),
                context.release());
    }

    /** The route of statements on several collections, of which that of the worst one is the context's. */
    static Route of(RoutingContext context, List<StatementRoute> statements, ShardSet owning) {
        ShardSet used = used(context, statements);
        StatementRoute worst = worst(statements);
        return new Route(
                Route.Kind.ROUTED,
                context.namespace(),
                worst,
                statements,
                used,
                ShardSet.none(),
                worst.placement() == Placement.UNSHARDED ? Placement.UNSHARDED : Labels.placement(used, owning),
                context.catalog().table(context.namespace()),
                context.catalog().registry(),
                context.release());
    }

    private static StatementRoute worst(List<StatementRoute> statements) {
        StatementRoute worst = statements.get(0);
        for (StatementRoute statement : statements) {
            if (Labels.isWorse(statement, worst)) {
                worst = statement;
            }
        }
        return worst;
    }

    /** The union of the statements' shards; an ordered batch ends at its first error. */
    private static ShardSet used(RoutingContext context, List<StatementRoute> statements) {
        ShardSet used = ShardSet.none();
        boolean unordered = false;
        for (StatementRoute statement : statements) {
            if (statement.error() != null && !unordered) {
                BsonValueView flag = context.command().get("ordered");
                if (flag == null || flag.isTruthy()) {
                    break;
                }
                unordered = true;
            }
            used = used.union(statement.shards());
        }
        return used;
    }
}
