package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import java.util.List;
import org.bson.BsonDocument;

/** Routes {@code find}, {@code count}, {@code distinct} and {@code filemd5} (targeting semantics §8). */
final class ReadRouting {
    private ReadRouting() {}

    static List<StatementRoute> find(CommandView command, ShardedCollection collection) {
        return List.of(collection.read(collection.target(command.get("filter"), collection.collation(command.body()))));
    }

    /** {@code count} and {@code distinct} call their filter {@code query}. */
    static List<StatementRoute> query(CommandView command, ShardedCollection collection) {
        return List.of(collection.read(collection.target(command.get("query"), collection.collation(command.body()))));
    }

    /** {@code filemd5} reads a file's chunks by the id that is its first value, whatever the collection's collation. */
    static List<StatementRoute> fileMd5(CommandView command, ShardedCollection collection) {
        BsonView filter = BsonView.encode(
                new BsonDocument("files_id", command.firstValue().toBsonValue()));
        return List.of(collection.read(collection.target(filter, Collation.SIMPLE)));
    }
}
