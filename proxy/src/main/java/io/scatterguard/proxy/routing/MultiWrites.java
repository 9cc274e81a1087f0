package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.catalog.ShardSet;

/** Where writes of many documents go under the cluster parameters (targeting semantics, addendum §A.3). */
final class MultiWrites {
    private MultiWrites() {}

    /**
     * Whether they are handed to the database's primary, which sends them on while migrations are paused. In a transaction
     * they never are.
     */
    static boolean areCoordinated(RoutingContext context) {
        return context.release().atLeast(8, 0)
                && context.catalog().clusterParameters().pauseMigrationsDuringMultiUpdates()
                && !context.explained()
                && !context.command().inTransaction();
    }

    /** Whether they go to exactly the shards they concern; not while they are handed to the primary. */
    static boolean areNeverBroadcast(RoutingContext context) {
        return context.release().atLeast(8, 2)
                && context.catalog().clusterParameters().onlyTargetDataOwningShardsForMultiWrites()
                && !areCoordinated(context);
    }

    static ShardSet primary(RoutingContext context) {
        return ShardSet.of(context.catalog().primary(context.namespace().database()));
    }

    /** Where an update or a delete on a collection that lives on the shard {@code owner} goes. */
    static ShardSet onOneShard(RoutingContext context, ShardSet owner) {
        CommandName name = context.command().commandName();
        if (!areCoordinated(context) || owner.equals(primary(context))) {
            return owner;
        }
        ShardSet shards = owner;
        boolean update = name == CommandName.UPDATE;
        if (update || name == CommandName.DELETE) {
            shards = ShardSet.none();
            for (BsonView statement : context.command().statements(update ? "updates" : "deletes")) {
                boolean multi =
                        update ? UpdateStatement.isSet(statement, "multi") : !UpdateStatement.isSet(statement, "limit");
                shards = shards.union(multi ? primary(context) : owner);
            }
        }
        return shards;
    }
}
