package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.ChunkVersion;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.StatementSubject;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a record keeps of a {@link Route}. It has a bounded size: not the routing table, which a waiting record would keep
 * alive long after the catalog replaced it, and not all statements of a huge batch.
 *
 * @param worst the statement that gives the command its labels
 * @param placement of the whole command
 * @param certainty of the whole command
 * @param intrinsic whether it reaches everything by its nature
 * @param targets the shards
 * @param basis what the prediction rests on
 * @param why one sentence for people
 * @param fix what to do about it; of findings only
 * @param notes the names of the notes on the command, each once
 * @param wouldFail what a sharded cluster would refuse about the command; null if nothing
 * @param statements the batch
 */
public record RecordedRoute(
        StatementRoute worst,
        Placement placement,
        Certainty certainty,
        boolean intrinsic,
        Targets targets,
        Basis basis,
        String why,
        RecordedFix fix,
        List<String> notes,
        @Nullable WouldFail wouldFail,
        Statements statements) {
    /** How many statements, and how many shards, a record lists. */
    static final int MAX_LISTED = 100;

    /**
     * The predicted shards.
     *
     * @param contacted shards contacted besides
     */
    public record Targets(ShardSet shards, ShardSet contacted, ShardRegistry registry) {
        /** How many shards there are: the registered ones, and these. */
        int total() {
            return registry.registered().union(shards).union(contacted).size();
        }
    }

    /**
     * What a prediction rests on.
     *
     * @param viewOn the collection that a view reads; null if the command does not name a view
     * @param shardKey null unless a shard key decided
     * @param tableVersion null if the collection is not tracked, if its key is declared, or if only its key is known
     * @param declared whether a sharding rule declares the collection's key, and not a cluster
     * @param boundsKnown whether it is known where the collection's chunks begin and end
     * @param placed whether it is known where the command goes, see {@link Route#isPlaced}
     */
    public record Basis(
            @Nullable Namespace viewOn,
            @Nullable ShardKey shardKey,
            @Nullable ChunkVersion tableVersion,
            RouterRelease release,
            boolean declared,
            boolean boundsKnown,
            boolean placed) {}

    /**
     * The statements of a batch.
     *
     * @param count how many there are
     * @param listed the first {@link #MAX_LISTED}; where the worst is further back it takes the last place
     */
    public record Statements(int count, List<Listed> listed) {}

    /** One statement and its position in the batch. */
    public record Listed(int index, StatementRoute route) {}

    /** What is to be kept of {@code route}, of no finding; null for a command that is not routed. */
    static @Nullable RecordedRoute of(Route route, String why, List<Note> notes, @Nullable WouldFail wouldFail) {
        return of(route, why, RecordedFix.NONE, notes, wouldFail);
    }

    /** What is to be kept of {@code route}; null for a command that is not routed. */
    static @Nullable RecordedRoute of(
            Route route, String why, RecordedFix fix, List<Note> notes, @Nullable WouldFail wouldFail) {
        if (route.kind() == Route.Kind.NOT_ROUTED) {
            return null;
        }
        return new RecordedRoute(
                kept(route.worst()),
                route.placement(),
                route.certainty(),
                route.isIntrinsic(),
                new Targets(route.shards(), route.contacted(), route.registry()),
                basis(route),
                why,
                fix,
                notes.stream().map(note -> note.name().text()).distinct().toList(),
                wouldFail,
                statements(route));
    }

    /** Of what a statement is about the name, cut like that of the command. */
    private static StatementRoute kept(StatementRoute statement) {
        StatementSubject subject = statement.subject();
        return subject == null
                ? statement
                : statement.about(new StatementSubject(Subjects.cut(subject.namespace()), null));
    }

    private static Basis basis(Route route) {
        RoutingTable table = route.table();
        if (table == null) {
            return new Basis(null, null, null, route.release(), false, true, true);
        }
        boolean decided = !route.isIntrinsic() && !table.collection().unsplittable();
        boolean declared = table.collection().declared();
        return new Basis(
                route.viewOn(),
                decided ? table.shardKey() : null,
                declared || !table.isPlaced() ? null : table.version(),
                route.release(),
                declared,
                table.boundsKnown(),
                table.isPlaced());
    }

    private static Statements statements(Route route) {
        int count = route.statements().size();
        List<Listed> listed = new ArrayList<>(Math.min(count, MAX_LISTED));
        for (int i = 0; i < Math.min(count, MAX_LISTED); i++) {
            int index = i == MAX_LISTED - 1 ? Math.max(i, route.worstIndex()) : i;
            listed.add(new Listed(index, kept(route.statements().get(index))));
        }
        return new Statements(count, List.copyOf(listed));
    }
}
