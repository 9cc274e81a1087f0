package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import java.util.HashSet;
import java.util.Set;

/** Which fields an aggregation expression reads. */
final class ExprPaths {
    private ExprPaths() {}

    /**
     * The expression as a whole, with the paths it reads.
     *
     * @param counter is told of every node
     */
    static Filter.Expression of(BsonValueView expression, Runnable counter) {
        Set<String> paths = new HashSet<>();
        boolean everything = collect(expression, paths, counter, 0);
        return new Filter.Expression(paths, everything);
    }

    /** Collects the field paths; true if a variable could stand for the whole document. */
    private static boolean collect(BsonValueView expression, Set<String> paths, Runnable counter, int depth) {
        if (expression.isString()) {
            if (isFieldPath(expression)) {
                paths.add(expression.string().substring(1));
            }
            return expression.stringStartsWith("$$ROOT") || expression.stringStartsWith("$$CURRENT");
        }
        boolean everything = depth > BsonView.MAX_DEPTH;
        if (!everything && (expression.isDocument() || expression.isArray())) {
            BsonCursor cursor = expression.document().cursor();
            while (cursor.next()) {
                counter.run();
                everything |= cursor.nameEquals("$getField");
                everything |= !cursor.nameEquals("$literal") && collect(cursor.value(), paths, counter, depth + 1);
            }
        }
        return everything;
    }

    /** {@code "$a"} or {@code "$a.b"}, but not {@code "$$variable"}. */
    static boolean isFieldPath(BsonValueView expression) {
        return expression.stringStartsWith("$") && !expression.stringStartsWith("$$") && !expression.stringEquals("$");
    }

    /** Whether a field path stands anywhere in it, so that it cannot be folded to a constant. */
    static boolean mentionsField(BsonValueView expression) {
        return !of(expression, () -> {}).paths().isEmpty();
    }

    /** Whether it is a value without any operator, path or variable in it. */
    static boolean isPlain(BsonValueView value, int depth) {
        if (value.isString()) {
            return !value.stringStartsWith("$");
        }
        if (value.isDocument() || value.isArray()) {
            if (depth > BsonView.MAX_DEPTH) {
                return false;
            }
            BsonCursor cursor = value.document().cursor();
            while (cursor.next()) {
                if (cursor.nameStartsWith("$") || !isPlain(cursor.value(), depth + 1)) {
                    return false;
                }
            }
        }
        return true;
    }
}
