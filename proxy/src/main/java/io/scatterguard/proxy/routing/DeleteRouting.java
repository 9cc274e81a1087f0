package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes {@code delete}, statement by statement (targeting semantics §10.3, §10.6). */
final class DeleteRouting {
    private DeleteRouting() {}

    static List<StatementRoute> statements(CommandView command, ShardedCollection collection) {
        return Batch.routes(command, "deletes", s -> statement(s, collection), collection::upperBoundWrite);
    }

    static StatementRoute statement(BsonView statement, ShardedCollection collection) {
        return DuplicateFields.inStatement(statement)
                ? collection.ambiguousWrite()
                : statement(statement.get("q"), UpdateStatement.isSet(statement, "limit"), statement, collection);
    }

    /**
     * @param one whether at most one document is deleted
     * @param statement where its other options stand
     */
    static StatementRoute statement(
            @Nullable BsonValueView q, boolean one, BsonView statement, ShardedCollection collection) {
        Target plain = collection.plainFullKey(q, statement);
        if (plain != null) {
            return collection.read(plain);
        }
        try {
            Filter filter = collection.parse(q);
            Collation collation = collection.collation(statement);
            Target target = collection.target(filter, collation);
            if (target.isError() || !one) {
                return collection.writeMulti(target);
            }
            if (target.fullKey()) {
                return collection.write(target);
            }
            return collection.release().atLeast(7, 0)
                    ? oneSinceSeven(target, filter, collation, collection)
                    : oneBeforeSeven(target, filter, collation, collection);
        } catch (FilterException e) {
            return collection.write(collection.failed(e));
        }
    }

    /** One shard is not enough without the full key, except in later patches of 5.0 and 6.0, which cannot be told apart. */
    private static StatementRoute oneBeforeSeven(
            Target target, Filter filter, Collation collation, ShardedCollection collection) {
        if (!target.exact()) {
            return collection.write(target);
        }
        return ShardedCollection.isExactId(filter, collation)
                ? collection.write(target.sentTo(target.shards(), Reason.EXACT_ID_BROADCAST))
                : collection.read(OneShardWrites.withoutKey(target, collection));
    }

    private static StatementRoute oneSinceSeven(
            Target target, Filter filter, Collation collation, ShardedCollection collection) {
        if (!target.exact() || target.isOneShard()) {
            return collection.write(target);
        }
        if (ShardedCollection.isExactId(filter, collation)) {
            return collection.write(target.sentTo(target.shards(), Reason.EXACT_ID_BROADCAST));
        }
        return UpdateRouting.twoPhase(target, collection);
    }
}
