package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;

/**
 * What is the same for all statements of one command.
 *
 * @param command the command; borrowed
 * @param explained whether it stands in an {@code explain}, which never broadcasts a write
 */
record RoutingContext(
        CommandView command, Namespace namespace, CatalogSnapshot catalog, RouterRelease release, boolean explained) {

    /** Whether a write goes to exactly the shards it targets, never to every registered one (§10.4). */
    boolean neverBroadcasts() {
        return explained || command.inTransaction();
    }

    CollectionPlace place() {
        return CollectionPlace.of(namespace, catalog);
    }
}
