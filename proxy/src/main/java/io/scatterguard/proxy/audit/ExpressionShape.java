package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import org.bson.BsonType;

/**
 * Writes aggregation expressions, projections and sort specifications. Operators and field paths stay; whatever the server
 * would take as a constant is a type token.
 */
final class ExpressionShape {
    private final ShapeText out;

    ExpressionShape(ShapeText out) {
        this.out = out;
    }

    /** Writes an expression. */
    boolean write(BsonValueView value) {
        return switch (value.type()) {
            case STRING -> string(value);
            case DOCUMENT -> {
                out.document(value.document(), this::member);
                yield true;
            }
            case ARRAY -> array(value);
            default -> out.token(value);
        };
    }

    private boolean member(String name, BsonValueView value) {
        return switch (name) {
            case "$comment" -> false;
            // $const is another name of $literal; $meta takes a word.
            case "$literal", "$const", "$function", "$accumulator", "$meta" -> out.token(value);
            default -> write(value);
        };
    }

    private boolean string(BsonValueView value) {
        String path = value.length() > FieldNames.MAX_PATH_CHARS ? null : FieldNames.foldExpressionPath(value.string());
        out.append(path == null ? "?string" : path);
        return true;
    }

    private boolean array(BsonValueView value) {
        BsonView members = value.document();
        if (holdsOnlyConstants(members)) {
            return out.token(value);
        }
        out.list(members, this::write);
        return true;
    }

    /** Whether no member can hold a field path: such a list is one literal, however long it is. */
    private static boolean holdsOnlyConstants(BsonView members) {
        BsonCursor cursor = members.cursor();
        for (int i = 0; i < TypeToken.MAX_LIST_MEMBERS && cursor.next(); i++) {
            BsonType type = cursor.type();
            boolean path = type == BsonType.STRING && startsWithDollar(cursor.value());
            if (path || type == BsonType.DOCUMENT || type == BsonType.ARRAY) {
                return false;
            }
        }
        return true;
    }

    private static boolean startsWithDollar(BsonValueView value) {
        return value.length() <= FieldNames.MAX_PATH_CHARS && value.string().startsWith("$");
    }

    /** Writes a projection: included is 1, excluded 0, whatever number or bool says so; the rest are expressions. */
    boolean projection(BsonValueView value) {
        if (!value.isDocument()) {
            return out.token(value);
        }
        out.document(value.document(), this::projected);
        return true;
    }

    private boolean projected(String name, BsonValueView value) {
        if (name.startsWith("$")) {
            return name.equals("$elemMatch") ? new FilterShape(out).write(value) : member(name, value);
        }
        if (value.isNumber() || value.type() == BsonType.BOOLEAN) {
            out.append(value.isTruthy() ? "1" : "0");
            return true;
        }
        return value.isDocument() ? projection(value) : write(value);
    }

    /** Writes a sort specification or an index pattern: the direction is structure; it is a document or a constant. */
    boolean sort(BsonValueView value) {
        if (!value.isDocument()) {
            return out.token(value);
        }
        out.document(value.document(), (name, direction) -> {
            if (direction.isNumber()) {
                out.append(direction.numberAsLong() < 0 ? "-1" : "1");
                return true;
            }
            return direction.isDocument() ? write(direction) : out.token(direction);
        });
        return true;
    }
}
