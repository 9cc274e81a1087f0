package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * The route of a read by plain equalities on the shard key, which is what most commands are: as {@link ReadRouting} would give
 * it, with next to nothing made on the way.
 */
final class PlainRead {
    private PlainRead() {}

    /** The route, or null for any other command. */
    static @Nullable Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        String field = filterField(command.commandName());
        if (field == null || command.get("collation") != null || DuplicateFields.inCommand(command)) {
            return null;
        }
        if (RoutingContext.atClusterTime(command) != null) {
            return null;
        }
        Namespace namespace = command.namespace();
        BsonCursor cursor = command.cursorAt(field);
        if (cursor == null
                || cursor.type() != BsonType.DOCUMENT
                || namespace.collection().isEmpty()
                || !(CollectionPlace.of(namespace, catalog) instanceof CollectionPlace.Sharded sharded)) {
            return null;
        }
        RoutingTable table = sharded.table();
        Long earliest = RoutingContext.earliestOfTransaction(command, catalog);
        if (earliest != null && !table.isUnchangedSince(earliest)) {
            return null;
        }
        BsonCursor filter = cursor.enter();
        PlainEqualities equalities = new PlainEqualities(table.shardKey());
        Collation collation = Collation.of(null, table.collection().defaultCollation());
        if (!equalities.read(filter) || equalities.isRefusedBy(collation)) {
            return null;
        }
        StatementRoute statement = statement(equalities, equalities.shards(filter, table), table.owningShards());
        return new Route(
                Route.Kind.ROUTED,
                namespace,
                statement,
                List.of(statement),
                statement.shards(),
                ShardSet.none(),
                statement.placement(),
                table,
                catalog.registry(),
                release);
    }

    private static StatementRoute statement(PlainEqualities equalities, ShardSet shards, ShardSet owning) {
        return new StatementRoute(
                Labels.placement(shards, owning),
                equalities.shape(),
                Certainty.EXACT,
                shards,
                equalities.pinned(),
                0,
                equalities.reason(),
                null);
    }

    private static @Nullable String filterField(CommandName name) {
        return switch (name) {
            case FIND -> "filter";
            case COUNT, DISTINCT -> "query";
            default -> null;
        };
    }
}
