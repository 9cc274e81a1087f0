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

    /** The server's {@code transactionLifetimeLimitSeconds} where it is not set. */
    static final long TRANSACTION_LIFETIME_SECONDS = 60;

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
     * of a transaction reads at the time of the first one without giving it: see {@link #earliestOfTransaction}.
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

    /** As {@link #earliestOfTransaction(CommandView, CatalogSnapshot)} of this command. */
    @Nullable Long earliestOfTransaction() {
        return earliestOfTransaction(command, catalog);
    }

    /**
     * The earliest cluster time, seconds in the high 32 bits, at which a later statement of a transaction may read: where the
     * first one asked for a snapshot, all read at its time, which is at most {@link #TRANSACTION_LIFETIME_SECONDS} ago. Null
     * for any other command, and for one that gives the time. The clocks of the cluster and of this machine are taken to be
     * the same.
     */
    static @Nullable Long earliestOfTransaction(CommandView command, CatalogSnapshot catalog) {
        if (!command.inTransaction() || atClusterTime(command) != null) {
            return null;
        }
        BsonValueView starts = command.get("startTransaction");
        if (starts != null && starts.isTruthy()) {
            return null;
        }
        long seconds = catalog.loadedAt().getEpochSecond() - TRANSACTION_LIFETIME_SECONDS;
        return Math.max(0, seconds) << 32;
    }

    /** The same command on another collection. */
    RoutingContext on(Namespace other) {
        return new RoutingContext(command, other, catalog, release, explained, budget, trace);
    }

    CollectionPlace place() {
        return CollectionPlace.of(namespace, catalog);
    }
}
