package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.ElemMatchValue;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.List;

/** Walks over the {@link Filter} algebra. */
final class Filters {
    private Filters() {}

    /** Whether a node of {@code type} stands anywhere in it. */
    static boolean contains(Filter filter, Class<? extends Filter> type) {
        if (type.isInstance(filter)) {
            return true;
        }
        for (Filter member : members(filter)) {
            if (contains(member, type)) {
                return true;
            }
        }
        return false;
    }

    /** The filters directly below a node. */
    static List<Filter> members(Filter filter) {
        if (filter instanceof And and) {
            return and.members();
        } else if (filter instanceof Or or) {
            return or.members();
        } else if (filter instanceof Nor nor) {
            return nor.members();
        } else if (filter instanceof Not not) {
            return List.of(not.member());
        } else if (filter instanceof ElemMatchObject elem) {
            return List.of(elem.member());
        } else if (filter instanceof ElemMatchValue elem) {
            return elem.members();
        }
        return List.of();
    }
}
