package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Node.And;
import io.scatterguard.tests.fuzz.Node.Not;
import io.scatterguard.tests.fuzz.Node.Or;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the Boolean simplifier leaves of a disjunction of conjunctions (8.0, addendum §A.4): a predicate stands once in a
 * branch, a branch with a predicate and its negation is gone, and so is one that holds all of another.
 */
final class Simplifier {
    /** Beyond, the simplifier is believed to give up; not verified. */
    private static final int MAX_PREDICATES = 16;

    private Simplifier() {}

    /** The simplified filter; {@code filter} itself if it is of another form or has too many distinct predicates. */
    static Node simplified(Node filter) {
        Set<Object> predicates = new HashSet<>();
        collect(filter, predicates);
        return predicates.size() > MAX_PREDICATES ? filter : minimal(filter);
    }

    private static void collect(Node filter, Set<Object> predicates) {
        if (filter instanceof And and) {
            and.members().forEach(member -> collect(member, predicates));
        } else if (filter instanceof Or or) {
            or.members().forEach(member -> collect(member, predicates));
        } else if (filter instanceof Node.Nor nor) {
            nor.members().forEach(member -> collect(member, predicates));
        } else {
            predicates.add(key(filter));
        }
    }

    private static Node minimal(Node filter) {
        List<Map<Object, Node>> branches = new ArrayList<>();
        for (Node member : filter instanceof Or or ? or.members() : List.of(filter)) {
            Map<Object, Node> branch = new LinkedHashMap<>();
            for (Node leaf : member instanceof And and ? and.members() : List.of(member)) {
                if (isCompound(leaf)) {
                    return filter;
                }
                branch.putIfAbsent(key(leaf), leaf);
            }
            boolean contradictory = branch.values().stream().anyMatch(leaf -> branch.containsKey(new Not(leaf)));
            if (!contradictory) {
                branches.add(branch);
            }
        }
        return disjunction(withoutAbsorbed(branches));
    }

    private static boolean isCompound(Node leaf) {
        Node inner = leaf instanceof Not not ? not.member() : leaf;
        return inner instanceof And || inner instanceof Or || inner instanceof Node.Nor || inner instanceof Not;
    }

    /** A predicate of which not everything is kept is like no other. */
    private static Object key(Node leaf) {
        Node inner = leaf instanceof Not not ? not.member() : leaf;
        boolean kept = inner instanceof Node.Compare
                || inner instanceof Node.In
                || inner instanceof Node.Regex
                || inner instanceof Node.Exists;
        return kept ? leaf : new Object();
    }

    private static List<Map<Object, Node>> withoutAbsorbed(List<Map<Object, Node>> branches) {
        List<Map<Object, Node>> rest = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            Set<Object> keys = branches.get(i).keySet();
            boolean absorbed = false;
            for (int j = 0; j < branches.size(); j++) {
                Set<Object> other = branches.get(j).keySet();
                boolean smaller = other.size() < keys.size() || (other.size() == keys.size() && j < i);
                absorbed |= smaller && keys.containsAll(other);
            }
            if (!absorbed) {
                rest.add(branches.get(i));
            }
        }
        return rest;
    }

    private static Node disjunction(List<Map<Object, Node>> branches) {
        List<Node> members = new ArrayList<>();
        for (Map<Object, Node> branch : branches) {
            List<Node> leaves = List.copyOf(branch.values());
            members.add(leaves.size() == 1 ? leaves.get(0) : new And(leaves));
        }
        return members.isEmpty() ? new Node.Always(false) : members.size() == 1 ? members.get(0) : new Or(members);
    }
}
