package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes as a router would give them, with only what a policy looks at. */
final class RouteFixture {
    private RouteFixture() {}

    static Route route(String namespace, @Nullable Shape shape, Certainty certainty) {
        return of(Route.Kind.ROUTED, namespace, List.of(statement(shape, certainty)));
    }

    static Route scatter(String namespace) {
        return route(namespace, Shape.SCATTER_GATHER, Certainty.EXACT);
    }

    static Route uncertainScatter(String namespace) {
        return route(namespace, Shape.SCATTER_GATHER, Certainty.UPPER_BOUND);
    }

    static Route unsharded(String namespace) {
        return route(namespace, null, Certainty.EXACT);
    }

    static Route intrinsic(String namespace) {
        return of(Route.Kind.INTRINSIC, namespace, List.of(statement(null, Certainty.EXACT)));
    }

    static Route notRouted(String namespace) {
        return of(Route.Kind.NOT_ROUTED, namespace, List.of(statement(null, Certainty.EXACT)));
    }

    /** A namespace of which nothing is known; a router may or may not give it a shape. */
    static Route unknown(String namespace, @Nullable Shape shape) {
        return of(
                Route.Kind.ROUTED,
                namespace,
                List.of(statement(shape, Certainty.UPPER_BOUND, Reason.CATALOG_UNKNOWN, null)));
    }

    static Route error(String namespace) {
        StatementRoute statement =
                statement(null, Certainty.EXACT, Reason.PREDICTED_ERROR, PredictedError.SHARD_KEY_NOT_FOUND);
        return of(Route.Kind.ROUTED, namespace, List.of(statement));
    }

    /** A batch; the first statement is the worst. */
    static Route batch(String namespace, StatementRoute... statements) {
        return of(Route.Kind.ROUTED, namespace, List.of(statements));
    }

    static StatementRoute statement(@Nullable Shape shape, Certainty certainty) {
        return statement(shape, certainty, Reason.NO_FILTER, null);
    }

    private static StatementRoute statement(
            @Nullable Shape shape, Certainty certainty, Reason reason, @Nullable PredictedError error) {
        return new StatementRoute(Placement.ALL_SHARDS, shape, certainty, ShardSet.none(), 0, 0, reason, error);
    }

    private static Route of(Route.Kind kind, String namespace, List<StatementRoute> statements) {
        return new Route(
                kind,
                Namespace.parse(namespace),
                statements.get(0),
                statements,
                ShardSet.none(),
                ShardSet.none(),
                Placement.ALL_SHARDS,
                null,
                ShardRegistry.empty(),
                RouterRelease.DEFAULT);
    }
}
