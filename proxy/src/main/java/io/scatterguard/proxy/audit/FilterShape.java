package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes query filters: logical operators and conditions keep their structure, what is compared with is a type token. */
final class FilterShape {
    private final ShapeText out;
    private final ExpressionShape expressions;

    FilterShape(ShapeText out) {
        this.out = out;
        this.expressions = new ExpressionShape(out);
    }

    /** Writes a filter, or the conditions on one field: both are documents of operators and names. */
    boolean write(BsonValueView value) {
        if (!value.isDocument()) {
            return out.token(value);
        }
        out.document(value.document(), this::member);
        return true;
    }

    /**
     * Writes a filter in which each of {@code first} stands with {@code placeholder}, and then what it says of other names.
     *
     * @param value null, or no document, for no filter
     */
    void write(@Nullable BsonValueView value, List<String> first, String placeholder) {
        ShapeText.Members members = out.beginDocument(false, first, placeholder);
        BsonCursor cursor =
                value != null && value.isDocument() ? value.document().cursor() : null;
        while (cursor != null
                && cursor.next()
                && (first.contains(cursor.name()) || members.add(cursor.name(), cursor.value(), this::member))) {}
        members.end();
    }

    private boolean member(String name, BsonValueView value) {
        if (!name.startsWith("$")) {
            return condition(value);
        }
        return switch (name) {
            case "$comment" -> false;
            case "$and", "$or", "$nor" -> branches(value);
            case "$not", "$elemMatch" -> value.isDocument() ? write(value) : out.token(value);
            case "$expr" -> expressions.write(value);
            default -> out.token(value);
        };
    }

    private boolean branches(BsonValueView value) {
        if (!value.isArray()) {
            return out.token(value);
        }
        out.alternatives(value.document(), this::write);
        return true;
    }

    /** A document is a condition if it begins with an operator, else a literal to be compared with as a whole. */
    private boolean condition(BsonValueView value) {
        return beginsWithOperator(value) ? write(value) : out.token(value);
    }

    /** Whether the first name is an operator; a DBRef is a literal. */
    static boolean beginsWithOperator(BsonValueView value) {
        if (!value.isDocument()) {
            return false;
        }
        BsonView document = value.document();
        BsonCursor cursor = document.cursor();
        return cursor.next() && cursor.nameStartsWith("$") && !cursor.nameEquals("$ref") && !cursor.nameEquals("$id");
    }
}
