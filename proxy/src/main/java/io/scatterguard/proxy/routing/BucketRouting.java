package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
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
        this.translation = new BucketFilter(fields, context.release());
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
        StatementRoute beyond = insert ? buckets.read(InsertRouting.somewhere(buckets)) : buckets.upperBoundWrite();
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
                BsonValue stored = value == null ? null : meta(value);
                if (value != null && stored == null) {
                    return buckets.read(InsertRouting.somewhere(buckets));
                }
                if (stored != null) {
                    key.put(field.path(), stored);
                }
            } else if (field.path().equals(fields.lowestTimePath())) {
                key.put(field.path(), new BsonDateTime(fields.rounded(time.int64())));
            } else {
                return buckets.read(InsertRouting.somewhere(buckets));
            }
        }
        return buckets.read(buckets.storedFlat(BsonView.encode(key)));
    }

    /** The meta value as it is stored: sorted since 8.0, as it stands before 7.0, in between only if that is the same. */
    private @Nullable BsonValue meta(BsonValueView value) {
        BsonValue stored = value.toBsonValue();
        if (!context.release().atLeast(7, 0)) {
            return stored;
        }
        BsonValue sorted = SortedFields.of(stored);
        boolean known = context.release().atLeast(8, 0)
                || Arrays.equals(KeyBytes.of(BsonValueView.of(sorted)), KeyBytes.of(value));
        return known ? sorted : null;
    }

    /** Before 7.0 only multi writes on the meta field; since then more is possible and an upper bound is given. */
    private StatementRoute update(BsonView statement) {
        if (DuplicateFields.inStatement(statement)) {
            return buckets.upperBoundWrite();
        }
        UpdateStatement update = UpdateStatement.of(statement);
        if (context.release().atLeast(7, 0)) {
            return update.multi() && !update.upsert() ? manySinceSeven(statement, true) : buckets.upperBoundWrite();
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
            return UpdateStatement.isSet(statement, "limit")
                    ? buckets.upperBoundWrite()
                    : manySinceSeven(statement, false);
        }
        return UpdateStatement.isSet(statement, "limit")
                ? buckets.read(Target.ofError(PredictedError.ILLEGAL_OPERATION))
                : write(statement);
    }

    /**
     * A multi write by the meta field (addendum §A.6). A predicate on the time counts as well where writes on measurements
     * are enabled, which is not known: where that makes a difference, perhaps.
     */
    private StatementRoute manySinceSeven(BsonView statement, boolean update) {
        try {
            Filter raw = raw(statement);
            Target byMeta = target(translation.ofMeta(raw), statement);
            Target byAll = target(translation.of(raw), statement);
            boolean same = byAll.shards().equals(byMeta.shards()) && byAll.isError() == byMeta.isError();
            Target target = same
                    ? byMeta
                    : byMeta.sentTo(byMeta.shards().union(byAll.shards()), byMeta.reason())
                            .perhaps();
            // A retryable update runs in a transaction of the router's own, which never broadcasts.
            boolean inTransaction = update
                    && context.release().atLeast(9, 0)
                    && context.command().get("txnNumber") != null;
            return inTransaction ? buckets.read(target) : buckets.write(target);
        } catch (FilterException e) {
            return buckets.write(buckets.failed(e));
        }
    }

    private Filter raw(BsonView statement) {
        BsonValueView q = statement.get("q");
        return q != null && q.isDocument() ? buckets.parseRaw(q.document()) : Filters.TRUE;
    }

    /** What is not on the meta field does not count. */
    private StatementRoute write(BsonView statement) {
        try {
            return buckets.write(target(translation.ofMeta(raw(statement)), statement));
        } catch (FilterException e) {
            return buckets.write(buckets.failed(e));
        }
    }
}
