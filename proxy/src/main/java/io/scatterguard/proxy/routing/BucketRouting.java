package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Routes commands on a time-series collection whose buckets are sharded: they are translated to commands on the buckets,
 * and these are routed (targeting semantics §14.4).
 */
final class BucketRouting {
    private final RoutingContext context;
    private final ShardedCollection buckets;
    private final TimeseriesFields fields;
    private final BucketFilter translation;

    private BucketRouting(RoutingContext context, ShardedCollection buckets) {
        this.context = context;
        this.buckets = buckets;
        this.translation = translation(buckets);
        this.fields = translation.fields();
    }

    /** How filters on the measurements read on their buckets. */
    static BucketFilter translation(ShardedCollection buckets) {
        BsonDocument description = buckets.table().collection().timeseriesFields();
        return new BucketFilter(
                TimeseriesFields.of(description == null ? new BsonDocument() : description), buckets.release());
    }

    static Route route(RoutingContext context, ShardedCollection buckets) {
        return new BucketRouting(context, buckets).route();
    }

    private Route route() {
        CommandView command = context.command();
        return switch (command.commandName()) {
            case FIND -> afterView(read(command.get("filter")));
            case COUNT, DISTINCT -> afterView(read(command.get("query")));
            case AGGREGATE -> afterView(AggregateRouting.sharded(context, buckets, translation::of));
            case INSERT -> each("documents", writes()::insert);
            case UPDATE -> each("updates", writes()::update);
            case DELETE -> each("deletes", writes()::delete);
            case FIND_AND_MODIFY ->
                Routes.of(context, buckets, List.of(writes().findAndModify(command.body(), buckets.explained())));
            default -> Routes.of(context, buckets, List.of(buckets.upperBoundWrite()));
        };
    }

    private BucketWrites writes() {
        return new BucketWrites(context, buckets, fields, translation);
    }

    /** A collection that is a view on its buckets is asked for at the database's primary first (§14.3), until 9.0. */
    private Route afterView(Route route) {
        boolean view = !context.release().atLeast(9, 0) && context.catalog().table(context.namespace()) == null;
        int primary = context.catalog().primary(context.namespace().database());
        return view ? Routes.after(ShardSet.of(primary), route) : route;
    }

    private Route read(@Nullable BsonValueView filter) {
        StatementRoute statement;
        try {
            Filter raw = filter != null && filter.isDocument() ? buckets.parseRaw(filter.document()) : Filters.TRUE;
            statement =
                    buckets.read(target(translation.of(raw), context.command().body()));
        } catch (FilterException e) {
            statement = buckets.read(buckets.failed(e));
        }
        return Routes.of(context, buckets, List.of(statement));
    }

    private Target target(Filter translated, BsonView statement) {
        Filter normal = FilterNormalizer.normalize(translated, context.release(), context.budget());
        return buckets.target(normal, buckets.collation(statement));
    }

    private Route each(String field, Function<BsonView, StatementRoute> statement) {
        boolean insert = context.command().commandName() == CommandName.INSERT;
        Supplier<StatementRoute> beyond =
                () -> insert ? buckets.read(InsertRouting.somewhere(buckets)) : buckets.upperBoundWrite();
        return Routes.of(context, buckets, Batch.routes(context.command(), field, statement, beyond));
    }
}
