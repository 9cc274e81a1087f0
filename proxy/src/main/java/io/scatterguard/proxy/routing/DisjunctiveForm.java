package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.Exists;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.Filter.Regex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter that is a disjunction of conjunctions of predicates, as the router's Boolean simplifier leaves it (addendum
 * §A.4): a predicate stands once in a branch, a branch with a predicate and its negation is gone, and so is a branch that
 * holds all of another one. A filter of another form the simplifier may leave alone, so that it is not looked into.
 */
final class DisjunctiveForm {
    /** Branches are compared pair by pair up to here; the simplifier gives up on many as well. */
    private static final int MAX_BRANCHES = 100;

    /**
     * The simplifier gives up on filters of more distinct predicates than a server parameter says, whose default is believed
     * to be this; that is not verified.
     */
    private static final int MAX_PREDICATES = 16;

    private DisjunctiveForm() {}

    /** A predicate by operator, path and operand, in which equal numbers of different types differ. */
    private record Leaf(int rank, String path, Operand operand, boolean negated) {
        Leaf negation() {
            return new Leaf(rank, path, operand, !negated);
        }
    }

    /**
     * The simplified filter; null if {@code filter}, which is normalised, is not of the form.
     *
     * @throws FilterException if it takes more than {@code budget} has left
     */
    static @Nullable Filter of(Filter filter, IntervalBudget budget) {
        List<Map<Object, Filter>> branches = new ArrayList<>();
        List<Filter> members = filter instanceof Or or ? or.members() : List.of(filter);
        if (members.size() > MAX_BRANCHES) {
            return null;
        }
        for (Filter member : members) {
            Map<Object, Filter> branch = branch(member, budget);
            if (branch == null) {
                return null;
            }
            if (!isContradictory(branch)) {
                absorb(branch, branches, budget);
            }
        }
        if (branches.isEmpty()) {
            return Filters.FALSE;
        }
        List<Filter> simple =
                branches.stream().map(DisjunctiveForm::conjunction).toList();
        return simple.size() == 1 ? simple.get(0) : new Or(simple);
    }

    /**
     * Whether {@code filter} holds so many distinct predicates that the simplifier may leave it as it is. A predicate and
     * its negation count as two, so that the limit is rather found too early.
     */
    static boolean mayBeTooLarge(Filter filter, IntervalBudget budget) {
        return collect(filter, new HashSet<>(), budget);
    }

    private static boolean collect(Filter filter, Set<Object> predicates, IntervalBudget budget) {
        if (filter instanceof And || filter instanceof Or || filter instanceof Nor) {
            return Filters.members(filter).stream().anyMatch(member -> collect(member, predicates, budget));
        }
        Leaf leaf = leaf(filter instanceof Not not ? not.member() : filter, filter instanceof Not, budget);
        predicates.add(leaf == null ? new Object() : leaf);
        return predicates.size() > MAX_PREDICATES;
    }

    private static Filter conjunction(Map<Object, Filter> branch) {
        List<Filter> leaves = List.copyOf(branch.values());
        return leaves.size() == 1 ? leaves.get(0) : new And(leaves);
    }

    /** The predicates of a branch, each once; null if it holds anything else. */
    private static @Nullable Map<Object, Filter> branch(Filter branch, IntervalBudget budget) {
        Map<Object, Filter> leaves = new LinkedHashMap<>();
        for (Filter member : branch instanceof And and ? and.members() : List.of(branch)) {
            Filter inner = member instanceof Not not ? not.member() : member;
            if (inner instanceof And || inner instanceof Or || inner instanceof Nor || inner instanceof Not) {
                return null;
            }
            Leaf leaf = leaf(inner, member instanceof Not, budget);
            // What cannot be told from another one of its kind is only itself.
            leaves.putIfAbsent(leaf == null ? new Object() : leaf, member);
        }
        return leaves;
    }

    private static boolean isContradictory(Map<Object, Filter> branch) {
        return branch.keySet().stream()
                .anyMatch(key -> key instanceof Leaf leaf && branch.containsKey(leaf.negation()));
    }

    private static void absorb(Map<Object, Filter> branch, List<Map<Object, Filter>> branches, IntervalBudget budget) {
        for (Map<Object, Filter> other : branches) {
            if (holdsAll(branch, other, budget)) {
                return;
            }
        }
        branches.removeIf(other -> holdsAll(other, branch, budget));
        branches.add(branch);
    }

    private static boolean holdsAll(Map<Object, Filter> branch, Map<Object, Filter> other, IntervalBudget budget) {
        if (other.size() > branch.size()) {
            return false;
        }
        for (Object leaf : other.keySet()) {
            budget.step(1);
            if (!branch.containsKey(leaf)) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Leaf leaf(Filter predicate, boolean negated, IntervalBudget budget) {
        List<BsonValueView> operands;
        if (predicate instanceof Compare compare) {
            operands = List.of(compare.value());
        } else if (predicate instanceof In in && in.regexes().isEmpty()) {
            operands = in.values();
        } else if (predicate instanceof Exists) {
            operands = List.of();
        } else if (predicate instanceof Regex regex) {
            Operand text = Operand.ofText(regex.options() + "/" + regex.pattern(), budget);
            return new Leaf(regex.rank(), regex.path(), text, negated);
        } else {
            return null;
        }
        return new Leaf(predicate.rank(), predicate.path(), Operand.typed(operands, budget), negated);
    }
}
