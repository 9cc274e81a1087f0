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
import java.util.Set;

/**
 * Filters that newer routers may simplify before they look at the key, in ways that are not settled (targeting semantics
 * §6.11, §21): negations are pushed inwards, a predicate and its own negation cancel, a repeated one counts
 * once, an empty list makes a branch false.
 */
final class Simplification {
    private Simplification() {}

    /** Whether a router of {@code release} may see another filter than {@code filter}, which is normalised. */
    static boolean mayChange(Filter filter, RouterRelease release) {
        if (!release.atLeast(7, 0)) {
            return false;
        }
        if (hasEmptyList(filter)) {
            return true;
        }
        return release.atLeast(7, 2) && (hasCompoundNegation(filter) || hasComplement(filter) || Repetition.in(filter));
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
