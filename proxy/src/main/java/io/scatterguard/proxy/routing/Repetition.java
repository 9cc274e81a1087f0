package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Or;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The same predicate more than once where once is enough: twice in a conjunction, in an {@code $or} and beside it, or in a
 * branch that another branch contains. A simplified filter may then pin the full key where the plain one does not.
 */
final class Repetition {
    /** Branches are compared pair by pair up to here; beyond, simplifying gives up as well. */
    private static final int MAX_BRANCHES = 100;

    private Repetition() {}

    /** An equality or a list, by its operand. */
    private record Leaf(int rank, String path, ByteBuffer operand) {}

    static boolean in(Filter filter) {
        return mayBeIn(filter, new HashSet<>()) && within(filter, Set.of());
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

    private static boolean isLeaf(Filter filter) {
        return filter instanceof Compare || filter instanceof In;
    }

    private static boolean within(Filter filter, Set<Leaf> outside) {
        if (filter instanceof Or or) {
            return amongBranches(or) || anyWithin(or.members(), outside);
        }
        // Only a disjunction of equal predicates becomes a list of one.
        if (filter instanceof In in && in.values().size() + in.regexes().size() == 1) {
            return true;
        }
        Set<Leaf> known = new HashSet<>(outside);
        List<Filter> members = filter instanceof And and ? and.members() : List.of(filter);
        for (Filter member : members) {
            Leaf leaf = leaf(member);
            if (leaf != null && !known.add(leaf)) {
                return true;
            }
        }
        return filter instanceof And
                && anyWithin(members.stream().filter(m -> leaf(m) == null).toList(), known);
    }

    private static boolean anyWithin(List<Filter> filters, Set<Leaf> outside) {
        for (Filter filter : filters) {
            if (within(filter, outside)) {
                return true;
            }
        }
        return false;
    }

    private static boolean amongBranches(Or or) {
        if (or.members().size() > MAX_BRANCHES) {
            return false;
        }
        List<Set<Leaf>> branches = new ArrayList<>(or.members().size());
        for (Filter branch : or.members()) {
            Set<Leaf> leaves = new HashSet<>();
            for (Filter member : branch instanceof And and ? and.members() : List.of(branch)) {
                Leaf leaf = leaf(member);
                if (leaf != null) {
                    leaves.add(leaf);
                }
            }
            branches.add(leaves);
        }
        for (int i = 0; i < branches.size(); i++) {
            for (int j = 0; j < branches.size(); j++) {
                boolean smaller = i != j && isOnlyLeaves(or.members().get(i), branches.get(i));
                if (smaller && branches.get(j).containsAll(branches.get(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the leaves are all there is of a branch. */
    private static boolean isOnlyLeaves(Filter branch, Set<Leaf> leaves) {
        return leaves.size() == (branch instanceof And and ? and.members().size() : 1);
    }

    private static @Nullable Leaf leaf(Filter filter) {
        if (filter instanceof Compare compare) {
            return new Leaf(filter.rank(), filter.path(), ByteBuffer.wrap(KeyBytes.of(compare.value())));
        } else if (filter instanceof In in && in.regexes().isEmpty()) {
            KeyBytes operand = new KeyBytes();
            for (BsonValueView value : in.values()) {
                operand.append(value);
            }
            return new Leaf(filter.rank(), filter.path(), ByteBuffer.wrap(operand.toByteArray()));
        }
        return null;
    }
}
