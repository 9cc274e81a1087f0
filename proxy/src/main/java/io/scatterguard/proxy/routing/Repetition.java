package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The same predicate more than once where once is enough: twice in a conjunction, in an {@code $or} and beside it, or in a
 * branch that another branch contains. A simplified filter may then pin the full key where the plain one does not.
 */
final class Repetition {
    /** Branches are compared pair by pair up to here; beyond, simplifying gives up as well. */
    private static final int MAX_BRANCHES = 100;

    private final IntervalBudget budget;

    private Repetition(IntervalBudget budget) {
        this.budget = budget;
    }

    /** An equality or a list, by its operand. */
    private record Leaf(int rank, String path, Operand operand) {}

    /** @throws FilterException if looking takes more than {@code budget} has left */
    static boolean in(Filter filter, IntervalBudget budget) {
        return mayBeIn(filter, new HashSet<>()) && new Repetition(budget).within(filter, Set.of());
    }

    /** Whether two predicates are about the same path at all, which is cheaper to find out; or a list of one is there. */
    private static boolean mayBeIn(Filter filter, Set<String> paths) {
        if (isLeaf(filter) && !paths.add(filter.path())) {
            return true;
        }
        if (filter instanceof In in && in.values().size() + in.regexes().size() == 1) {
            return true;
        }
        for (Filter member : Filters.members(filter)) {
            if (mayBeIn(member, paths)) {
                return true;
            }
        }
        return false;
    }

    private boolean within(Filter filter, Set<Leaf> outside) {
        if (filter instanceof Or or) {
            return amongBranches(or) || anyWithin(or.members(), outside);
        }
        // Only a disjunction of equal predicates becomes a list of one.
        if (filter instanceof In in && in.values().size() + in.regexes().size() == 1) {
            return true;
        }
        budget.step(outside.size());
        if (!(filter instanceof And and)) {
            Leaf leaf = outside.isEmpty() ? null : leaf(filter);
            return leaf != null && outside.contains(leaf);
        }
        Set<Leaf> known = new HashSet<>(2 * (outside.size() + and.members().size()));
        known.addAll(outside);
        for (Filter member : and.members()) {
            Leaf leaf = leaf(member);
            if (leaf != null && !known.add(leaf)) {
                return true;
            }
        }
        for (Filter member : and.members()) {
            if (!isLeaf(member) && within(member, known)) {
                return true;
            }
        }
        return false;
    }

    private boolean anyWithin(List<Filter> filters, Set<Leaf> outside) {
        for (Filter filter : filters) {
            if (within(filter, outside)) {
                return true;
            }
        }
        return false;
    }

    private boolean amongBranches(Or or) {
        if (or.members().size() > MAX_BRANCHES) {
            return false;
        }
        List<Set<Leaf>> branches = new ArrayList<>(or.members().size());
        Map<Leaf, List<Set<Leaf>>> holders = new HashMap<>();
        for (Filter branch : or.members()) {
            Set<Leaf> leaves = new HashSet<>();
            for (Filter member : branch instanceof And and ? and.members() : List.of(branch)) {
                Leaf leaf = leaf(member);
                if (leaf != null && leaves.add(leaf)) {
                    holders.computeIfAbsent(leaf, l -> new ArrayList<>(1)).add(leaves);
                }
            }
            branches.add(leaves);
        }
        for (int i = 0; i < branches.size(); i++) {
            Set<Leaf> leaves = branches.get(i);
            if (isOnlyLeaves(or.members().get(i), leaves) && isHeldByAnother(leaves, holders)) {
                return true;
            }
        }
        return false;
    }

    /** Only a branch with the leaf that the fewest have can hold them all. */
    private boolean isHeldByAnother(Set<Leaf> leaves, Map<Leaf, List<Set<Leaf>>> holders) {
        List<Set<Leaf>> fewest = List.of();
        for (Leaf leaf : leaves) {
            List<Set<Leaf>> having = holders.getOrDefault(leaf, List.of());
            if (fewest.isEmpty() || having.size() < fewest.size()) {
                fewest = having;
            }
        }
        for (Set<Leaf> other : fewest) {
            if (other != leaves && holdsAll(other, leaves)) {
                return true;
            }
        }
        return false;
    }

    private boolean holdsAll(Set<Leaf> branch, Set<Leaf> leaves) {
        if (leaves.size() > branch.size()) {
            return false;
        }
        for (Leaf leaf : leaves) {
            budget.step(1);
            if (!branch.contains(leaf)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the leaves are all there is of a branch. */
    private static boolean isOnlyLeaves(Filter branch, Set<Leaf> leaves) {
        return leaves.size() == (branch instanceof And and ? and.members().size() : 1);
    }

    private static boolean isLeaf(Filter filter) {
        return filter instanceof Compare
                || (filter instanceof In in && in.regexes().isEmpty());
    }

    private @Nullable Leaf leaf(Filter filter) {
        if (filter instanceof Compare compare) {
            return new Leaf(filter.rank(), filter.path(), Operand.of(compare.value(), budget));
        } else if (filter instanceof In in && in.regexes().isEmpty()) {
            return new Leaf(filter.rank(), filter.path(), Operand.of(in.values(), budget));
        }
        return null;
    }
}
