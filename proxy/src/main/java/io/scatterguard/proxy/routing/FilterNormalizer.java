package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.routing.Filter.Always;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.ElemMatchValue;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.Filter.Regex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonType;

/** Puts a filter into the router's normal form, as far as that affects the shards (targeting semantics §6.2). */
final class FilterNormalizer {
    private final boolean orBecomesIn;
    private final boolean foldsFalse;

    private final IntervalBudget budget;

    private FilterNormalizer(RouterRelease release, IntervalBudget budget) {
        this.budget = budget;
        this.orBecomesIn = release.atLeast(6, 0);
        this.foldsFalse = release.atLeast(9, 0);
    }

    /**
     * The filter as a router of {@code release} sees it.
     *
     * @throws FilterException if it takes more than {@code budget} has left
     */
    static Filter normalize(Filter filter, RouterRelease release, IntervalBudget budget) {
        return Simplification.simplified(normalForm(filter, release, budget), release, budget);
    }

    /** As above, with what newer routers would simplify still in it. */
    static Filter normalForm(Filter filter, RouterRelease release, IntervalBudget budget) {
        return new FilterNormalizer(release, budget).normalize(filter);
    }

    private Filter normalize(Filter filter) {
        if (filter instanceof And and) {
            return and(and.members());
        } else if (filter instanceof Or or) {
            return or(or.members());
        } else if (filter instanceof Nor nor) {
            return nor(nor.members());
        } else if (filter instanceof Not not) {
            return negated(normalize(not.member()));
        } else if (filter instanceof In in) {
            return in(in);
        } else if (filter instanceof ElemMatchObject elem) {
            Filter member = normalize(elem.member());
            return isFoldedFalse(member) ? Filters.FALSE : new ElemMatchObject(elem.path(), member);
        } else if (filter instanceof ElemMatchValue elem) {
            List<Filter> elements = normalizeAll(elem.members());
            return elements.stream().anyMatch(this::isFoldedFalse)
                    ? Filters.FALSE
                    : new ElemMatchValue(elem.path(), elements);
        }
        return filter;
    }

    private boolean isFoldedFalse(Filter filter) {
        return foldsFalse && filter.equals(Filters.FALSE);
    }

    private Filter negated(Filter member) {
        if (foldsFalse && member instanceof Always always) {
            return always.value() ? Filters.FALSE : Filters.TRUE;
        }
        return new Not(member);
    }

    private List<Filter> normalizeAll(List<Filter> members) {
        List<Filter> normal = new ArrayList<>(members.size());
        for (Filter member : members) {
            normal.add(normalize(member));
        }
        return normal;
    }

    private Filter and(List<Filter> members) {
        List<Filter> flat = new ArrayList<>(members.size());
        for (Filter member : members) {
            Filter normal = normalize(member);
            if (normal instanceof And and) {
                flat.addAll(and.members());
            } else if (!(normal instanceof Always)) {
                flat.add(normal);
            } else if (normal.equals(Filters.FALSE)) {
                return Filters.FALSE;
            }
        }
        if (flat.isEmpty()) {
            return Filters.TRUE;
        }
        if (flat.size() == 1) {
            return flat.get(0);
        }
        flat.sort(FilterOrder.INSTANCE);
        return new And(flat);
    }

    private Filter or(List<Filter> members) {
        List<Filter> flat = new ArrayList<>(members.size());
        for (Filter member : members) {
            Filter normal = normalize(member);
            if (normal instanceof Or or) {
                flat.addAll(or.members());
            } else if (!(normal instanceof Always)) {
                flat.add(normal);
            } else if (normal.equals(Filters.TRUE)) {
                return Filters.TRUE;
            }
        }
        if (orBecomesIn && flat.size() > 1) {
            flat = gathered(flat);
        }
        if (flat.isEmpty()) {
            return Filters.FALSE;
        }
        if (flat.size() == 1) {
            return flat.get(0);
        }
        flat.sort(FilterOrder.INSTANCE);
        return new Or(flat);
    }

    /** Two or more equalities or regexes on one and the same path become one {@code $in}. */
    private List<Filter> gathered(List<Filter> branches) {
        Map<String, List<Filter>> byPath = new LinkedHashMap<>();
        List<Filter> rest = new ArrayList<>(branches.size());
        for (Filter branch : branches) {
            if (branch instanceof Regex || (branch instanceof Compare compare && gathers(compare))) {
                byPath.computeIfAbsent(branch.path(), p -> new ArrayList<>(2)).add(branch);
            } else {
                rest.add(branch);
            }
        }
        for (List<Filter> group : byPath.values()) {
            rest.add(group.size() == 1 ? group.get(0) : asIn(group));
        }
        return rest;
    }

    /** An equality with a regex as a value cannot stand in a list, where it would be a pattern. */
    private static boolean gathers(Compare compare) {
        return compare.isEquality() && compare.value().type() != BsonType.REGULAR_EXPRESSION;
    }

    /** Even of one value it stays a list: the router does not look at it again. */
    private Filter asIn(List<Filter> group) {
        List<BsonValueView> values = new ArrayList<>(group.size());
        List<Regex> regexes = new ArrayList<>(0);
        for (Filter branch : group) {
            if (branch instanceof Compare compare) {
                values.add(compare.value());
            } else if (branch instanceof Regex regex) {
                regexes.add(regex);
            }
        }
        return new In(group.get(0).path(), distinct(values), regexes);
    }

    private Filter nor(List<Filter> members) {
        List<Filter> normal = normalizeAll(members);
        if (foldsFalse) {
            normal.removeIf(this::isFoldedFalse);
            if (normal.isEmpty() || normal.contains(Filters.TRUE)) {
                return normal.isEmpty() ? Filters.TRUE : Filters.FALSE;
            }
        }
        return normal.size() == 1 ? negated(normal.get(0)) : new Nor(normal);
    }

    /** One value is an equality, one regex a regex match. */
    private Filter in(In in) {
        if (foldsFalse && in.values().isEmpty() && in.regexes().isEmpty()) {
            return Filters.FALSE;
        }
        if (in.values().size() == 1 && in.regexes().isEmpty()) {
            return new Compare(in.path(), Op.EQ, in.values().get(0), true);
        }
        if (in.values().isEmpty() && in.regexes().size() == 1) {
            return in.regexes().get(0);
        }
        List<BsonValueView> distinct = distinct(in.values());
        return distinct.size() == in.values().size() ? in : in(new In(in.path(), distinct, in.regexes()));
    }

    private List<BsonValueView> distinct(List<BsonValueView> values) {
        if (values.size() < 2) {
            return values;
        }
        byte[][] keys = new byte[values.size()][];
        for (int i = 0; i < keys.length; i++) {
            budget.copy(values.get(i).length());
            keys[i] = KeyBytes.of(values.get(i));
        }
        byte[][] sorted = keys.clone();
        Arrays.sort(sorted, KeyBytes::compare);
        for (int i = 1; i < sorted.length; i++) {
            if (Arrays.equals(sorted[i - 1], sorted[i])) {
                return firsts(values, keys);
            }
        }
        return values;
    }

    /** The first of each value, in the order of their keys. */
    private static List<BsonValueView> firsts(List<BsonValueView> values, byte[][] keys) {
        Map<byte[], BsonValueView> distinct = new TreeMap<>(KeyBytes::compare);
        for (int i = 0; i < keys.length; i++) {
            distinct.putIfAbsent(keys[i], values.get(i));
        }
        return List.copyOf(distinct.values());
    }
}
