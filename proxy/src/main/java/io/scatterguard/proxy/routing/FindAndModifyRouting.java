package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.CommandView;
import java.util.List;
import org.bson.BsonType;

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
        boolean same = trusting.fullKey() == target.fullKey() || isSamePoint(target, filter, collection);
        return same ? target : target.perhaps();
    }

    /** Whether the bounds of a filter that pins the full key are just this key, wherever the chunks are: null has two points. */
    private static boolean isSamePoint(Target byBounds, Filter filter, ShardedCollection collection) {
        List<BsonValueView> values = Equalities.of(filter, collection.key());
        return values != null
                && byBounds.reason() == Reason.KEY_BOUNDS
                && Long.bitCount(byBounds.pointFields()) == values.size()
                && values.stream().noneMatch(value -> value.type() == BsonType.NULL);
    }

    /** The full key is required; its hash is trusted under any collation, except in {@code explain}. */
    private static Target beforeSeven(Filter filter, Collation collation, ShardedCollection collection) {
        Target target = collection.explained()
                ? collection.target(filter, collation)
                : collection.targetTrustingHash(filter, collation);
        if (target.isError() || target.fullKey() || !target.exact()) {
            return target;
        }
        return OneShardWrites.withoutKey(target, collection);
    }
}
