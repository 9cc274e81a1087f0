package io.scatterguard.proxy.routing;

import java.util.Comparator;
import java.util.List;

/** The order the router gives to sibling predicates: operator kind, path, then members (targeting semantics §6.2). */
enum FilterOrder implements Comparator<Filter> {
    INSTANCE;

    @Override
    public int compare(Filter a, Filter b) {
        int order = Integer.compare(a.rank(), b.rank());
        if (order == 0) {
            order = a.path().compareTo(b.path());
        }
        return order == 0 ? compareMembers(Filters.members(a), Filters.members(b)) : order;
    }

    private int compareMembers(List<Filter> a, List<Filter> b) {
        int shared = Math.min(a.size(), b.size());
        for (int i = 0; i < shared; i++) {
            int order = compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }
}
