package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.Filter.Opaque;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code $expr} (targeting semantics §6.4): comparisons between one field path and a constant, combined by
 * {@code $and} and {@code $or}. Whatever else could give bounds becomes {@link Opaque}, the rest gives none.
 *
 * @param let the command's {@code let}, null if there is none or the command ignores it
 * @param release decides which operators are looked at
 */
record ExprParser(@Nullable BsonView let, RouterRelease release) {
    private static final Filter OPAQUE = Opaque.UNREADABLE;

    /**
     * Appends what {@code $expr: expression} contributes. The expression itself stays in the filter besides.
     *
     * @param counter is told of every node
     */
    void parse(BsonValueView expression, List<Filter> out, Runnable counter) {
        Filter.Expression whole = ExprPaths.of(expression, counter);
        Filter bounds = rewritten(expression, 0);
        if (bounds == null) {
            out.add(new And(List.of(whole)));
        } else {
            Opaque opaque = new Opaque(whole.paths(), whole.everything());
            out.add(new And(List.of(whole, withPaths(bounds, opaque))));
        }
    }

    /** What could not be read reads no more than the whole expression does; in a conjunction once is enough. */
    private static Filter withPaths(Filter bounds, Opaque opaque) {
        if (bounds instanceof And and) {
            List<Filter> members = new ArrayList<>(and.members().size());
            boolean unread = false;
            for (Filter member : and.members()) {
                if (!(member instanceof Opaque)) {
                    members.add(withPaths(member, opaque));
                } else if (!unread) {
                    members.add(opaque);
                    unread = true;
                }
            }
            return new And(members);
        } else if (bounds instanceof Or or) {
            return new Or(or.members().stream().map(m -> withPaths(m, opaque)).toList());
        }
        return bounds instanceof Opaque ? opaque : bounds;
    }

    private @Nullable Filter rewritten(BsonValueView expression, int depth) {
        if (depth > BsonView.MAX_DEPTH) {
            throw FilterException.notUnderstood();
        }
        if (!expression.isDocument()) {
            return constantOrPath(expression, depth);
        }
        BsonCursor cursor = expression.document().cursor();
        if (!cursor.next() || !cursor.nameStartsWith("$")) {
            return OPAQUE;
        }
        String operator = cursor.name();
        BsonValueView operand = cursor.value();
        return switch (operator) {
            case "$and" -> and(operand, depth);
            case "$or" -> or(operand, depth);
            case "$eq" -> compare(Op.EQ, operand);
            case "$gt" -> compare(Op.GT, operand);
            case "$gte" -> compare(Op.GTE, operand);
            case "$lt" -> compare(Op.LT, operand);
            case "$lte" -> compare(Op.LTE, operand);
            case "$in" -> release.atLeast(9, 0) ? in(operand) : other(operand);
            default -> other(operand);
        };
    }

    /** A bare path is a truth test and a true constant says nothing; another constant may make the filter false. */
    private @Nullable Filter constantOrPath(BsonValueView expression, int depth) {
        boolean plain =
                expression.isNumber() || expression.type() == BsonType.BOOLEAN || expression.type() == BsonType.NULL;
        if (depth == 0 && plain && !expression.isTruthy() && release.atLeast(9, 0)) {
            return Filters.FALSE;
        }
        boolean isTrue = (expression.isNumber() || expression.type() == BsonType.BOOLEAN) && expression.isTruthy();
        return isTrue || ExprPaths.isFieldPath(expression) ? null : OPAQUE;
    }

    /**
     * Anything else gives no bounds before 7.0 and in 9.0, but for one function in 9.0 whose bounds are not known; in between
     * it is not settled. Without a field in it, it may be folded to a constant.
     */
    private @Nullable Filter other(BsonValueView operand) {
        boolean settled = !release.atLeast(7, 0) || (release.atLeast(9, 0) && !mentionsHash(operand, 0));
        return settled && ExprPaths.mentionsField(operand) ? null : OPAQUE;
    }

    private static boolean mentionsHash(BsonValueView expression, int depth) {
        if (!expression.isDocument() && !expression.isArray()) {
            return false;
        }
        BsonCursor cursor = expression.document().cursor();
        while (cursor.next()) {
            if (depth > BsonView.MAX_DEPTH
                    || cursor.nameEquals("$toHashedIndexKey")
                    || mentionsHash(cursor.value(), depth + 1)) {
                return true;
            }
        }
        return false;
    }

    /** A field in a list of constants is an ordinary list of values, unless one of them would mean something else there. */
    private @Nullable Filter in(BsonValueView operand) {
        List<BsonValueView> sides = operands(operand);
        boolean listed = sides.size() == 2
                && ExprPaths.isFieldPath(sides.get(0))
                && sides.get(1).isArray();
        if (!listed || !ExprPaths.isPlain(sides.get(1), 0)) {
            return other(operand);
        }
        List<BsonValueView> values = operands(sides.get(1));
        for (BsonValueView value : values) {
            switch (value.type()) {
                case ARRAY, NULL, UNDEFINED, REGULAR_EXPRESSION -> {
                    return null;
                }
                default -> {}
            }
        }
        String path = sides.get(0).string().substring(1);
        return values.isEmpty() ? Filters.FALSE : new Filter.In(path, values, List.of());
    }

    /** Members without bounds are left out. */
    private @Nullable Filter and(BsonValueView operand, int depth) {
        List<Filter> members = new ArrayList<>(2);
        for (BsonValueView member : operands(operand)) {
            Filter rewritten = rewritten(member, depth + 1);
            if (rewritten != null) {
                members.add(rewritten);
            }
        }
        return members.isEmpty() ? null : new And(members);
    }

    /** Of use only if every member is. */
    private @Nullable Filter or(BsonValueView operand, int depth) {
        List<Filter> members = new ArrayList<>(2);
        boolean usable = true;
        for (BsonValueView member : operands(operand)) {
            Filter rewritten = rewritten(member, depth + 1);
            if (rewritten instanceof Opaque) {
                return OPAQUE;
            }
            if (rewritten == null) {
                usable = false;
            } else {
                members.add(rewritten);
            }
        }
        return usable && !members.isEmpty() ? new Or(members) : null;
    }

    private @Nullable Filter compare(Op op, BsonValueView operand) {
        List<BsonValueView> sides = operands(operand);
        if (sides.size() != 2) {
            return OPAQUE;
        }
        boolean flipped = !ExprPaths.isFieldPath(sides.get(0));
        BsonValueView path = sides.get(flipped ? 1 : 0);
        BsonValueView other = sides.get(flipped ? 0 : 1);
        if (!ExprPaths.isFieldPath(path)) {
            return other(operand);
        }
        if (op != Op.EQ && !release.atLeast(5, 0)) {
            return null;
        }
        if (ExprPaths.isFieldPath(other)) {
            return null;
        }
        BsonValueView constant = constant(other);
        if (constant == null) {
            return ExprPaths.mentionsField(other) ? null : OPAQUE;
        }
        if (constant.isArray() || constant.type() == BsonType.UNDEFINED) {
            return null;
        }
        return new Compare(path.string().substring(1), flipped ? op.flipped() : op, constant, false);
    }

    /** The value of a literal, of {@code $literal} or of a {@code let} variable; null if it is none of these. */
    private @Nullable BsonValueView constant(BsonValueView expression) {
        if (expression.isString()) {
            String text = expression.string();
            return text.startsWith("$$") ? variable(text.substring(2)) : expression;
        }
        if (!expression.isDocument()) {
            return expression;
        }
        BsonCursor cursor = expression.document().cursor();
        if (cursor.next() && cursor.nameEquals("$literal")) {
            return cursor.value();
        }
        return ExprPaths.isPlain(expression, 0) ? expression : null;
    }

    private @Nullable BsonValueView variable(String name) {
        BsonValueView value = let == null ? null : let.get(name);
        if (value == null || (value.isString() && value.string().startsWith("$"))) {
            return null;
        }
        return value.isArray() ? null : constant(value);
    }

    private static List<BsonValueView> operands(BsonValueView operand) {
        if (!operand.isArray()) {
            return List.of(operand);
        }
        List<BsonValueView> operands = new ArrayList<>(2);
        BsonCursor cursor = operand.document().cursor();
        while (cursor.next()) {
            operands.add(cursor.value());
        }
        return operands;
    }
}
