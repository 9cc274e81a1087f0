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

    FilterTargeting(RoutingTable table, RouterRelease release, IntervalBudget budget) {
        this.budget = budget;
        this.table = table;
        this.key = table.shardKey();
        this.release = release;
        this.ranges = new KeyRanges(table, release);
    }

    /**
     * The target of {@code filter}.
     *
     * @param trustHash whether a hashed field is looked up under a collation as well ({@code findAndModify} before 7.0)
     */
    Target target(Filter filter, Collation collation, boolean trustHash) {
        try {
            if (Simplification.mayChange(filter, release)) {
                return Target.upperBound(table.owningShards());
            }
            Target point = point(filter, collation, trustHash);
            return point == null ? range(filter, collation) : point;
        } catch (FilterException e) {
            PredictedError error = e.error();
            return error == null ? Target.upperBound(table.owningShards()) : Target.ofError(error);
        }
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
        if (values == null || collation.refusesAny(values)) {
            return null;
        }
        if (!collation.simple() && key.hasHashedField() && !trustHash) {
            return null;
        }
        KeyBytes bytes = new KeyBytes();
        for (int i = 0; i < values.size(); i++) {
            DocumentKey.append(key.field(i), values.get(i), bytes);
        }
        return ranges.isBeyondChunks(bytes) ? null : Target.ofKey(table.shardOf(bytes), key.size());
    }

    private Target range(Filter filter, Collation collation) {
        if (filter instanceof Filter.Always always) {
            return trivial(always.value());
        }
        if (Filters.contains(filter, Filter.Text.class)) {
            return everything(Reason.FIRST_FIELD_UNCONSTRAINED, new KeyBounds(key.size()));
        }
        Filter rest = withoutNear(filter);
        if (rest == null) {
            return everything(Reason.FIRST_FIELD_UNCONSTRAINED, new KeyBounds(key.size()));
        }
        if (Filters.contains(rest, Opaque.class)) {
            return opaque(rest, collation);
        }
        BoundsBuilder builder = new BoundsBuilder(key, collation, budget);
        KeyBounds bounds = builder.build(rest);
        if (bounds == null) {
            return everything(unusable(rest, collation), builder.conjunction(rest));
        }
        return bounded(bounds, Equalities.of(rest, key) != null);
    }

    /** What cannot be read changes nothing where nothing at all is about the first key field. */
    private Target opaque(Filter filter, Collation collation) {
        if (Mentions.of(filter, key.field(0).path()) || (release.atLeast(8, 1) && Mentions.mayBeFalse(filter))) {
            throw FilterException.notUnderstood();
        }
        return everything(
                Reason.FIRST_FIELD_UNCONSTRAINED, new BoundsBuilder(key, collation, budget).conjunction(filter));
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

    /** An always-false filter is not settled between 6.3 (all owning shards) and the newest (the first chunk). */
    private Target trivial(boolean value) {
        if (value || !release.atLeast(7, 0)) {
            return everything(value ? Reason.NO_FILTER : Reason.FIRST_FIELD_UNCONSTRAINED, new KeyBounds(key.size()));
        }
        if (!release.atLeast(9, 0)) {
            throw FilterException.notUnderstood();
        }
        return new Target(
                ShardSet.of(table.firstChunkShard()), Shape.SINGLE_SHARD, true, false, 0, 0, Reason.EMPTY_BOUNDS, null);
    }

    private Target everything(Reason reason, KeyBounds bounds) {
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
