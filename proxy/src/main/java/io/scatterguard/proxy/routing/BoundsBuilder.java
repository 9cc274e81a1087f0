package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.Filter.Regex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From a normalised filter to bounds on the shard key, as the router's planner combines predicates (targeting semantics
 * §6.5): a conjunction intersects, an {@code $or} below it takes precedence over its siblings, which are pushed into its
 * branches.
 *
 * <p>Bounded by the command's {@link IntervalBudget}; beyond, the filter is not understood.
 */
final class BoundsBuilder {
    private static final int COPIES_OF_REGEX = 8;

    private final ShardKey key;
    private final PredicateBounds ranged;
    private final HashedBounds hashed;
    private final IntervalBudget budget;

    BoundsBuilder(ShardKey key, Collation collation, IntervalBudget budget) {
        this.key = key;
        this.budget = budget;
        this.ranged = new PredicateBounds(collation);
        this.hashed = new HashedBounds(collation);
    }

    /** The bounds of {@code filter}, or null if it gives none for the first key field. */
    @Nullable KeyBounds build(Filter filter) {
        return build(filter, "", new KeyBounds(key.size()));
    }

    /** What the predicates of a conjunction leave of each key field, whether or not the first one is constrained. */
    KeyBounds conjunction(Filter filter) {
        KeyBounds own = new KeyBounds(key.size());
        collect(filter, "", own, new ArrayList<>());
        return own;
    }

    /**
     * @param prefix the path of an enclosing {@code $elemMatch}, with its dot
     * @param outside bounds of predicates beside an enclosing {@code $or}
     */
    private @Nullable KeyBounds build(Filter filter, String prefix, KeyBounds outside) {
        if (filter instanceof Or or) {
            return either(or, prefix, outside);
        }
        KeyBounds own = new KeyBounds(key.size());
        List<Disjunction> disjunctions = new ArrayList<>(0);
        collect(filter, prefix, own, disjunctions);
        KeyBounds all = combined(own, outside);
        for (Disjunction disjunction : disjunctions) {
            boolean inElemMatch = !disjunction.prefix().equals(prefix);
            KeyBounds pushed = inElemMatch ? new KeyBounds(key.size()) : all;
            KeyBounds bounds = either(disjunction.or(), disjunction.prefix(), pushed);
            if (bounds != null) {
                return bounds;
            }
        }
        return !own.isEmpty() && all.has(0) ? all : null;
    }

    /** An {@code $or} in a conjunction, and the prefix of its paths. */
    private record Disjunction(Or or, String prefix) {}

    /** Every branch must be usable. */
    private @Nullable KeyBounds either(Or or, String prefix, KeyBounds outside) {
        List<KeyBounds> alternatives = new ArrayList<>(or.members().size());
        for (Filter branch : or.members()) {
            KeyBounds bounds = build(branch, prefix, outside);
            if (bounds == null) {
                return null;
            }
            budget.spend(bounds.intervalCount());
            alternatives.add(bounds);
        }
        return KeyBounds.anyOf(alternatives);
    }

    /** Collects a conjunction's own predicates into {@code own} and its {@code $or}s into {@code disjunctions}. */
    private void collect(Filter filter, String prefix, KeyBounds own, List<Disjunction> disjunctions) {
        if (filter instanceof And and) {
            for (Filter member : and.members()) {
                collect(member, prefix, own, disjunctions);
            }
        } else if (filter instanceof Or or) {
            disjunctions.add(new Disjunction(or, prefix));
        } else if (filter instanceof ElemMatchObject elem) {
            collect(elem.member(), prefix + elem.path() + ".", own, disjunctions);
        } else {
            predicate(filter, prefix, own);
        }
    }

    private void predicate(Filter predicate, String prefix, KeyBounds own) {
        String path = predicate instanceof Not not ? not.member().path() : predicate.path();
        if (path.isEmpty()) {
            return;
        }
        int field = key.indexOf(prefix.isEmpty() ? path : prefix + path);
        if (field < 0) {
            return;
        }
        charge(predicate);
        Intervals bounds = key.field(field).hashed() ? hashed.of(predicate) : ranged.of(predicate);
        if (bounds != null) {
            budget.spend(bounds.size() + (own.has(field) ? own.field(field).size() : 0));
            own.restrict(field, bounds);
        }
    }

    /** The bytes of its operands; those of a regex are gone through several times. */
    private void charge(Filter predicate) {
        if (predicate instanceof Compare compare) {
            budget.keyValue(compare.value());
        } else if (predicate instanceof In in) {
            in.values().forEach(budget::keyValue);
            in.regexes().forEach(this::charge);
        } else if (predicate instanceof Regex regex) {
            budget.copy(COPIES_OF_REGEX * regex.pattern().length());
        } else {
            Filters.members(predicate).forEach(this::charge);
        }
    }

    private KeyBounds combined(KeyBounds own, KeyBounds outside) {
        if (outside.isEmpty()) {
            return own;
        }
        budget.spend(own.intervalCount() + outside.intervalCount());
        return own.and(outside);
    }
}
