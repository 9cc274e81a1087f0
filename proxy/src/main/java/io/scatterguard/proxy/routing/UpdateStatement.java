package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import org.jspecify.annotations.Nullable;

/**
 * One statement of an {@code update}; borrows the command's bytes.
 *
 * @param filter {@code q}; null for none
 * @param modification {@code u}
 */
record UpdateStatement(
        @Nullable BsonValueView filter, @Nullable BsonValueView modification, boolean multi, boolean upsert) {

    static UpdateStatement of(BsonView statement) {
        return new UpdateStatement(
                statement.get("q"), statement.get("u"), isSet(statement, "multi"), isSet(statement, "upsert"));
    }

    static boolean isSet(BsonView statement, String flag) {
        BsonValueView value = statement.get(flag);
        return value != null && value.isTruthy();
    }

    /** The replacement document; null for operators and pipelines. */
    @Nullable BsonView replacement() {
        if (modification == null || !modification.isDocument()) {
            return null;
        }
        BsonView document = modification.document();
        BsonCursor cursor = document.cursor();
        return cursor.next() && cursor.nameStartsWith("$") ? null : document;
    }

    /** Whether operators and plain fields stand side by side, which the router refuses. */
    boolean isMixed() {
        if (modification == null || !modification.isDocument()) {
            return false;
        }
        BsonCursor cursor = modification.document().cursor();
        boolean operators = false;
        boolean fields = false;
        while (cursor.next()) {
            boolean operator = cursor.nameStartsWith("$");
            operators |= operator;
            fields |= !operator;
        }
        return operators && fields;
    }
}
