package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * Filters that newer routers may simplify before they look at the key, in ways that are not settled (targeting semantics
 * §6.11, §21): negations are pushed inwards, a predicate and its own negation cancel, an empty list makes a branch false.
 */
final class Simplification {
    private Simplification() {}

    /** Whether a router of {@code release} may see another filter than {@code filter}. */
    static boolean mayChange(Filter filter, ShardKey key, RouterRelease release) {
        if (!release.atLeast(7, 0)) {
            return false;
        }
        if (hasEmptyListOffKey(filter, key)) {
            return true;
        }
        return release.atLeast(7, 2) && (hasCompoundNegation(filter) || hasComplement(filter));
    }

    private static boolean hasEmptyListOffKey(Filter filter, ShardKey key) {
        if (filter instanceof In in) {
            return isEmptyList(in) && key.indexOf(in.path()) < 0;
        }
        for (Filter member : Filters.members(filter)) {
            if (hasEmptyListOffKey(member, key)) {
                return true;
            }
        }
        return false;
    }

    static boolean isEmptyList(In in) {
        return in.values().isEmpty() && in.regexes().isEmpty();
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
