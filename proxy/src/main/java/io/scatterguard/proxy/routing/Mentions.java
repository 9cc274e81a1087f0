package io.scatterguard.proxy.routing;

import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.Expression;
import io.scatterguard.proxy.routing.Filter.Opaque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a filter has anything to do with a path: in any operator, on the path itself, above it or below it. */
final class Mentions {
    private final String path;
    /** Sets of paths that do not mention it; all that is opaque in one expression shares one. */
    private @Nullable Set<Set<String>> without;

    private Mentions(String path) {
        this.path = path;
    }

    static boolean of(Filter filter, String path) {
        return new Mentions(path).in(filter, "");
    }

    /** @param prefix the path of an enclosing {@code $elemMatch}, with its dot */
    private boolean in(Filter filter, String prefix) {
        if (filter instanceof Opaque opaque) {
            return opaque.everything() || in(opaque.paths());
        } else if (filter instanceof Expression expression) {
            return expression.everything() || in(expression.paths());
        }
        String own = filter.path();
        if (!own.isEmpty() && overlaps(prefix + own, path)) {
            return true;
        }
        String below = filter instanceof ElemMatchObject ? prefix + own + "." : prefix;
        for (Filter member : Filters.members(filter)) {
            if (in(member, below)) {
                return true;
            }
        }
        return false;
    }

    private boolean in(Set<String> paths) {
        if (without == null) {
            without = Collections.newSetFromMap(new IdentityHashMap<>());
        }
        if (without.contains(paths)) {
            return false;
        }
        without.add(paths);
        return paths.stream().anyMatch(p -> overlaps(p, path));
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
