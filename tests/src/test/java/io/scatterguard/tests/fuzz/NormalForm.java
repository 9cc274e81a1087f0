package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Node.Always;
import io.scatterguard.tests.fuzz.Node.And;
import io.scatterguard.tests.fuzz.Node.Compare;
import io.scatterguard.tests.fuzz.Node.In;
import io.scatterguard.tests.fuzz.Node.Not;
import io.scatterguard.tests.fuzz.Node.Op;
import io.scatterguard.tests.fuzz.Node.Or;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The normal form of a filter (targeting semantics §6.2; for 9.0 the additions of the addendum's §A.4). */
final class NormalForm {
    private final boolean folding;

    private boolean open;

    /** @param folding whether constants are folded through negations and empty lists (9.0) */
    NormalForm(boolean folding) {
        this.folding = folding;
    }

    /** Whether the specification leaves open what the normal form is. */
    boolean open() {
        return open;
    }

    Node of(Node node) {
        if (node instanceof And and) {
            return and(all(and.members()));
        } else if (node instanceof Or or) {
            return or(all(or.members()));
        } else if (node instanceof Node.Nor nor) {
            return nor(all(nor.members()));
        } else if (node instanceof Not not) {
            return not(of(not.member()));
        } else if (node instanceof Node.ElemObject elem) {
            Node member = of(elem.member());
            return folding && isAlways(member, false) ? member : new Node.ElemObject(elem.path(), member);
        } else if (node instanceof Node.ElemValue elem) {
            List<Node> members = all(elem.members());
            boolean never = members.stream().anyMatch(m -> isAlways(m, false));
            return folding && never ? new Always(false) : new Node.ElemValue(elem.path(), members);
        } else if (node instanceof In in) {
            return in(in);
        }
        return node;
    }

    private List<Node> all(List<Node> nodes) {
        return nodes.stream().map(this::of).toList();
    }

    private static boolean isAlways(Node node, boolean value) {
        return node instanceof Always always && always.value() == value;
    }

    private static Node and(List<Node> members) {
        List<Node> flat = new ArrayList<>();
        for (Node member : members) {
            if (isAlways(member, false)) {
                return member;
            } else if (member instanceof And inner) {
                flat.addAll(inner.members());
            } else if (!isAlways(member, true)) {
                flat.add(member);
            }
        }
        return flat.isEmpty() ? new Always(true) : flat.size() == 1 ? flat.get(0) : new And(flat);
    }

    private Node or(List<Node> members) {
        List<Node> flat = new ArrayList<>();
        for (Node member : members) {
            if (isAlways(member, true)) {
                return member;
            } else if (member instanceof Or inner) {
                flat.addAll(inner.members());
            } else if (!isAlways(member, false)) {
                flat.add(member);
            }
        }
        List<Node> gathered = gathered(flat);
        return gathered.isEmpty() ? new Always(false) : gathered.size() == 1 ? gathered.get(0) : new Or(gathered);
    }

    /** Two or more equalities or regexes on one path become one list. */
    private List<Node> gathered(List<Node> branches) {
        Map<String, List<Node>> byPath = new LinkedHashMap<>();
        for (Node branch : branches) {
            String path = path(branch);
            if (path != null) {
                byPath.computeIfAbsent(path, p -> new ArrayList<>()).add(branch);
            }
        }
        byPath.values().removeIf(group -> group.size() < 2);
        List<Node> result = new ArrayList<>();
        for (Node branch : branches) {
            if (!byPath.containsKey(Objects.requireNonNullElse(path(branch), ""))) {
                result.add(branch);
            }
        }
        byPath.forEach((path, group) -> {
            Node list = in(list(path, group));
            // It is not said whether a list that is made here, of one value only, is looked at again.
            open |= !(list instanceof In);
            result.add(list);
        });
        return result;
    }

    private static In list(String path, List<Node> group) {
        List<BsonValue> values = new ArrayList<>();
        List<BsonRegularExpression> regexes = new ArrayList<>();
        for (Node node : group) {
            if (node instanceof Compare equality) {
                values.add(equality.value());
            } else if (node instanceof Node.Regex regex) {
                regexes.add(regex.regex());
            }
        }
        return new In(path, values, regexes);
    }

    /** The path under which a branch is gathered; null if it is not. */
    private static @Nullable String path(Node branch) {
        if (branch instanceof Compare compare) {
            return compare.isEquality() && !compare.value().isRegularExpression() ? compare.path() : null;
        }
        return branch instanceof Node.Regex regex ? regex.path() : null;
    }

    private Node nor(List<Node> members) {
        List<Node> rest =
                members.stream().filter(m -> !(folding && isAlways(m, false))).toList();
        if (folding && rest.stream().anyMatch(m -> isAlways(m, true))) {
            return new Always(false);
        }
        return rest.isEmpty() ? new Always(true) : rest.size() == 1 ? not(rest.get(0)) : new Node.Nor(rest);
    }

    private Node not(Node member) {
        return folding && member instanceof Always always ? new Always(!always.value()) : new Not(member);
    }

    private Node in(In in) {
        List<BsonValue> values = new ArrayList<>();
        for (BsonValue value : in.values()) {
            if (values.stream().noneMatch(v -> BsonOrder.compare(v, value) == 0)) {
                values.add(value);
            }
        }
        Set<BsonRegularExpression> regexes = new LinkedHashSet<>(in.regexes());
        if (values.size() == 1 && regexes.isEmpty()) {
            return new Compare(in.path(), Op.EQ, values.get(0), true);
        } else if (values.isEmpty() && regexes.size() == 1) {
            return new Node.Regex(in.path(), regexes.iterator().next());
        } else if (folding && values.isEmpty() && regexes.isEmpty()) {
            return new Always(false);
        }
        return new In(in.path(), values, List.copyOf(regexes));
    }
}
