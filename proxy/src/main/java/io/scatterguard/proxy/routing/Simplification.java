package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.routing.Filter.Always;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Opaque;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters that newer routers simplify before they look at the key, in ways that are settled in part only (targeting
 * semantics §6.11, §21): negations are pushed inwards, a predicate and its own negation cancel, a repeated one counts
 * once, an empty list makes a branch false. And filters whose treatment by old routers is not settled.
 */
final class Simplification {
    private static final int MAX_PLAIN = 8;

    private Simplification() {}

    /**
     * Whether a router of {@code release} may see another filter than {@code filter}, which is normalised, in a way that
     * matters for the key. What is repeated never makes a filter false, so it matters only where a key is
     * pinned: that of the collection, or {@code _id} for a write by it.
     */
    static boolean mayChange(Filter filter, String firstField, RouterRelease release, IntervalBudget budget) {
        if (!release.atLeast(6, 0)) {
            return hasTwoDisjunctions(filter);
        }
        return mayBecomeFalse(filter, release)
                || (release.atLeast(7, 2) && mayPin(filter, firstField) && Repetition.in(filter, budget));
    }

    /** As above, whatever the key. */
    private static boolean mayChange(Filter filter, RouterRelease release, IntervalBudget budget) {
        return mayBecomeFalse(filter, release) || (release.atLeast(7, 2) && Repetition.in(filter, budget));
    }

    private static boolean mayBecomeFalse(Filter filter, RouterRelease release) {
        if (!release.atLeast(7, 0)) {
            return false;
        }
        return hasEmptyList(filter)
                || (release.atLeast(7, 2) && (hasCompoundNegation(filter) || hasComplement(filter)));
    }

    /**
     * What {@code filter}, which {@linkplain #mayChange may change}, becomes in a router that simplifies filters; null where
     * that is not settled.
     */
    static @Nullable Filter settled(Filter filter, RouterRelease release, IntervalBudget budget) {
        Filter simple = release.atLeast(7, 2) && !hasEmptyList(filter) ? DisjunctiveForm.of(filter, budget) : null;
        return simple == null || mayChange(simple, release, budget) ? null : simple;
    }

    /**
     * {@code filter}, which is normalised, as a router of {@code release} sees it, as far as that is settled. One that may be
     * too large for the simplifier stays as it is; {@link FilterTargeting} looks at it both ways.
     */
    static Filter simplified(Filter filter, RouterRelease release, IntervalBudget budget) {
        // Of 7.2 and 7.3 it is not known whether they simplify by default (addendum §A.4).
        if (!release.atLeast(8, 0) || isPlain(filter) || !mayChange(filter, release, budget)) {
            return filter;
        }
        Filter simple = settled(filter, release, budget);
        return simple == null || DisjunctiveForm.mayBeTooLarge(filter, budget) ? filter : simple;
    }

    /** Whether it is one predicate, or a few on a path of its own each: nothing to simplify, and what most filters are. */
    private static boolean isPlain(Filter filter) {
        List<Filter> members = Filters.members(filter);
        if (members.isEmpty()) {
            return true;
        }
        if (!(filter instanceof And) || members.size() > MAX_PLAIN) {
            return false;
        }
        for (int i = 0; i < members.size(); i++) {
            String path = members.get(i).path();
            boolean apart = !path.isEmpty() && Filters.members(members.get(i)).isEmpty();
            for (int j = 0; j < i && apart; j++) {
                apart = !path.equals(members.get(j).path());
            }
            if (!apart) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether {@code more}, in a conjunction with {@code front} and perhaps under other paths, makes its target smaller or
     * moves it to the first chunk, and never makes it anything else. An {@code $or} in front could lose to one of
     * {@code more}; a filter that is always false is sent everywhere by some releases.
     */
    static boolean onlyNarrows(Filter front, Filter more, RouterRelease release) {
        if (Filters.contains(front, Or.class) || Filters.contains(front, Nor.class)) {
            return false;
        }
        if (release.atLeast(9, 0)) {
            return true;
        }
        boolean constant = Filters.contains(more, Always.class) || Filters.contains(more, Opaque.class);
        if (constant || hasEmptyList(more)) {
            return false;
        }
        return !release.atLeast(7, 2) || !(Filters.contains(front, Not.class) || mayNegate(more));
    }

    private static boolean mayPin(Filter filter, String firstField) {
        return Mentions.of(filter, firstField) || Mentions.of(filter, "_id");
    }

    private static boolean mayNegate(Filter filter) {
        return Filters.contains(filter, Not.class) || Filters.contains(filter, Nor.class);
    }

    /** Before 9.0 it is not settled whether an empty list is a list or makes the filter false. */
    private static boolean hasEmptyList(Filter filter) {
        if (filter instanceof In in) {
            return in.values().isEmpty() && in.regexes().isEmpty();
        }
        for (Filter member : Filters.members(filter)) {
            if (hasEmptyList(member)) {
                return true;
            }
        }
        return false;
    }

    /** Before 6.0 a disjunction on one path stays one, and of several only one gives bounds; which, is not settled. */
    private static boolean hasTwoDisjunctions(Filter filter) {
        if (filter instanceof And and
                && and.members().stream().filter(Or.class::isInstance).count() > 1) {
            return true;
        }
        return Filters.members(filter).stream().anyMatch(Simplification::hasTwoDisjunctions);
    }

    private static boolean hasCompoundNegation(Filter filter) {
        if (filter instanceof Nor) {
            return true;
        }
        boolean compound = filter instanceof Not not
                && (not.member() instanceof And || not.member() instanceof Or || not.member() instanceof Not);
        if (compound) {
            return true;
        }
        for (Filter member : Filters.members(filter)) {
            if (hasCompoundNegation(member)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a predicate and a negation of its kind stand on the same path. */
    private static boolean hasComplement(Filter filter) {
        if (!Filters.contains(filter, Not.class)) {
            return false;
        }
        Set<String> plain = new HashSet<>();
        Set<String> negated = new HashSet<>();
        collect(filter, plain, negated);
        return !Collections.disjoint(plain, negated);
    }

    private static void collect(Filter filter, Set<String> plain, Set<String> negated) {
        if (filter instanceof Not not) {
            negated.add(kind(not.member()));
        } else if (filter instanceof And || filter instanceof Or) {
            Filters.members(filter).forEach(member -> collect(member, plain, negated));
        } else {
            plain.add(kind(filter));
        }
    }

    /** The operator and the path of a predicate, whatever its operand. */
    private static String kind(Filter predicate) {
        return predicate.rank() + " " + predicate.path();
    }
}
