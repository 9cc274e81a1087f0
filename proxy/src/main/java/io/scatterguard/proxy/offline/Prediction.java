package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What the router is predicted to do with one command, in names.
 *
 * @param shards the shards that run it, sorted; without the first hop of {@code firstHop}
 * @param firstHop the database's primary, where it is asked only to be told what a view or a time-series collection is
 * @param reached the shards that the command itself reaches, where {@code shards} are those of its {@code explain} and
 *     others: a broadcast write
 * @param placement null for a command that is not routed or that fails altogether
 * @param error what the router answers; of a batch, to the first statement that fails
 */
record Prediction(
        List<String> shards,
        List<String> firstHop,
        List<String> reached,
        @Nullable Placement placement,
        @Nullable Shape shape,
        @Nullable PredictedError error,
        boolean upperBound,
        Route route) {
    private static final KeyRouter ROUTER = new KeyRouter();

    Prediction {
        shards = List.copyOf(shards);
        firstHop = List.copyOf(firstHop);
        reached = List.copyOf(reached);
    }

    /** The prediction for {@code command}, whose database is {@code database} unless it names one by {@code $db}. */
    static Prediction of(String database, BsonDocument command, CatalogSnapshot catalog, RouterRelease release) {
        return of(ROUTER.route(view(database, command), catalog, release));
    }

    /** The command as the router reads it. */
    static CommandView view(String database, BsonDocument command) {
        return CommandView.of(new Members(command).string("$db", database), BsonView.encode(command));
    }

    /** The same, with the shards that an {@code explain} names in the place of those that the command reaches. */
    Prediction explainedAs(List<String> targeted) {
        return new Prediction(
                targeted,
                firstHop,
                targeted.equals(shards) ? List.of() : shards,
                placement,
                shape,
                error,
                upperBound,
                route);
    }

    private static Prediction of(Route route) {
        // The table of another namespace: the way led over a view or a time-series collection.
        boolean detour = isDetour(route);
        ShardSet shards = detour ? route.shards() : route.shards().union(route.contacted());
        PredictedError error = error(route);
        boolean placed = route.kind() != Route.Kind.NOT_ROUTED && !(error != null && shards.isEmpty());
        return new Prediction(
                sorted(route, shards),
                detour ? sorted(route, route.contacted()) : List.of(),
                List.of(),
                placed ? route.placement() : null,
                route.shape(),
                error,
                route.certainty() == Certainty.UPPER_BOUND,
                route);
    }

    private static boolean isDetour(Route route) {
        return route.table() != null && !route.table().collection().namespace().equals(route.namespace());
    }

    private static @Nullable PredictedError error(Route route) {
        for (StatementRoute statement : route.statements()) {
            if (statement.error() != null) {
                return statement.error();
            }
        }
        return null;
    }

    private static List<String> sorted(Route route, ShardSet shards) {
        return route.registry().names(shards).stream().sorted().toList();
    }
}
