package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.Expression;
import io.scatterguard.proxy.routing.Filter.Opaque;

/** Whether a filter has anything to do with a path: in any operator, on the path itself, above it or below it. */
final class Mentions {
    private Mentions() {}

    static boolean of(Filter filter, String path) {
        return of(filter, "", path);
    }

    /** @param prefix the path of an enclosing {@code $elemMatch}, with its dot */
    private static boolean of(Filter filter, String prefix, String path) {
        if (filter instanceof Opaque opaque) {
            return opaque.everything() || opaque.paths().stream().anyMatch(p -> overlaps(p, path));
        } else if (filter instanceof Expression expression) {
            return expression.everything() || expression.paths().stream().anyMatch(p -> overlaps(p, path));
        }
        String own = filter.path();
        if (!own.isEmpty() && overlaps(prefix + own, path)) {
            return true;
        }
        String below = filter instanceof ElemMatchObject ? prefix + own + "." : prefix;
        return Filters.members(filter).stream().anyMatch(member -> of(member, below, path));
    }

    /** Whether something that cannot be read in it may be a constant, and so make all of it false. */
    static boolean mayBeFalse(Filter filter) {
        return filter instanceof Opaque opaque
                ? opaque.everything() || opaque.paths().isEmpty()
                : Filters.members(filter).stream().anyMatch(Mentions::mayBeFalse);
    }

    private static boolean overlaps(String a, String b) {
        return isAtOrBelow(a, b) || isAtOrBelow(b, a);
    }

    private static boolean isAtOrBelow(String path, String parent) {
        return path.startsWith(parent) && (path.length() == parent.length() || path.charAt(parent.length()) == '.');
    }
}
