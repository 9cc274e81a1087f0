package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RoutingTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What about a routed command is legal but probably a mistake. Pure, and made on demand only: nothing here is on the path
 * of a command that nobody looks at.
 *
 * <p>There are notes on commands that a sharded collection's key decides about; none on a time-series collection, whose
 * key is in terms of its buckets. Of a {@code bulkWrite} only the ops on the collection that the route is about are looked
 * at. The work is bounded: see {@link NotedStatements}, and per statement one walk over its filter for each key field.
 */
public final class Notes {
    private static final Comparator<Note> ORDER =
            Comparator.comparing(Note::name).thenComparing(Note::statement);

    private Notes() {}

    /**
     * The notes on {@code command}, which is borrowed, ordered by name (nearest to the cause first), then by statement.
     *
     * @param route the route that was predicted for this command; an {@code explain} has that of the command inside
     * @throws io.scatterguard.protocol.bson.MalformedBsonException if what is looked at is not BSON
     */
    public static List<Note> of(CommandView command, Route route) {
        CommandView subject = command.explained().orElse(command);
        RoutingTable table = route.table();
        if (route.kind() != Route.Kind.ROUTED || table == null || !isByKey(table)) {
            return List.of();
        }
        RoutingContext context = new RoutingContext(
                subject,
                route.namespace(),
                CatalogSnapshot.empty(),
                route.release(),
                command.commandName() == CommandName.EXPLAIN,
                new IntervalBudget());
        List<Note> notes = new ArrayList<>();
        StatementNotes each = new StatementNotes(route, table, notes::add);
        new NotedStatements(subject, route, new ShardedCollection(table, context), each::look).read();
        notes.sort(ORDER);
        return List.copyOf(notes);
    }

    private static boolean isByKey(RoutingTable table) {
        return !table.collection().unsplittable() && table.collection().timeseriesFields() == null;
    }
}
