package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandView;
import java.util.List;

/** Routes {@code find}, {@code count} and {@code distinct} (targeting semantics §8). */
final class ReadRouting {
    private ReadRouting() {}

    static List<StatementRoute> find(CommandView command, ShardedCollection collection) {
        return List.of(collection.read(collection.target(command.get("filter"), collection.collation(command.body()))));
    }

    /** {@code count} and {@code distinct} call their filter {@code query}. */
    static List<StatementRoute> query(CommandView command, ShardedCollection collection) {
        return List.of(collection.read(collection.target(command.get("query"), collection.collation(command.body()))));
    }
}
