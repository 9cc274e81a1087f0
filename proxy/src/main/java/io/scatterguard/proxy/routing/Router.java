package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import org.jspecify.annotations.Nullable;

/** Predicts where a router of a given release sends a command. A pure function: no state, no clock, no I/O. */
@FunctionalInterface
public interface Router {
    /**
     * The route of {@code command}, which is borrowed; the route keeps nothing of it. An {@code explain} gets the route
     * of the command inside it.
     */
    Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release);

    /**
     * What a sharded cluster would refuse about {@code command}, which is borrowed, although the server behind executes it;
     * null if nothing, and where that server is a router and says so itself.
     *
     * @param route what {@link #route} made of it by the same {@code catalog}
     */
    default @Nullable WouldFail wouldFail(CommandView command, Route route, CatalogSnapshot catalog) {
        return null;
    }
}
