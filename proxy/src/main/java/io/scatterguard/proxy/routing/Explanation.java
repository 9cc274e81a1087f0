package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a command goes where it goes: made on demand for people, never on the data path, by the same stages as the route
 * itself. It keeps nothing of the command, holds values of it, and is bounded: long lists are cut and counted.
 *
 * @param command the command's name as it was spelt; {@code explain find} for a find in an explain
 * @param route the route of the whole command
 * @param statements the first {@link #MAX_STATEMENTS} statements; the worst one is last if it is further back
 * @param notes what is probably a mistake, also in statements that are not shown
 * @param secondary where the stages of a pipeline go on to
 * @param wouldFail what a sharded cluster refuses about it; null if nothing
 */
public record Explanation(
        String command,
        Route route,
        List<StatementExplanation> statements,
        List<Note> notes,
        List<SecondaryRoute> secondary,
        @Nullable WouldFail wouldFail) {
    /** So many statements of a batch are explained. */
    public static final int MAX_STATEMENTS = 10;

    public Explanation {
        statements = List.copyOf(statements);
        notes = List.copyOf(notes);
        secondary = List.copyOf(secondary);
    }

    /** The explanation of {@code command}, which is borrowed. */
    public static Explanation of(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        Route route = KeyRouter.route(command, catalog, release, RoutingTrace.NONE);
        String name = command.explained()
                .map(inner -> command.name() + " " + inner.name())
                .orElse(command.name());
        return new Explanation(
                name,
                route,
                route.statements().size() > 1 ? batch(command, route, catalog) : single(command, catalog, release),
                Notes.of(command, route),
                SecondaryRoutes.of(command, catalog, release),
                new ClusterErrors(command.explained().orElse(command), route, catalog, false).first());
    }

    private static List<StatementExplanation> single(
            CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        RoutingLog log = new RoutingLog();
        Route route = KeyRouter.route(command, catalog, release, log);
        return List.of(statement(0, null, route, log));
    }

    private static List<StatementExplanation> batch(CommandView command, Route route, CatalogSnapshot catalog) {
        CommandView inner = command.explained().orElse(command);
        List<BsonView> documents = inner.statements(SingleStatement.field(inner));
        List<StatementExplanation> explained = new ArrayList<>();
        for (int index : shown(route)) {
            BsonView document = documents.get(index);
            RoutingLog log = new RoutingLog();
            CommandView alone = SingleStatement.of(command, inner, document);
            Route routeAlone = KeyRouter.route(alone, catalog, route.release(), log);
            // A batch shares its bounds on work: what alone is exact may be an upper bound in it.
            boolean same =
                    routeAlone.statements().equals(List.of(route.statements().get(index)));
            explained.add(
                    same
                            ? statement(index, document, routeAlone, log)
                            : statement(index, document, route.about(index), new RoutingLog()));
        }
        return explained;
    }

    private static StatementExplanation statement(int index, @Nullable BsonView document, Route route, RoutingLog log) {
        // Where something is not understood, the looks before it do not say where the statement goes.
        Reason reason = route.worst().reason();
        boolean understood = reason != Reason.NOT_UNDERSTOOD && reason != Reason.AMBIGUOUS;
        List<KeyLookup> lookups = log.looks().stream()
                .filter(look -> understood)
                .map(look -> KeyLookups.of(look, route.registry()))
                .distinct()
                .toList();
        return new StatementExplanation(
                index, document == null ? null : document.toBsonDocument(), route, lookups, log.pipeline());
    }

    /** The indexes of the first statements, and of the worst. */
    private static List<Integer> shown(Route route) {
        int count = Math.min(MAX_STATEMENTS, route.statements().size());
        int last = Math.max(count - 1, route.worstIndex());
        return Stream.iterate(0, i -> i < count, i -> i + 1)
                .map(i -> i == count - 1 ? last : i)
                .toList();
    }
}
