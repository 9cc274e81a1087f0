package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Near;
import io.scatterguard.proxy.routing.Filter.Opaque;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From a normalised filter to the shards of one collection, by the steps of targeting semantics §6.1. One for each
 * collection of a command, whose statements share an {@link IntervalBudget}.
 */
final class FilterTargeting {
    private final RoutingTable table;
    private final ShardKey key;
    private final RouterRelease release;
    private final KeyRanges ranges;
    private final IntervalBudget budget;
    private final RoutingTrace trace;

    FilterTargeting(RoutingTable table, RouterRelease release, IntervalBudget budget, RoutingTrace trace) {
        this.budget = budget;
        this.trace = trace;
        this.table = table;
        this.key = table.shardKey();
        this.release = release;
        this.ranges = new KeyRanges(table, release, trace);
    }

    /**
     * The target of {@code filter}.
     *
     * @param trustHash whether a hashed field is looked up under a collation as well ({@code findAndModify} before 7.0)
     */
    Target target(Filter filter, Collation collation, boolean trustHash) {
        try {
            return Simplification.mayChange(filter, key.field(0).path(), release, budget)
                    ? simplifiedOrNot(filter, collation, trustHash)
                    : plain(filter, collation, trustHash);
        } catch (FilterException e) {
            PredictedError error = e.error();
            return error == null ? Target.upperBound(table.owningShards()) : Target.ofError(error);
        }
    }

    private Target plain(Filter filter, Collation collation, boolean trustHash) {
        Target point = point(filter, collation, trustHash);
        if (point == null) {
            return range(filter, collation);
        }
        return !falseGoesEverywhere() && Mentions.mayBeFalse(filter) ? pointOrNothing(point) : point;
    }

    /** A full key beside something that may be a constant, and make the filter false. */
    private Target pointOrNothing(Target point) {
        ShardSet nothing = release.atLeast(9, 0) ? ShardSet.of(table.firstChunkShard()) : table.owningShards();
        return point.sentTo(point.shards().union(nothing), point.reason()).perhaps();
    }

    /** Whether a router treats an always-false filter like one without bounds: up to 7.0, of 8.0 as well (addendum §A.4). */
    private boolean falseGoesEverywhere() {
        return !release.atLeast(7, 1) || release.equals(new RouterRelease(8, 0));
    }

    /** A filter of which it is not settled whether the router simplifies it: at most what it reaches either way. */
    private Target simplifiedOrNot(Filter filter, Collation collation, boolean trustHash) {
        Filter simple = Simplification.settled(filter, release, budget);
        if (simple == null) {
            return Target.upperBound(table.owningShards());
        }
        Target asItStands = plain(filter, collation, trustHash);
        ShardSet either =
                asItStands.shards().union(plain(simple, collation, trustHash).shards());
        return asItStands.sentTo(either, asItStands.reason()).perhaps();
    }

    /**
     * A superset of the target of {@code filter} in a conjunction with something else that only narrows it. That may take
     * away a full key, or leave nothing at all, for which the first chunk stands.
     */
    Target atMost(Filter filter, Collation collation) {
        Target alone = target(filter, collation, false);
        if (alone.isError() || !alone.exact()) {
            return alone;
        }
        Target range = range(filter, collation);
        ShardSet shards = alone.shards().union(range.shards()).union(ShardSet.of(table.firstChunkShard()));
        return range.sentTo(shards, range.reason()).perhaps();
    }

    /** The one shard of a full key by equality; null if the filter does not give one (§6.3). */
    private @Nullable Target point(Filter filter, Collation collation, boolean trustHash) {
        List<BsonValueView> values = Equalities.of(filter, key);
        if (values == null) {
            return null;
        }
        if (collation.refusesAny(values)) {
            requireSettledHash();
            return null;
        }
        if (!collation.simple() && key.hasHashedField() && !trustHash) {
            return null;
        }
        KeyBytes bytes = new KeyBytes();
        for (int i = 0; i < values.size(); i++) {
            DocumentKey.append(key.field(i), values.get(i), bytes);
        }
        if (ranges.isBeyondChunks(bytes)) {
            return null;
        }
        trace.point(table, bytes, filter);
        return Target.ofKey(table.shardOf(bytes), key.size());
    }

    /** Early patches of 4.4 and 5.0 may look up the hash of a text under any collation (§6.11). */
    private void requireSettledHash() {
        if (key.hasHashedField() && !release.atLeast(6, 0)) {
            throw FilterException.notUnderstood();
        }
    }

    private Target range(Filter filter, Collation collation) {
        if (filter instanceof Filter.Always always) {
            return trivial(always);
        }
        if (Filters.contains(filter, Filter.Text.class)) {
            return everything(Reason.FIRST_FIELD_UNCONSTRAINED, new KeyBounds(key.size()), filter);
        }
        Filter rest = withoutNear(filter);
        if (rest == null) {
            Target everything = everything(Reason.FIRST_FIELD_UNCONSTRAINED, new KeyBounds(key.size()), filter);
            // Since when a $near beside other predicates is left out is not settled.
            return release.atLeast(6, 3) || filter instanceof Near ? everything : everything.perhaps();
        }
        if (Filters.contains(rest, Opaque.class)) {
            return opaque(rest, collation);
        }
        BoundsBuilder builder = new BoundsBuilder(key, collation, budget);
        KeyBounds bounds = builder.build(rest);
        if (bounds == null) {
            return everything(unusable(rest, collation), builder.conjunction(rest), rest);
        }
        trace.bounds(table, bounds, rest);
        return bounded(bounds, Equalities.of(rest, key) != null);
    }

    /** What cannot be read changes nothing where nothing at all is about the first key field. */
    private Target opaque(Filter filter, Collation collation) {
        if (Mentions.of(filter, key.field(0).path()) || (!falseGoesEverywhere() && Mentions.mayBeFalse(filter))) {
            throw FilterException.notUnderstood();
        }
        return everything(
                Reason.FIRST_FIELD_UNCONSTRAINED,
                new BoundsBuilder(key, collation, budget).conjunction(filter),
                filter);
    }

    private Target bounded(KeyBounds bounds, boolean pinned) {
        ShardSet shards = ranges.shards(bounds);
        if (shards.isEmpty()) {
            return new Target(
                    ShardSet.of(table.firstChunkShard()),
                    Shape.SINGLE_SHARD,
                    true,
                    false,
                    bounds.pointFields(),
                    bounds.rangeFields(),
                    Reason.EMPTY_BOUNDS,
                    null);
        }
        boolean narrowed = !bounds.field(0).coversEverything();
        Shape shape = !narrowed
                ? Shape.SCATTER_GATHER
                : pinned || isSinglePoint(bounds) ? Shape.SINGLE_SHARD : Shape.MULTI_SHARD;
        Reason reason = narrowed ? Reason.KEY_BOUNDS : Reason.FIRST_FIELD_UNCONSTRAINED;
        return new Target(shards, shape, true, false, bounds.pointFields(), bounds.rangeFields(), reason, null);
    }

    private static boolean isSinglePoint(KeyBounds bounds) {
        for (int i = 0; i < bounds.size(); i++) {
            if (!bounds.field(i).isSinglePoint()) {
                return false;
            }
        }
        return true;
    }

    /**
     * An always-false filter: all owning shards up to 7.0 and in 8.0, the first chunk in 9.0, and not settled in between. A
     * router of 9.0 says of it that it has several keys.
     */
    private Target trivial(Filter.Always always) {
        if (always.value() || falseGoesEverywhere()) {
            Reason reason = always.value() ? Reason.NO_FILTER : Reason.FIRST_FIELD_UNCONSTRAINED;
            return everything(reason, new KeyBounds(key.size()), always);
        }
        if (!release.atLeast(9, 0)) {
            throw FilterException.notUnderstood();
        }
        trace.bounds(table, new KeyBounds(key.size()), always);
        return new Target(
                ShardSet.of(table.firstChunkShard()), Shape.MULTI_SHARD, true, false, 0, 0, Reason.EMPTY_BOUNDS, null);
    }

    private Target everything(Reason reason, KeyBounds bounds, Filter filter) {
        trace.unusable(table, bounds, filter);
        return new Target(
                table.owningShards(),
                Shape.SCATTER_GATHER,
                true,
                false,
                bounds.pointFields(),
                bounds.rangeFields(),
                reason,
                null);
    }

    /** The filter without a {@code $near} in its top-level conjunction; null if nothing is left that counts (§6.9). */
    private @Nullable Filter withoutNear(Filter filter) {
        if (filter instanceof Near) {
            return null;
        }
        if (!(filter instanceof And and)) {
            return filter;
        }
        List<Filter> rest = new ArrayList<>(and.members().size());
        for (Filter member : and.members()) {
            if (!(member instanceof Near)) {
                rest.add(member);
            }
        }
        int nears = and.members().size() - rest.size();
        if (nears > 1) {
            throw FilterException.badValue();
        }
        if (nears == 1 && !release.atLeast(6, 3)) {
            return null;
        }
        return nears == 0 ? filter : rest.size() == 1 ? rest.get(0) : new And(rest);
    }

    /** Only an explanation: where it costs more than the budget, the plainest one is given. */
    private Reason unusable(Filter filter, Collation collation) {
        try {
            if (!collation.simple() && gives(filter, Collation.SIMPLE)) {
                return Reason.COLLATION;
            }
            boolean branch = filter instanceof Or or && or.members().stream().anyMatch(b -> gives(b, collation));
            return branch ? Reason.UNSCOPED_OR_BRANCH : Reason.FIRST_FIELD_UNCONSTRAINED;
        } catch (FilterException e) {
            return Reason.FIRST_FIELD_UNCONSTRAINED;
        }
    }

    private boolean gives(Filter filter, Collation collation) {
        return new BoundsBuilder(key, collation, budget).build(filter) != null;
    }
}
