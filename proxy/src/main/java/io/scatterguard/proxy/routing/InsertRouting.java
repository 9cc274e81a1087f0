package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.ArrayList;
import java.util.List;

/** Routes {@code insert}: every document goes to the shard of its own key (targeting semantics §10.2). */
final class InsertRouting {
    private InsertRouting() {}

    static List<StatementRoute> statements(CommandView command, ShardedCollection collection) {
        List<BsonView> documents = command.statements("documents");
        List<StatementRoute> routes = new ArrayList<>(documents.size());
        for (BsonView document : documents) {
            routes.add(collection.read(target(document, collection)));
        }
        return routes;
    }

    /** The router gives a document without {@code _id} one of its own making, which cannot be foreseen. */
    private static Target target(BsonView document, ShardedCollection collection) {
        if (collection.key().indexOf("_id") >= 0 && document.get("_id") == null) {
            Target bound = Target.upperBound(collection.owning());
            return new Target(bound.shards(), Shape.SINGLE_SHARD, false, false, 0, 0, Reason.NOT_UNDERSTOOD, null);
        }
        return collection.stored(document, null);
    }
}
