package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandView;
import java.util.List;

/** Routes {@code findAndModify} (targeting semantics §11): never broadcast, at most one shard is written. */
final class FindAndModifyRouting {
    private FindAndModifyRouting() {}

    static List<StatementRoute> statement(CommandView command, ShardedCollection collection) {
        Target target = target(command, collection);
        return List.of(collection.read(target));
    }

    private static Target target(CommandView command, ShardedCollection collection) {
        Target plain = collection.plainFullKey(command.get("query"), command.body());
        if (plain != null) {
            return plain;
        }
        try {
            Filter filter = collection.parse(command.get("query"));
            Collation collation = collection.collation(command.body());
            if (collection.release().atLeast(7, 0)) {
                Target target = sinceSeven(filter, collation, collection);
                boolean direct = target.isError() || !target.exact() || target.isOneShard();
                return direct ? target : target.sentTo(target.shards(), Reason.TWO_PHASE_WRITE);
            }
            return beforeSeven(filter, collation, collection);
        } catch (FilterException e) {
            return collection.failed(e);
        }
    }

    /** 9.0 trusts a hash under any collation; of 7.0 to 8.3 it is not settled, where it makes a difference. */
    private static Target sinceSeven(Filter filter, Collation collation, ShardedCollection collection) {
        Target target = collection.target(filter, collation);
        if (collation.simple() || target.isError()) {
            return target;
        }
        Target trusting = collection.targetTrustingHash(filter, collation);
        if (collection.release().atLeast(9, 0) && !collection.explained()) {
            return trusting;
        }
        return trusting.shards().equals(target.shards()) ? target : target.perhaps();
    }

    /** The full key is required; its hash is trusted under any collation, except in {@code explain}. */
    private static Target beforeSeven(Filter filter, Collation collation, ShardedCollection collection) {
        Target target = collection.explained()
                ? collection.target(filter, collation)
                : collection.targetTrustingHash(filter, collation);
        if (target.isError() || target.fullKey() || !target.exact()) {
            return target;
        }
        boolean oneShard = target.isOneShard() || collection.isMost(target);
        if (oneShard && OneShardWrites.mayBeAccepted(collection.release())) {
            return target.perhaps();
        }
        return Target.ofError(PredictedError.SHARD_KEY_NOT_FOUND);
    }
}
