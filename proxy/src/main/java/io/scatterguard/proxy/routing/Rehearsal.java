package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A router in front of a server that is no router: it also says what a router and its shards would refuse.
 *
 * @param router predicts where commands would go
 * @param numbered whether clients give the writes that they would repeat a {@code txnNumber}, as they do to a router; to a
 *     standalone they do not, so that its absence says nothing
 */
public record Rehearsal(Router router, boolean numbered) implements Router {
    @Override
    public Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        return router.route(command, catalog, release);
    }

    @Override
    public @Nullable WouldFail wouldFail(CommandView command, Route route, CatalogSnapshot catalog) {
        return new ClusterErrors(command, route, catalog, numbered).first();
    }
}
