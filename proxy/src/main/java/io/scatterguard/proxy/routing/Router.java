package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;

/** Predicts where a router of a given release sends a command. A pure function: no state, no clock, no I/O. */
@FunctionalInterface
public interface Router {
    /**
     * The route of {@code command}, which is borrowed; the route keeps nothing of it. An {@code explain} gets the route
     * of the command inside it.
     */
    Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release);
}
