package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.List;

/** Routes {@code update}, statement by statement (targeting semantics §10.3, §10.6). */
final class UpdateRouting {
    private UpdateRouting() {}

    static List<StatementRoute> statements(CommandView command, ShardedCollection collection) {
        return Batch.routes(command, "updates", s -> statement(s, collection), collection::upperBoundWrite);
    }

    static StatementRoute statement(BsonView document, ShardedCollection collection) {
        return DuplicateFields.inStatement(document)
                ? collection.ambiguousWrite()
                : statement(UpdateStatement.of(document), document, collection);
    }

    /** @param document where its other options stand */
    static StatementRoute statement(UpdateStatement update, BsonView document, ShardedCollection collection) {
        if (update.isMixed()) {
            return collection.read(Target.ofError(PredictedError.UNSUPPORTED_FORMAT));
        }
        if (update.multi() && update.replacement() != null) {
            return collection.read(Target.ofError(PredictedError.INVALID_OPTIONS));
        }
        Target plain = collection.plainFullKey(update.filter(), document);
        if (plain != null) {
            return collection.read(plain);
        }
        try {
            Filter filter = collection.parse(update.filter());
            Collation collation = collection.collation(document);
            return collection.release().atLeast(7, 0)
                    ? sinceSeven(update, filter, collation, collection)
                    : beforeSeven(update, filter, collation, collection);
        } catch (FilterException e) {
            return collection.write(collection.failed(e));
        }
    }

    private static StatementRoute beforeSeven(
            UpdateStatement update, Filter filter, Collation collation, ShardedCollection collection) {
        Target target = collection.target(filter, collation);
        if (target.isError()) {
            return collection.read(target);
        }
        if (update.upsert()) {
            return target.fullKey() ? collection.read(target) : upsertWithoutKey(target, collection);
        }
        BsonView replacement = update.replacement();
        if (replacement != null && !target.fullKey()) {
            return ofReplacement(target, replacement, filter, collection);
        }
        if (target.isOneShard()) {
            return collection.read(target);
        }
        if (update.multi() || !target.exact()) {
            return collection.write(target);
        }
        if (ShardedCollection.isExactId(filter, collation)) {
            return collection.write(byId(target));
        }
        return collection.read(
                collection.mayBeOneShard(target) ? target : target.refusedOnSeveral(PredictedError.INVALID_OPTIONS));
    }

    private static Target byId(Target target) {
        return target.sentTo(target.shards(), Reason.EXACT_ID_BROADCAST);
    }

    /**
     * The filter decides if it leaves one shard, otherwise the replacement's own key: one shard in any case, which
     * {@code analyzeShardKey} counts it as.
     */
    private static StatementRoute ofReplacement(
            Target target, BsonView replacement, Filter filter, ShardedCollection collection) {
        if (!target.exact()) {
            return collection.write(target);
        }
        BsonValueView id = ShardedCollection.exactId(filter);
        if (target.isOneShard()) {
            return collection.read(collection.asIfStored(target, replacement, id));
        }
        Target stored = collection.stored(replacement, id);
        PredictedError error = stored.error();
        if (error == null) {
            return collection.read(stored);
        }
        return collection.read(collection.mayBeOneShard(target) ? target : target.refusedOnSeveral(error));
    }

    private static StatementRoute sinceSeven(
            UpdateStatement update, Filter filter, Collation collation, ShardedCollection collection) {
        Target target = collection.target(filter, collation);
        if (target.isError() || (target.fullKey() && !update.multi())) {
            return collection.read(target);
        }
        if (update.multi()) {
            return update.upsert() && !target.fullKey()
                    ? upsertWithoutKey(target, collection)
                    : collection.writeMulti(target);
        }
        if (!target.exact()) {
            return collection.write(target);
        }
        boolean exactId = !update.upsert() && ShardedCollection.isExactId(filter, collation);
        BsonView replacement = update.replacement();
        if (exactId && replacement != null && !collection.release().atLeast(9, 0)) {
            return replacementById(target, replacement, filter, collection);
        }
        if (target.isOneShard()) {
            return collection.write(target);
        }
        return exactId ? collection.write(byId(target)) : twoPhase(target, collection);
    }

    /** The replacement's key decides until 8.0, and no more since 9.0; in between it is not settled. */
    private static StatementRoute replacementById(
            Target target, BsonView replacement, Filter filter, ShardedCollection collection) {
        if (!collection.release().atLeast(8, 1)) {
            return ofReplacement(target, replacement, filter, collection);
        }
        return target.isOneShard()
                ? collection.read(target.perhaps())
                : collection.write(target.sentTo(collection.owning(), Reason.NOT_UNDERSTOOD)
                        .perhaps());
    }

    /** An error, unless the router may see a full key after all; of 7.0 it is not settled. */
    private static StatementRoute upsertWithoutKey(Target target, ShardedCollection collection) {
        if (collection.coordinatesMultiWrites()) {
            return collection.writeMulti(target.perhaps());
        }
        boolean unsettled = collection.release().equals(new RouterRelease(7, 0));
        return target.exact() && !unsettled
                ? collection.read(Target.ofError(PredictedError.SHARD_KEY_NOT_FOUND))
                : collection.upperBoundWrite();
    }

    /** The read phase of the two-phase protocol contacts exactly the target (§10.6). */
    static StatementRoute twoPhase(Target target, ShardedCollection collection) {
        return collection.read(target.sentTo(target.shards(), Reason.TWO_PHASE_WRITE));
    }
}
