package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.RouteMatchConfig;
import io.scatterguard.proxy.config.RouteMatchConfig.NoteChoice;
import io.scatterguard.proxy.config.RouteMatchConfig.PlacementChoice;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Route;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a rule asks of where a command goes, and of what is odd about it. */
final class RouteMatch {
    private final EnumSet<Placement> placements;
    private final int minShards;
    private final Set<Note.Name> notes;

    RouteMatch(RouteMatchConfig config) {
        this.placements = EnumSet.noneOf(Placement.class);
        config.placements().forEach(choice -> placements.add(placementOf(choice)));
        this.minShards = config.minShards();
        this.notes = EnumSet.noneOf(Note.Name.class);
        for (NoteChoice choice : config.notes()) {
            notes.add(Note.Name.valueOf(choice.name()));
        }
    }

    private static Placement placementOf(PlacementChoice choice) {
        return switch (choice) {
            case UNSHARDED -> Placement.UNSHARDED;
            case ONE_SHARD -> Placement.ONE_SHARD;
            case MANY_SHARDS -> Placement.MANY_SHARDS;
            case ALL_SHARDS -> Placement.ALL_SHARDS;
        };
    }

    boolean looksAtNotes() {
        return !notes.isEmpty();
    }

    /**
     * Whether the whole command goes where is asked for. Where it is not known, or only the most of it, nothing that asks
     * is answered.
     */
    boolean matchesPlacement(Route route) {
        if (placements.isEmpty() && minShards == 0) {
            return true;
        }
        return route.isPlaced()
                && !route.isMostPlacement()
                && (placements.isEmpty() || placements.contains(route.placement()))
                && (minShards == 0 || contacted(route) >= minShards);
    }

    private static int contacted(Route route) {
        return route.contacted().isEmpty()
                ? route.shards().size()
                : route.shards().union(route.contacted()).size();
    }

    /** Whether one of the notes asked for is on statement {@code index}. */
    boolean matchesNotes(int index, @Nullable CloserLook look) {
        return notes.isEmpty() || (look != null && !Collections.disjoint(notes, look.notes(index)));
    }
}
