package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Boundless;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.ElemMatchValue;
import io.scatterguard.proxy.routing.Filter.Exists;
import io.scatterguard.proxy.routing.Filter.HasType;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Mod;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.Filter.Regex;
import java.util.List;

/** Walks over the {@link Filter} algebra. */
final class Filters {
    /** Matches every document. */
    static final Filter TRUE = new Filter.Always(true);
    /** Matches none. */
    static final Filter FALSE = new Filter.Always(false);

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

    /** The same predicate on another path; anything without a path is not understood. */
    static Filter withPath(Filter predicate, String path) {
        if (predicate instanceof Compare compare) {
            return new Compare(path, compare.op(), compare.value(), compare.bracketed());
        } else if (predicate instanceof In in) {
            List<Regex> regexes = in.regexes().stream()
                    .map(r -> new Regex(path, r.pattern(), r.options()))
                    .toList();
            return new In(path, in.values(), regexes);
        } else if (predicate instanceof Regex regex) {
            return new Regex(path, regex.pattern(), regex.options());
        } else if (predicate instanceof Exists) {
            return new Exists(path);
        } else if (predicate instanceof HasType type) {
            return new HasType(path, type.classes(), type.array());
        } else if (predicate instanceof Mod) {
            return new Mod(path);
        } else if (predicate instanceof Not not) {
            return new Not(withPath(not.member(), path));
        } else if (predicate instanceof ElemMatchObject elem) {
            return new ElemMatchObject(path, elem.member());
        } else if (predicate instanceof ElemMatchValue elem) {
            return new ElemMatchValue(
                    path, elem.members().stream().map(m -> withPath(m, path)).toList());
        } else if (predicate instanceof Boundless) {
            return new Boundless(path, predicate.rank());
        }
        throw FilterException.notUnderstood();
    }
}
