package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.List;

/** Routes {@code insert}: every document goes to the shard of its own key (targeting semantics §10.2). */
final class InsertRouting {
    private InsertRouting() {}

    static List<StatementRoute> statements(CommandView command, ShardedCollection collection) {
        return Batch.routes(
                command, "documents", d -> statement(d, collection), () -> collection.read(somewhere(collection)));
    }

    static StatementRoute statement(BsonView document, ShardedCollection collection) {
        return collection.read(target(document, collection));
    }

    /** One shard, but not known which. */
    static Target somewhere(ShardedCollection collection) {
        return Target.upperBound(collection.owning()).shapedAs(Shape.SINGLE_SHARD);
    }

    /** The router gives a document without {@code _id} one of its own making, which cannot be foreseen. */
    private static Target target(BsonView document, ShardedCollection collection) {
        if (collection.key().indexOf("_id") >= 0 && document.get("_id") == null) {
            return somewhere(collection);
        }
        // A missing field counts as null since 4.4 only.
        boolean refused = !collection.release().atLeast(4, 4) && DocumentKey.isIncomplete(document, collection.key());
        return refused ? Target.ofError(PredictedError.SHARD_KEY_NOT_FOUND) : collection.stored(document, null);
    }
}
