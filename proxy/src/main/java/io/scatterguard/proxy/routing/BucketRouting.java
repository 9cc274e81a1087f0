package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonType;
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
        BsonDocument description = buckets.table().collection().timeseriesFields();
        this.fields = TimeseriesFields.of(description == null ? new BsonDocument() : description);
        this.translation = new BucketFilter(fields);
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
            case INSERT -> each("documents", this::insert);
            case UPDATE -> each("updates", this::update);
            case DELETE -> each("deletes", this::delete);
            default -> Routes.of(context, buckets, List.of(buckets.write(Target.upperBound(buckets.owning()))));
        };
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
        Filter normal = FilterNormalizer.normalize(translated, context.release());
        return buckets.target(normal, buckets.collation(statement));
    }

    private Route each(String field, Function<BsonView, StatementRoute> statement) {
        boolean insert = context.command().commandName() == CommandName.INSERT;
        Supplier<StatementRoute> beyond =
                () -> insert ? buckets.read(InsertRouting.somewhere(buckets)) : buckets.upperBoundWrite();
        return Routes.of(context, buckets, Batch.routes(context.command(), field, statement, beyond));
    }

    /** The key of the bucket that a measurement goes to. */
    private StatementRoute insert(BsonView measurement) {
        BsonValueView time = DocumentKey.at(measurement, fields.time());
        if (time == null || time.type() != BsonType.DATE_TIME) {
            return buckets.read(Target.ofError(PredictedError.NO_TIME_VALUE));
        }
        BsonDocument key = new BsonDocument();
        for (ShardKey.Field field : buckets.key().fields()) {
            String path = fields.measurementPath(field.path());
            if (path != null) {
                BsonValueView value = DocumentKey.at(measurement, path);
                boolean sorted =
                        value != null && value.isDocument() && context.release().atLeast(7, 0);
                if (sorted) {
                    return buckets.read(InsertRouting.somewhere(buckets));
                }
                if (value != null) {
                    key.put(field.path(), value.toBsonValue());
                }
            } else if (field.path().equals(fields.lowestTimePath())) {
                key.put(field.path(), new BsonDateTime(fields.rounded(time.int64())));
            } else {
                return buckets.read(InsertRouting.somewhere(buckets));
            }
        }
        return buckets.read(buckets.storedFlat(BsonView.encode(key)));
    }

    /** Before 7.0 only multi writes on the meta field; since then more is possible and an upper bound is given. */
    private StatementRoute update(BsonView statement) {
        if (DuplicateFields.inStatement(statement)) {
            return buckets.upperBoundWrite();
        }
        UpdateStatement update = UpdateStatement.of(statement);
        if (context.release().atLeast(7, 0)) {
            return buckets.write(Target.upperBound(buckets.owning()));
        }
        return !update.multi() || update.upsert()
                ? buckets.read(Target.ofError(PredictedError.INVALID_OPTIONS))
                : write(statement);
    }

    private StatementRoute delete(BsonView statement) {
        if (DuplicateFields.inStatement(statement)) {
            return buckets.upperBoundWrite();
        }
        if (context.release().atLeast(7, 0)) {
            return buckets.write(Target.upperBound(buckets.owning()));
        }
        return UpdateStatement.isSet(statement, "limit")
                ? buckets.read(Target.ofError(PredictedError.ILLEGAL_OPERATION))
                : write(statement);
    }

    /** What is not on the meta field does not count. */
    private StatementRoute write(BsonView statement) {
        try {
            BsonValueView q = statement.get("q");
            Filter raw = q != null && q.isDocument() ? buckets.parseRaw(q.document()) : Filters.TRUE;
            return buckets.write(target(translation.ofMeta(raw), statement));
        } catch (FilterException e) {
            return buckets.write(buckets.failed(e));
        }
    }
}
