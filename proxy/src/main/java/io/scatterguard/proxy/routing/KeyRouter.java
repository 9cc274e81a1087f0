package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;
import java.util.Optional;

/**
 * The router of sharded clusters: decides by the kind of the command, then by the shard key (targeting semantics §1.2).
 *
 * <p>What is not understood never raises anything: it makes the route an upper bound. Only bytes that are not BSON raise a
 * {@link io.scatterguard.protocol.bson.MalformedBsonException}. Work is bounded: a filter by
 * {@link FilterParser#MAX_NODES} and the depth of BSON, a command by {@link IntervalBudget#MAX_INTERVALS} intervals over all
 * its statements, after which those that need any are upper bounds, and by {@link Batch#MAX_STATEMENTS} statements, beyond
 * which the whole batch is one upper bound and is not walked.
 *
 * <p>A namespace that is not tracked counts as unsharded. It may be a view over a sharded collection, which the metadata of
 * a router does not tell: the prediction is then the database's primary, the first hop of the command, and not the shards
 * that it goes on to.
 *
 * <p>The stages, in order: {@link FilterParser} reads a filter, {@link FilterNormalizer} puts it into normal form,
 * {@link Equalities} looks for a full key, {@link BoundsBuilder} derives bounds of each key field, {@link KeyRanges}
 * follows them to chunks and shards, {@link Labels} names the result. Most filters are nothing but equalities with the key's
 * fields: {@link PlainEqualities} takes those all the way by itself.
 */
public final class KeyRouter implements Router {
    @Override
    public Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        return route(command, catalog, release, false);
    }

    private static Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release, boolean explained) {
        if (command.commandName() == CommandName.EXPLAIN) {
            Optional<CommandView> inner = command.explained();
            return explained || inner.isEmpty()
                    ? Routes.notRouted(command.namespace(), catalog, release)
                    : route(inner.get(), catalog, release, true);
        }
        Route plain = PlainRead.route(command, catalog, release);
        if (plain != null) {
            return plain;
        }
        Namespace namespace = IntrinsicRouting.namespace(command);
        RoutingContext context =
                new RoutingContext(command, namespace, catalog, release, explained, new IntervalBudget());
        return switch (command.commandName().kind()) {
            case READ, WRITE -> data(context);
            case DDL_PRIMARY, LOWEST_CHUNK, OWNING_SHARDS, ALL_SHARDS -> IntrinsicRouting.route(context);
            case CURSOR, HANDSHAKE, AUTHENTICATION, USER_MANAGEMENT, SESSION, ROUTER_LOCAL, ADMINISTRATION ->
                Routes.notRouted(namespace, catalog, release);
        };
    }

    private static Route data(RoutingContext context) {
        CommandName name = context.command().commandName();
        if (name == CommandName.BULK_WRITE) {
            return BulkWriteRouting.route(context);
        }
        if (DuplicateFields.inCommand(context.command())) {
            return Routes.notUnderstood(context);
        }
        if (name == CommandName.AGGREGATE && AggregateRouting.isIntrinsic(context)) {
            return IntrinsicRouting.everyShard(context);
        }
        Namespace namespace = context.namespace();
        boolean administrative =
                namespace.isAdministrative() && context.catalog().table(namespace) == null;
        if (namespace.collection().isEmpty() && name != CommandName.AGGREGATE && !namespace.isAdministrative()) {
            return Routes.notUnderstood(context);
        }
        if (administrative || namespace.collection().isEmpty()) {
            return Routes.notRouted(namespace, context.catalog(), context.release());
        }
        CollectionPlace place = context.place();
        if (place instanceof CollectionPlace.Sharded sharded) {
            return sharded(context, new ShardedCollection(sharded.table(), context));
        } else if (place instanceof CollectionPlace.Single single) {
            return single(context, single.owner());
        } else if (place instanceof CollectionPlace.Buckets buckets) {
            return BucketRouting.route(context, new ShardedCollection(buckets.table(), context));
        }
        ShardSet registered = context.catalog().registry().registered();
        return Routes.upperBound(context, registered, Reason.CATALOG_UNKNOWN, registered);
    }

    private static Route sharded(RoutingContext context, ShardedCollection collection) {
        CommandView command = context.command();
        return switch (command.commandName()) {
            case FIND -> Routes.of(context, collection, ReadRouting.find(command, collection));
            case COUNT, DISTINCT -> Routes.of(context, collection, ReadRouting.query(command, collection));
            case AGGREGATE -> AggregateRouting.sharded(context, collection);
            case MAP_REDUCE -> AggregateRouting.mapReduce(context, collection);
            case INSERT -> Routes.of(context, collection, InsertRouting.statements(command, collection));
            case UPDATE -> Routes.of(context, collection, UpdateRouting.statements(command, collection));
            case DELETE -> Routes.of(context, collection, DeleteRouting.statements(command, collection));
            case FIND_AND_MODIFY -> Routes.of(context, collection, FindAndModifyRouting.statement(command, collection));
            default -> Routes.of(context, collection, List.of(collection.upperBoundRead()));
        };
    }

    /** A collection on one shard takes everything there; a write to a missing database creates it somewhere. */
    private static Route single(RoutingContext context, ShardSet owner) {
        boolean write = context.command().commandName().kind() == CommandName.Kind.WRITE;
        if (owner.isEmpty() && write && !context.explained()) {
            ShardSet registered = context.catalog().registry().registered();
            return Routes.upperBound(context, registered, Reason.UNSHARDED, ShardSet.none());
        }
        return context.command().commandName() == CommandName.AGGREGATE
                ? AggregateRouting.single(context, owner)
                : Routes.unsharded(context, owner, ShardSet.none(), Placement.UNSHARDED);
    }
}
