package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.routing.WouldFail.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what a cluster would refuse and a server that is not sharded executes: what the router's targeting raises, which
 * the route says already, and what a shard raises, which no route shows. What every server refuses by itself is left to it,
 * and so are time-series collections and views.
 */
final class ClusterErrors {
    private final CommandView command;
    private final Route route;
    private final CatalogSnapshot catalog;
    private final boolean unnumbered;
    private final IntervalBudget budget = new IntervalBudget();
    private @Nullable WouldFail possible;

    /** @param numbered whether clients number the writes that they would repeat */
    ClusterErrors(CommandView command, Route route, CatalogSnapshot catalog, boolean numbered) {
        this.command = command;
        this.route = route;
        this.catalog = catalog;
        this.unnumbered = numbered && command.get("txnNumber") == null;
    }

    /** The first that is certain, otherwise the first that is possible; null if there is none. */
    @Nullable WouldFail first() {
        WouldFail certain = switch (command.commandName()) {
            case FIND, COUNT, DISTINCT, AGGREGATE, MAP_REDUCE, FILE_MD5 -> routed(Cause.TOO_MANY_RANGES);
            case INSERT -> routed(Cause.DOCUMENT_WITHOUT_KEY);
            case DELETE -> routed(Cause.DELETE_ONE_WITHOUT_KEY);
            case UPDATE -> updates();
            case FIND_AND_MODIFY -> findAndModify();
            case BULK_WRITE -> bulkWrite();
            case CREATE_INDEXES -> {
                RoutingTable table = sharded(route.namespace());
                yield table == null ? null : UniqueIndexes.created(command, table.shardKey(), route.release());
            }
            case COLL_MOD -> {
                RoutingTable table = sharded(route.namespace());
                yield table == null ? null : UniqueIndexes.modified(command, table.shardKey(), route.release());
            }
            default -> null;
        };
        return certain != null ? certain : possible;
    }

    /** The table of a collection whose key decides; null for any other. */
    private @Nullable RoutingTable sharded(Namespace namespace) {
        return CollectionPlace.of(namespace, catalog) instanceof CollectionPlace.Sharded sharded
                ? sharded.table()
                : null;
    }

    private @Nullable WouldFail routed(Cause cause) {
        if (sharded(route.namespace()) == null) {
            return null;
        }
        for (int i = 0; i < route.statements().size(); i++) {
            WouldFail error = routed(i, cause);
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    /**
     * The router's own error for statement {@code index}, as far as no other server gives one.
     *
     * @param cause that of a missing shard key
     */
    private @Nullable WouldFail routed(int index, Cause cause) {
        PredictedError error = route.statements().get(index).error();
        if (error == null) {
            return null;
        }
        return switch (error) {
            case TOO_MANY_RANGES -> new WouldFail(error, Cause.TOO_MANY_RANGES, index, true);
            case SHARD_KEY_NOT_FOUND, INVALID_OPTIONS -> new WouldFail(error, cause, index, true);
            default -> null;
        };
    }

    private @Nullable WouldFail updates() {
        RoutingTable table = sharded(route.namespace());
        if (table == null || Batch.isTooLarge(command, "updates")) {
            return null;
        }
        List<BsonView> updates = command.statements("updates");
        ShardedCollection collection = collection(table, route.namespace());
        for (int i = 0; i < Math.min(updates.size(), route.statements().size()); i++) {
            WouldFail error = update(i, UpdateStatement.of(updates.get(i)), updates.get(i), collection);
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    private @Nullable WouldFail findAndModify() {
        RoutingTable table = sharded(route.namespace());
        if (table == null) {
            return null;
        }
        WouldFail error = routed(0, Cause.FIND_AND_MODIFY_WITHOUT_KEY);
        UpdateStatement update = new UpdateStatement(command.get("query"), command.get("update"), false, false);
        return error != null ? error : changedKey(0, update, command.body(), collection(table, route.namespace()));
    }

    private @Nullable WouldFail update(
            int index, UpdateStatement update, BsonView options, ShardedCollection collection) {
        if (update.multi() && update.replacement() != null) {
            return null; // refused by every server
        }
        Cause cause = update.upsert()
                ? Cause.UPSERT_WITHOUT_KEY
                : update.replacement() == null ? Cause.UPDATE_ONE_WITHOUT_KEY : Cause.DOCUMENT_WITHOUT_KEY;
        WouldFail error = routed(index, cause);
        return error != null ? error : changedKey(index, update, options, collection);
    }

    /** The certain error of a changed shard key; a possible one is kept if it is the first. */
    private @Nullable WouldFail changedKey(
            int index, UpdateStatement update, BsonView options, ShardedCollection collection) {
        Reason reason = route.statements().get(index).reason();
        boolean understood = switch (reason) {
            case NOT_UNDERSTOOD, AMBIGUOUS, CATALOG_UNKNOWN, PREDICTED_ERROR -> false;
            default -> true;
        };
        WouldFail error = understood ? new KeyChange(update, options, collection, unnumbered).error(index) : null;
        if (error != null && !error.certain() && possible == null) {
            possible = error;
        }
        return error != null && error.certain() ? error : null;
    }

    private @Nullable WouldFail bulkWrite() {
        if (Batch.isTooLarge(command, "nsInfo") || Batch.isTooLarge(command, "ops")) {
            return null;
        }
        List<BsonView> namespaces = command.statements("nsInfo");
        List<BsonView> ops = command.statements("ops");
        for (int i = 0; i < Math.min(ops.size(), route.statements().size()); i++) {
            RoutingTable table = tableOf(ops.get(i), namespaces);
            WouldFail error = table == null ? null : op(i, ops.get(i), table);
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    private @Nullable RoutingTable tableOf(BsonView op, List<BsonView> namespaces) {
        BsonCursor cursor = op.cursor();
        long place = cursor.next() && cursor.value().isNumber() ? cursor.value().numberAsLong() : -1;
        BsonValueView ns = place >= 0 && place < namespaces.size()
                ? namespaces.get((int) place).get("ns")
                : null;
        return ns != null && ns.isString() ? sharded(Namespace.parse(ns.string())) : null;
    }

    private @Nullable WouldFail op(int index, BsonView op, RoutingTable table) {
        BsonCursor cursor = op.cursor();
        cursor.next();
        if (cursor.nameEquals("update")) {
            UpdateStatement update = new UpdateStatement(
                    op.get("filter"),
                    op.get("updateMods"),
                    UpdateStatement.isSet(op, "multi"),
                    UpdateStatement.isSet(op, "upsert"));
            return update(
                    index, update, op, collection(table, table.collection().namespace()));
        }
        return routed(index, cursor.nameEquals("delete") ? Cause.DELETE_ONE_WITHOUT_KEY : Cause.DOCUMENT_WITHOUT_KEY);
    }

    private ShardedCollection collection(RoutingTable table, Namespace namespace) {
        return new ShardedCollection(
                table, new RoutingContext(command, namespace, catalog, route.release(), false, budget));
    }
}
