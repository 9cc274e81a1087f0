package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.TypeClass;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.ElemMatchValue;
import io.scatterguard.proxy.routing.Filter.HasType;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Mod;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.Filter.Regex;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.types.ObjectId;

/** What a normalised filter asks of one field, outside of negations. */
final class KeyPredicates {
    /** How many values of a list are looked at. */
    private static final int MAX_VALUES = 1_000;

    private KeyPredicates() {}

    /** The members of the conjunction that a filter is. */
    static Stream<Filter> conjunction(Filter filter) {
        return filter instanceof And and
                ? and.members().stream().flatMap(KeyPredicates::conjunction)
                : Stream.of(filter);
    }

    /** Whether every document that matches is narrowed on {@code path} by a positive predicate. */
    static boolean narrows(Filter filter, String path) {
        if (filter instanceof And and) {
            return and.members().stream().anyMatch(member -> narrows(member, path));
        } else if (filter instanceof Or or) {
            return or.members().stream().allMatch(member -> narrows(member, path));
        } else if (filter instanceof ElemMatchObject elem) {
            return isBelow(path, elem.path())
                    && narrows(elem.member(), path.substring(elem.path().length() + 1));
        } else if (filter instanceof Compare compare && isEqualityAbove(compare, path)) {
            return true;
        }
        boolean positive = filter instanceof Compare
                || filter instanceof In
                || filter instanceof Regex
                || filter instanceof Mod
                || filter instanceof HasType
                || filter instanceof ElemMatchValue;
        return positive && filter.path().equals(path);
    }

    /** Whether it is an equality on {@code path}, or on a parent of it with an object that holds the rest. */
    static boolean isEqualityOn(Filter filter, String path) {
        return filter instanceof Compare compare
                && compare.isEquality()
                && (compare.path().equals(path) || isEqualityAbove(compare, path));
    }

    private static boolean isEqualityAbove(Compare compare, String path) {
        return compare.isEquality()
                && isBelow(path, compare.path())
                && compare.value().isDocument()
                && DocumentKey.at(
                                compare.value().document(),
                                path.substring(compare.path().length() + 1))
                        != null;
    }

    static boolean isBelow(String path, String parent) {
        return path.length() > parent.length() && path.charAt(parent.length()) == '.' && path.startsWith(parent);
    }

    /** An equality or a list of values, whatever its path. */
    static boolean isLookup(Filter filter) {
        return filter instanceof In || (filter instanceof Compare compare && compare.isEquality());
    }

    /** The types that the filter compares a field with, in a conjunction or in branches. */
    static Given given(Filter filter, String path) {
        Given given = new Given();
        given.collect(filter, path);
        return given;
    }

    /** Types of operands; those of null, MinKey and MaxKey say nothing. */
    static final class Given {
        /** The length prefix, 24 characters and the end. */
        private static final int OBJECT_ID_TEXT_BYTES = 4 + 24 + 1;

        private final Set<TypeClass> types = EnumSet.noneOf(TypeClass.class);
        private boolean onlyObjectIdText = true;

        Set<TypeClass> types() {
            return types;
        }

        /** Whether all of them are strings of 24 hexadecimal digits. */
        boolean isObjectIdText() {
            return onlyObjectIdText && !types.isEmpty();
        }

        private void collect(Filter filter, String path) {
            if (filter instanceof And || filter instanceof Or) {
                Filters.members(filter).forEach(member -> collect(member, path));
            } else if (!filter.path().equals(path)) {
                return;
            } else if (filter instanceof Compare compare) {
                if (compare.bracketed() || compare.op() == Op.EQ) {
                    add(compare.value());
                }
            } else if (filter instanceof In in) {
                List<BsonValueView> values = in.values();
                values.subList(0, Math.min(values.size(), MAX_VALUES)).forEach(this::add);
                in.regexes().forEach(pattern -> addPattern());
            } else if (filter instanceof Regex) {
                addPattern();
            }
        }

        /** Any pattern asks for strings. */
        private void addPattern() {
            types.add(TypeClass.STRING);
            onlyObjectIdText = false;
        }

        private void add(BsonValueView value) {
            TypeClass type = TypeClass.of(value.type());
            switch (type) {
                case NULL, UNDEFINED, MIN_KEY, MAX_KEY -> {}
                default -> {
                    types.add(type);
                    onlyObjectIdText &= isObjectIdText(value);
                }
            }
        }

        private static boolean isObjectIdText(BsonValueView value) {
            return value.isString() && value.length() == OBJECT_ID_TEXT_BYTES && ObjectId.isValid(value.string());
        }
    }
}
