package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;

/** Routes what goes where it goes by its nature: DDL, statistics, registry-wide commands (targeting semantics §13.2). */
final class IntrinsicRouting {
    private IntrinsicRouting() {}

    /** The namespace a command is about; some administrative commands name it whole, on {@code admin}. */
    static Namespace namespace(CommandView command) {
        boolean named = switch (command.commandName()) {
            case RENAME_COLLECTION, SHARD_COLLECTION, RESHARD_COLLECTION, REFINE_SHARD_KEY, MOVE_PRIMARY -> true;
            case DATA_SIZE -> true;
            default -> false;
        };
        BsonValueView first = command.firstValue();
        return named && first.isString() ? Namespace.parse(first.string()) : command.namespace();
    }

    static Route route(RoutingContext context) {
        CommandName.Kind kind = context.command().commandName().kind();
        if (kind == CommandName.Kind.ALL_SHARDS) {
            return everyShard(context);
        }
        boolean administrative =
                context.namespace().isAdministrative() && context.catalog().table(context.namespace()) == null;
        if (administrative) {
            return Routes.notRouted(context.namespace(), context.catalog(), context.release());
        }
        CollectionPlace place = context.place();
        if (place instanceof CollectionPlace.Unknown) {
            return intrinsic(context, registered(context), ShardSet.none(), Certainty.UPPER_BOUND);
        }
        ShardSet primary =
                ShardSet.of(context.catalog().primary(context.namespace().database()));
        ShardSet shards = switch (kind) {
            case LOWEST_CHUNK -> lowestChunk(place);
            case OWNING_SHARDS -> place.owning();
            default ->
                context.command().commandName() == CommandName.CONVERT_TO_CAPPED && place.isOnOneShard()
                        ? place.owning()
                        : primary;
        };
        boolean unsettled = isUnsettled(context, place);
        return intrinsic(
                context,
                unsettled ? place.owning() : shards,
                place.owning(),
                unsettled ? Certainty.UPPER_BOUND : Certainty.EXACT);
    }

    /**
     * Whether it is not known which of the owning shards are asked: for the lowest key of a hashed one since 7.0 (§21), for
     * a query of the plan cache.
     */
    private static boolean isUnsettled(RoutingContext context, CollectionPlace place) {
        return place instanceof CollectionPlace.Sharded sharded
                && switch (context.command().commandName()) {
                    case LIST_INDEXES ->
                        context.release().atLeast(7, 0)
                                && sharded.table().shardKey().hasHashedField();
                    case PLAN_CACHE_CLEAR, PLAN_CACHE_LIST_FILTERS, PLAN_CACHE_SET_FILTER, PLAN_CACHE_CLEAR_FILTERS ->
                        context.command().get("query") != null;
                    default -> false;
                };
    }

    /** Every registered shard. */
    static Route everyShard(RoutingContext context) {
        boolean exact = context.catalog().complete() && !AggregateRouting.mayReachFewer(context);
        Certainty certainty = exact ? Certainty.EXACT : Certainty.UPPER_BOUND;
        return intrinsic(context, registered(context), registered(context), certainty);
    }

    private static ShardSet registered(RoutingContext context) {
        return context.catalog().registry().registered();
    }

    private static Route intrinsic(RoutingContext context, ShardSet shards, ShardSet owning, Certainty certainty) {
        StatementRoute statement = Labels.plain(Labels.placement(shards, owning), certainty, shards, Reason.INTRINSIC);
        return Routes.single(context, Route.Kind.INTRINSIC, statement, ShardSet.none());
    }

    /** The shard of the key that is MinKey in every field; the MinKey of a hashed field is hashed as well. */
    private static ShardSet lowestChunk(CollectionPlace place) {
        if (place instanceof CollectionPlace.Sharded sharded) {
            RoutingTable table = sharded.table();
            KeyBytes key = new KeyBytes();
            for (ShardKey.Field field : table.shardKey().fields()) {
                DocumentKey.append(field, BsonValueView.MIN_KEY, key);
            }
            return ShardSet.of(table.shardOf(key.toByteArray()));
        } else if (place instanceof CollectionPlace.Buckets buckets) {
            return ShardSet.of(buckets.table().firstChunkShard());
        }
        return place.owning();
    }
}
