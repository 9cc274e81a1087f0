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
        if (!named) {
            return command.namespace();
        }
        BsonValueView first = command.firstValue();
        return first.isString() ? Namespace.parse(first.string()) : command.namespace();
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
            default -> primary;
        };
        return intrinsic(context, shards, place.owning(), Certainty.EXACT);
    }

    /** Every registered shard. */
    static Route everyShard(RoutingContext context) {
        Certainty certainty = context.catalog().complete() ? Certainty.EXACT : Certainty.UPPER_BOUND;
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
            return ShardSet.of(table.shardOf(key));
        } else if (place instanceof CollectionPlace.Buckets buckets) {
            return ShardSet.of(buckets.table().firstChunkShard());
        }
        return place.owning();
    }
}
