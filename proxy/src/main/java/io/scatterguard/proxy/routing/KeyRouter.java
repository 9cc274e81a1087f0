package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
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
 * {@link FilterParser#MAX_NODES} and the depth of BSON, a command by {@link IntervalBudget#MAX_INTERVALS} intervals and
 * {@link IntervalBudget#MAX_STEPS} steps over all its statements, after which those that need any are upper bounds, a value
 * of the key by {@link IntervalBudget#MAX_KEY_VALUE_BYTES}, a regex by {@link Filter.Regex#MAX_CHARS}, and a batch by {@link Batch#MAX_STATEMENTS} statements, beyond
 * which the whole batch is one upper bound and is not walked.
 *
 * <p>A namespace that is not tracked and no known view counts as unsharded. Where the metadata is read from config servers
 * no view is known: the prediction is then the database's primary, the first hop of the command, and not the shards that
 * it goes on to.
 *
 * <p>The stages, in order: {@link FilterParser} reads a filter, {@link FilterNormalizer} puts it into normal form,
 * {@link Equalities} looks for a full key, {@link BoundsBuilder} derives bounds of each key field, {@link KeyRanges}
 * follows them to chunks and shards, {@link Labels} names the result. Most filters are nothing but equalities with the key's
 * fields: {@link PlainEqualities} takes those all the way by itself.
 */
public final class KeyRouter implements Router {
    @Override
    public Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        return route(command, catalog, release, RoutingTrace.NONE);
    }

    /** The same route, while {@code trace} is told how it comes about. */
    static Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release, RoutingTrace trace) {
        return route(command, catalog, release, false, trace);
    }

    private static Route route(
            CommandView command,
            CatalogSnapshot catalog,
            RouterRelease release,
            boolean explained,
            RoutingTrace trace) {
        if (command.commandName() == CommandName.EXPLAIN) {
            Optional<CommandView> inner = command.explained();
            return explained || inner.isEmpty()
                    ? Routes.notRouted(command.namespace(), catalog, release)
                    : route(inner.get(), catalog, release, true, trace);
        }
        Route plain = trace == RoutingTrace.NONE ? PlainRead.route(command, catalog, release) : null;
        if (plain != null) {
            return plain;
        }
        Namespace namespace = IntrinsicRouting.namespace(command);
        RoutingContext context =
                new RoutingContext(command, namespace, catalog, release, explained, new IntervalBudget(), trace);
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
            return Routes.ambiguous(context);
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
        } else if (place instanceof CollectionPlace.Buckets buckets && isRawData(context)) {
            return context.release().atLeast(9, 0)
                    ? sharded(context, new ShardedCollection(buckets.table(), context))
                    : Routes.notUnderstood(context);
        } else if (place instanceof CollectionPlace.Buckets buckets) {
            return BucketRouting.route(context, new ShardedCollection(buckets.table(), context));
        } else if (place instanceof CollectionPlace.View view) {
            return ViewRouting.route(context, view);
        }
        ShardSet registered = context.catalog().registry().registered();
        return Routes.upperBound(context, registered, Reason.CATALOG_UNKNOWN, registered);
    }

    /** Whether a command on a time-series collection is about its buckets as they are stored. */
    private static boolean isRawData(RoutingContext context) {
        BsonValueView raw = context.command().get("rawData");
        return raw != null && raw.isTruthy() && context.release().atLeast(8, 2);
    }

    private static Route sharded(RoutingContext context, ShardedCollection collection) {
        CommandView command = context.command();
        return switch (command.commandName()) {
            case FIND -> Routes.of(context, collection, ReadRouting.find(command, collection));
            case COUNT, DISTINCT -> Routes.of(context, collection, ReadRouting.query(command, collection));
            case AGGREGATE -> AggregateRouting.sharded(context, collection);
            case MAP_REDUCE -> AggregateRouting.mapReduce(context, collection);
            case FILE_MD5 -> Routes.of(context, collection, ReadRouting.fileMd5(command, collection));
            case INSERT -> Routes.of(context, collection, InsertRouting.statements(command, collection));
            case UPDATE -> Routes.of(context, collection, UpdateRouting.statements(command, collection));
            case DELETE -> Routes.of(context, collection, DeleteRouting.statements(command, collection));
            case FIND_AND_MODIFY -> Routes.of(context, collection, FindAndModifyRouting.statement(command, collection));
            default -> Routes.of(context, collection, List.of(collection.upperBoundRead()));
        };
    }

    /** What an aggregation on a database that there is not gives since 7.2; before, it gives nothing. */
    private static StatementRoute missingDatabase() {
        return new StatementRoute(
                Placement.UNSHARDED,
                null,
                Certainty.EXACT,
                ShardSet.none(),
                0,
                0,
                Reason.PREDICTED_ERROR,
                PredictedError.NAMESPACE_NOT_FOUND);
    }

    /** A collection on one shard takes everything there; a write to a missing database creates it somewhere. */
    private static Route single(RoutingContext context, ShardSet owner) {
        boolean write = context.command().commandName().kind() == CommandName.Kind.WRITE;
        boolean unknown = owner.isEmpty()
                || (MultiWrites.areCoordinated(context)
                        && MultiWrites.primary(context).isEmpty());
        if (unknown && write && !context.explained()) {
            ShardSet registered = context.catalog().registry().registered();
            return Routes.upperBound(context, registered, Reason.UNSHARDED, ShardSet.none());
        }
        boolean aggregate = context.command().commandName() == CommandName.AGGREGATE;
        if (aggregate && owner.isEmpty() && context.release().atLeast(7, 2)) {
            return Routes.single(context, Route.Kind.ROUTED, missingDatabase(), ShardSet.none());
        }
        return aggregate
                ? AggregateRouting.single(
                        context, PipelineStage.list(context.command().get("pipeline")), owner)
                : Routes.unsharded(
                        context, MultiWrites.onOneShard(context, owner), ShardSet.none(), Placement.UNSHARDED);
    }
}
