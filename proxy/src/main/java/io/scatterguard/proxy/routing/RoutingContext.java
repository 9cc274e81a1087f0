package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for all statements of one command.
 *
 * @param command the command; borrowed
 * @param explained whether it stands in an {@code explain}, which never broadcasts a write
 * @param budget shared by all its statements
 * @param trace is told of every look at the shard key
 */
record RoutingContext(
        CommandView command,
        Namespace namespace,
        CatalogSnapshot catalog,
        RouterRelease release,
        boolean explained,
        IntervalBudget budget,
        RoutingTrace trace) {

    /** A context that nobody traces. */
    RoutingContext(
            CommandView command,
            Namespace namespace,
            CatalogSnapshot catalog,
            RouterRelease release,
            boolean explained,
            IntervalBudget budget) {
        this(command, namespace, catalog, release, explained, budget, RoutingTrace.NONE);
    }

    /** Whether a write goes to exactly the shards it targets, never to every registered one (§10.4). */
    boolean neverBroadcasts() {
        return explained || command.inTransaction();
    }

    /**
     * The cluster time at which the command reads, seconds in the high 32 bits; null if it gives none. A later statement
     * of a transaction reads at the time of the first one without giving it, and is taken for one of the present.
     */
    @Nullable Long atClusterTime() {
        return atClusterTime(command);
    }

    static @Nullable Long atClusterTime(CommandView command) {
        BsonValueView concern = command.get("readConcern");
        if (concern == null || !concern.isDocument()) {
            return null;
        }
        BsonValueView time = concern.document().get("atClusterTime");
        return time != null && time.type() == BsonType.TIMESTAMP ? time.int64() : null;
    }

    /** The same command on another collection. */
    RoutingContext on(Namespace other) {
        return new RoutingContext(command, other, catalog, release, explained, budget, trace);
    }

    CollectionPlace place() {
        return CollectionPlace.of(namespace, catalog);
    }
}
