package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** The values that a filter pins a set of paths to by equality (targeting semantics §6.3). */
final class Equalities {
    private Equalities() {}

    /**
     * The value of each field of {@code key}, or null where the filter does not pin every one of them, or pins one
     * ambiguously.
     */
    static @Nullable List<BsonValueView> of(Filter filter, ShardKey key) {
        List<Compare> found = new ArrayList<>(key.size());
        if (!collect(filter, key, found)) {
            return null;
        }
        List<BsonValueView> values = new ArrayList<>(key.size());
        for (ShardKey.Field field : key.fields()) {
            BsonValueView value = valueAt(field.path(), found);
            if (value == null || !isKeyValue(value)) {
                return null;
            }
            values.add(value);
        }
        return values;
    }

    /** The equalities at the root or in a conjunction that concern the paths; false if two overlap or one is below. */
    private static boolean collect(Filter filter, ShardKey key, List<Compare> found) {
        if (filter instanceof And and) {
            for (Filter member : and.members()) {
                if (!collect(member, key, found)) {
                    return false;
                }
            }
        } else if (filter instanceof Compare compare && compare.isEquality()) {
            return add(compare, key, found);
        }
        return true;
    }

    private static boolean add(Compare compare, ShardKey key, List<Compare> found) {
        String path = compare.path();
        boolean relevant = false;
        for (ShardKey.Field field : key.fields()) {
            String wanted = field.path();
            if (isBelow(path, wanted)) {
                return false;
            }
            relevant |= path.equals(wanted) || isBelow(wanted, path);
        }
        if (!relevant) {
            return true;
        }
        for (Compare other : found) {
            if (path.equals(other.path()) || isBelow(path, other.path()) || isBelow(other.path(), path)) {
                return false;
            }
        }
        found.add(compare);
        return true;
    }

    private static boolean isBelow(String path, String parent) {
        return path.length() > parent.length() && path.charAt(parent.length()) == '.' && path.startsWith(parent);
    }

    /** From an equality on the path itself, or on a parent whose value is an object that holds the rest of it. */
    private static @Nullable BsonValueView valueAt(String path, List<Compare> found) {
        for (Compare compare : found) {
            if (compare.path().equals(path)) {
                return compare.value();
            }
            if (isBelow(path, compare.path()) && compare.value().isDocument()) {
                return DocumentKey.at(
                        compare.value().document(),
                        path.substring(compare.path().length() + 1));
            }
        }
        return null;
    }

    private static boolean isKeyValue(BsonValueView value) {
        return switch (value.type()) {
            case ARRAY, REGULAR_EXPRESSION, UNDEFINED -> false;
            case DOCUMENT -> !hasDollarField(value.document(), 0);
            default -> true;
        };
    }

    private static boolean hasDollarField(BsonView document, int depth) {
        if (depth > BsonView.MAX_DEPTH) {
            throw FilterException.notUnderstood();
        }
        BsonCursor cursor = document.cursor();
        while (cursor.next()) {
            if (cursor.nameStartsWith("$")
                    || (cursor.type() == BsonType.DOCUMENT
                            && hasDollarField(cursor.value().document(), depth + 1))) {
                return true;
            }
        }
        return false;
    }
}
