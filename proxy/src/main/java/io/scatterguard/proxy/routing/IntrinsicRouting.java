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

    /**
     * The namespace a command is about; some administrative commands name it whole, on {@code admin}, and {@code filemd5}
     * by the prefix of a GridFS bucket.
     */
    static Namespace namespace(CommandView command) {
        if (command.commandName() == CommandName.FILE_MD5) {
            BsonValueView root = command.get("root");
            String bucket = root != null && root.isString() ? root.string() : "fs";
            return new Namespace(command.namespace().database(), bucket + ".chunks");
        }
        boolean named = switch (command.commandName()) {
            case RENAME_COLLECTION, SHARD_COLLECTION, RESHARD_COLLECTION, REFINE_SHARD_KEY, MOVE_PRIMARY -> true;
            case DATA_SIZE, ANALYZE_SHARD_KEY -> true;
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
        return switch (kind) {
            case LOWEST_CHUNK -> lowestChunk(context, place);
            case OWNING_SHARDS -> owningShards(context, place);
            default -> intrinsic(context, coordinator(context, place), place.owning(), Certainty.EXACT);
        };
    }

    /** Database primary, but for {@code convertToCapped}: where the collection, which is not sharded, lives. */
    private static ShardSet coordinator(RoutingContext context, CollectionPlace place) {
        boolean where = context.command().commandName() == CommandName.CONVERT_TO_CAPPED && place.isOnOneShard();
        return where
                ? place.owning()
                : ShardSet.of(context.catalog().primary(context.namespace().database()));
    }

    /** Of a hashed key it is not settled since 7.0 which chunk is asked for (§21). */
    private static Route lowestChunk(RoutingContext context, CollectionPlace place) {
        boolean unsettled = context.release().atLeast(7, 0)
                && place instanceof CollectionPlace.Sharded sharded
                && sharded.table().shardKey().hasHashedField();
        return unsettled
                ? intrinsic(context, place.owning(), place.owning(), Certainty.UPPER_BOUND)
                : intrinsic(context, lowestChunk(place), place.owning(), Certainty.EXACT);
    }

    /** All of them, but for {@code analyzeShardKey}, which asks a random one, and for plan caches of one query (§8). */
    private static Route owningShards(RoutingContext context, CollectionPlace place) {
        CommandView command = context.command();
        if (command.commandName() == CommandName.ANALYZE_SHARD_KEY) {
            Certainty certainty = place.owning().size() > 1 ? Certainty.UPPER_BOUND : Certainty.EXACT;
            return intrinsic(context, place.owning(), place.owning(), certainty);
        }
        boolean ofQuery = switch (command.commandName()) {
            case PLAN_CACHE_CLEAR, PLAN_CACHE_LIST_FILTERS, PLAN_CACHE_SET_FILTER, PLAN_CACHE_CLEAR_FILTERS -> true;
            default -> false;
        };
        if (!ofQuery || !(place instanceof CollectionPlace.Sharded sharded)) {
            return intrinsic(context, place.owning(), place.owning(), Certainty.EXACT);
        }
        Target target = new ShardedCollection(sharded.table(), context).target(command.get("query"), Collation.SIMPLE);
        ShardSet shards = target.isError() ? place.owning() : target.shards();
        boolean exact = target.exact() && !target.isError();
        return intrinsic(context, shards, place.owning(), exact ? Certainty.EXACT : Certainty.UPPER_BOUND);
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
            return ShardSet.of(table.shardOf(key));
        } else if (place instanceof CollectionPlace.Buckets buckets) {
            return ShardSet.of(buckets.table().firstChunkShard());
        }
        return place.owning();
    }
}
