package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.PastPlacement;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Filter.Always;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** One command's view of a sharded collection: targets for its filters, and the routes of its statements. */
final class ShardedCollection {
    private static final ShardKey ID = new ShardKey(List.of(new ShardKey.Field("_id", false)));

    private final RoutingTable table;
    private final RoutingContext context;
    private final @Nullable BsonValueView let;
    private final @Nullable PastPlacement past;
    private final @Nullable ShardSet perhapsLeft;
    private final RoutingTable placement;
    private final ShardSet reachable;
    private @Nullable ExprParser expressions;
    private @Nullable FilterTargeting targeting;

    ShardedCollection(RoutingTable table, RoutingContext context) {
        this(table, context, context.explained() ? null : context.command().get("let"));
    }

    /** @param let the variables that its filters see; anything but a document stands for none */
    ShardedCollection(RoutingTable table, RoutingContext context, @Nullable BsonValueView let) {
        this.table = table;
        this.context = context;
        this.let = let;
        Long time = context.atClusterTime();
        this.past = time == null ? null : table.at(time);
        this.placement = past == null ? table : past.table();
        Long earliest = context.earliestOfTransaction();
        this.perhapsLeft = earliest == null || table.isUnchangedSince(earliest) ? null : table.leftSince(earliest);
        ShardSet owners = placement.owningShards().union(perhapsLeft == null ? ShardSet.none() : perhapsLeft);
        this.reachable = past == null
                ? owners
                : past.followed() ? owners.minus(ShardSet.of(past.tooShort())) : table.everOwned();
    }

    private ExprParser expressions() {
        if (expressions == null) {
            expressions = new ExprParser(let != null && let.isDocument() ? let.document() : null, context.release());
        }
        return expressions;
    }

    private FilterTargeting targeting() {
        if (targeting == null) {
            targeting = new FilterTargeting(placement, context.release(), context.budget(), context.trace());
        }
        return targeting;
    }

    RoutingTable table() {
        return table;
    }

    ShardKey key() {
        return table.shardKey();
    }

    /** The shards that own its chunks at the time of which the command reads, or may: a superset of every target. */
    ShardSet owning() {
        return reachable;
    }

    /** The shards that own its chunks now, which counts for the label by placement whatever the time (§18.1). */
    ShardSet owningNow() {
        return table.owningShards();
    }

    RouterRelease release() {
        return context.release();
    }

    IntervalBudget budget() {
        return context.budget();
    }

    RoutingTrace trace() {
        return context.trace();
    }

    boolean explained() {
        return context.explained();
    }

    /** The effective collation of a statement (or a command) that may hold a {@code collation}. */
    Collation collation(BsonView statement) {
        BsonDocument byDefault = table.collection().defaultCollation();
        return Collation.of(statement.get("collation"), byDefault);
    }

    /** What a collation that is given by a document is on this collection. */
    Collation collationOf(BsonValueView given) {
        return Collation.of(given, table.collection().defaultCollation());
    }

    /**
     * The normal form of a filter; null means no filter.
     *
     * @throws FilterException if it is invalid or not understood
     */
    Filter parse(@Nullable BsonValueView filter) {
        if (filter == null || !filter.isDocument()) {
            return Filters.TRUE;
        }
        return FilterNormalizer.normalize(
                FilterParser.parse(filter.document(), expressions()), release(), context.budget());
    }

    /** The filter as it stands, for a pipeline that puts several together. */
    Filter parseRaw(BsonView filter) {
        return FilterParser.parse(filter, expressions());
    }

    /** The target of a filter that is already parsed. */
    Target target(Filter filter, Collation collation) {
        return then(targeting().target(filter, collation, false));
    }

    /** As {@link #target}, but a hashed field is looked up under any collation. */
    Target targetTrustingHash(Filter filter, Collation collation) {
        return then(targeting().target(filter, collation, true));
    }

    /** A superset for a filter beside which more may stand in a conjunction. */
    Target targetAtMost(Filter filter, Collation collation) {
        return then(targeting().atMost(filter, collation));
    }

    /**
     * The target, where the command reads at an earlier time: a chunk may have been nobody knows where (§6.10). Of a
     * transaction of an unknown time, besides today's target the shards that chunks have left during its possible life.
     */
    private Target then(Target target) {
        if (perhapsLeft != null && !target.isError()) {
            return target.perhapsAlso(perhapsLeft);
        }
        if (past == null || target.isError()) {
            return target;
        }
        if (!past.followed()) {
            return target.perhapsAlso(reachable);
        }
        if (past.tooShort() >= 0 && target.shards().contains(past.tooShort())) {
            return target.exact()
                    ? Target.ofError(PredictedError.STALE_CHUNK_HISTORY)
                    : target.sentTo(target.shards().minus(ShardSet.of(past.tooShort())), target.reason());
        }
        return past.certain() ? target : target.perhaps();
    }

    /** The target of a filter as it stands in a command. */
    Target target(@Nullable BsonValueView filter, Collation collation) {
        try {
            Target plain = filter == null || !filter.isDocument() ? null : plain(filter.document(), collation, false);
            return plain != null ? plain : target(parse(filter), collation);
        } catch (FilterException e) {
            return failed(e);
        }
    }

    /** The target of a whole filter document. */
    Target target(BsonView filter, Collation collation) {
        try {
            return target(FilterNormalizer.normalize(parseRaw(filter), release(), context.budget()), collation);
        } catch (FilterException e) {
            return failed(e);
        }
    }

    /**
     * The target of a filter that plainly pins the full key, otherwise null. All writes go by it in the same way.
     *
     * @param statement holds the filter's {@code collation}; with one of its own, the plain look is not enough
     */
    @Nullable Target plainFullKey(@Nullable BsonValueView filter, BsonView statement) {
        boolean special = statement.get("collation") != null || MultiWrites.areCoordinated(context);
        if (filter == null || !filter.isDocument() || special) {
            return null;
        }
        return plain(filter.document(), Collation.of(null, table.collection().defaultCollation()), true);
    }

    private @Nullable Target plain(BsonView filter, Collation collation, boolean fullKeyOnly) {
        if (past != null || perhapsLeft != null || context.trace() != RoutingTrace.NONE) {
            return null;
        }
        PlainEqualities equalities = new PlainEqualities(key());
        BsonCursor cursor = filter.cursor();
        boolean usable = equalities.read(cursor) && !equalities.isRefusedBy(collation);
        if (!usable || (fullKeyOnly && !equalities.isFullKey())) {
            return null;
        }
        if (!equalities.isFullKey()) {
            context.budget().spend(Long.bitCount(equalities.pinned()));
        }
        return new Target(
                equalities.shards(cursor, table),
                equalities.shape(),
                true,
                equalities.isFullKey(),
                equalities.pinned(),
                0,
                equalities.reason(),
                null);
    }

    /** What comes of a filter that could not be parsed. */
    Target failed(FilterException e) {
        PredictedError error = e.error();
        return error == null ? Target.upperBound(owning()) : Target.ofError(error);
    }

    /** The target of a document that is stored: one shard, or an error (§3). */
    Target stored(BsonView document, @Nullable BsonValueView missingId) {
        try {
            return stored(DocumentKey.of(document, key(), missingId), document);
        } catch (FilterException e) {
            return InsertRouting.somewhere(this);
        }
    }

    /** The target of a document whose key is already taken out of it: a field for each path. */
    Target storedFlat(BsonView keyByPath) {
        try {
            return stored(DocumentKey.ofFlat(keyByPath, key()), keyByPath);
        } catch (FilterException e) {
            return InsertRouting.somewhere(this);
        }
    }

    /**
     * A target of one shard with the shape and the certainty that it would have if the key of a replacement had led to it, which
     * leads to one shard as well.
     */
    Target asIfStored(Target direct, BsonView replacement, @Nullable BsonValueView missingId) {
        try {
            KeyBytes key = DocumentKey.of(replacement, key(), missingId);
            boolean storable = key != null && !new KeyRanges(table, release(), RoutingTrace.NONE).isBeyondChunks(key);
            return storable ? direct.shapedAs(Shape.SINGLE_SHARD) : direct;
        } catch (FilterException e) {
            return direct.shapedAs(Shape.SINGLE_SHARD).perhaps();
        }
    }

    private Target stored(@Nullable KeyBytes key, BsonView document) {
        if (key == null || new KeyRanges(table, release(), context.trace()).isBeyondChunks(key)) {
            return Target.ofError(PredictedError.SHARD_KEY_NOT_FOUND);
        }
        context.trace().document(placement, key, document);
        return then(Target.ofKey(placement.shardOf(key), key().size()));
    }

    /** Whether it is known where its chunks begin and end, and not only which shards have some. */
    boolean boundsKnown() {
        return table.boundsKnown();
    }

    /**
     * Whether the target may have one shard: it has one, or nobody knows the chunk bounds, so that its shards are only the most
     * that it can have. Where a router treats several otherwise than one, it is then taken for one: nothing is claimed to fail
     * that may not.
     */
    boolean mayBeOneShard(Target target) {
        boolean known = table.boundsKnown() || target.shape() == Shape.SCATTER_GATHER;
        return target.exact() && (!known || target.isOneShard());
    }

    /** Whether a filter pins {@code _id} to one value in a way that lets a write be broadcast by it (§10.5). */
    static boolean isExactId(Filter filter, Collation collation) {
        List<BsonValueView> id = Equalities.of(filter, ID);
        return id != null && (collation.isDefault() || !Collation.holdsText(id.get(0)));
    }

    /** The value that a filter pins {@code _id} to, or null. */
    static @Nullable BsonValueView exactId(Filter filter) {
        List<BsonValueView> id = filter instanceof Always ? null : Equalities.of(filter, ID);
        return id == null ? null : id.get(0);
    }

    StatementRoute read(Target target) {
        return Labels.statement(target, owningNow());
    }

    /** The route of a write: one shard as it is, several by the broadcast rule (§10.4). */
    StatementRoute write(Target target) {
        boolean direct = target.isError() || target.isOneShard() || context.neverBroadcasts();
        if (direct) {
            return read(target);
        }
        ShardSet registry = context.catalog().registry().registered().union(target.shards());
        Reason reason = target.exact() && target.reason() != Reason.EXACT_ID_BROADCAST
                ? Reason.WRITE_BROADCAST
                : target.reason();
        return read(target.sentTo(registry, reason));
    }

    boolean coordinatesMultiWrites() {
        return MultiWrites.areCoordinated(context);
    }

    /** The route of a write of many documents, which cluster parameters may send elsewhere. */
    StatementRoute writeMulti(Target target) {
        if (!target.isError() && MultiWrites.areCoordinated(context)) {
            ShardSet primary = MultiWrites.primary(context);
            ShardSet registered = context.catalog().registry().registered();
            return primary.isEmpty()
                    ? read(target.sentTo(registered, Reason.CATALOG_UNKNOWN).perhaps())
                    : read(target.sentTo(primary, Reason.COORDINATED_WRITE));
        }
        return MultiWrites.areNeverBroadcast(context) ? read(target) : write(target);
    }

    StatementRoute upperBoundWrite() {
        return write(Target.upperBound(owning()));
    }

    StatementRoute ambiguousWrite() {
        return write(Target.ambiguous(owning()));
    }

    StatementRoute upperBoundRead() {
        return read(Target.upperBound(owning()));
    }
}
