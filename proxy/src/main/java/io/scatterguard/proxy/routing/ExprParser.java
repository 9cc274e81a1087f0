package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.Filter.Opaque;
import io.scatterguard.proxy.routing.Filter.Or;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

    /** Reads no field, so that a router may fold it to a constant, which makes a conjunction false. */
    private static final Filter CONSTANT = new Opaque(Set.of(), false);

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
                if (!(member instanceof Opaque) || member == CONSTANT) {
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
        return bounds instanceof Opaque && bounds != CONSTANT ? opaque : bounds;
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
            case "$eq" -> compare(Op.EQ, operand, depth);
            case "$gt" -> compare(Op.GT, operand, depth);
            case "$gte" -> compare(Op.GTE, operand, depth);
            case "$lt" -> compare(Op.LT, operand, depth);
            case "$lte" -> compare(Op.LTE, operand, depth);
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
        return isTrue || ExprPaths.isFieldPath(expression) ? null : CONSTANT;
    }

    /**
     * Anything else gives no bounds before 7.0 and in 9.0, but for one function in 9.0 whose bounds are not known; in between
     * it is not settled. Without a field in it, it may be folded to a constant.
     */
    private @Nullable Filter other(BsonValueView operand) {
        boolean settled = !release.atLeast(7, 0) || (release.atLeast(9, 0) && !mentionsHash(operand, 0));
        if (!ExprPaths.mentionsField(operand)) {
            return CONSTANT;
        }
        return settled ? null : OPAQUE;
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
        if (sides.size() != 2 || !ExprPaths.isFieldPath(sides.get(0))) {
            return other(operand);
        }
        List<BsonValueView> values = constants(sides.get(1));
        if (values == null) {
            // What reads no field is folded to a list all the same, but not here.
            return ExprPaths.mentionsField(sides.get(1)) ? other(operand) : OPAQUE;
        }
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

    /** The members of a list of literals, {@code $literal} and {@code let} variables; null if it is anything else. */
    private @Nullable List<BsonValueView> constants(BsonValueView list) {
        BsonValueView array = list;
        if (list.isString() && list.string().startsWith("$$")) {
            BsonValueView variable = let == null ? null : let.get(list.string().substring(2));
            if (variable == null) {
                return null;
            }
            array = variable;
        }
        if (isLiteral(array)) {
            BsonValueView literal = constant(array);
            return literal != null && literal.isArray() ? operands(literal) : null;
        }
        if (!array.isArray()) {
            return null;
        }
        List<BsonValueView> values = new ArrayList<>();
        for (BsonValueView member : operands(array)) {
            boolean computed = ExprPaths.isFieldPath(member) || (member.isArray() && !ExprPaths.isPlain(member, 0));
            BsonValueView value = computed ? null : constant(member);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return values;
    }

    private static boolean isLiteral(BsonValueView expression) {
        BsonCursor cursor = expression.isDocument() ? expression.document().cursor() : null;
        return cursor != null && cursor.next() && cursor.nameEquals("$literal");
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
        int constants = 0;
        for (BsonValueView member : operands(operand)) {
            Filter rewritten = rewritten(member, depth + 1);
            if (rewritten == CONSTANT) {
                constants++;
            } else if (rewritten instanceof Opaque) {
                return OPAQUE;
            } else if (rewritten == null) {
                usable = false;
            } else {
                members.add(rewritten);
            }
        }
        if (constants > 0) {
            return usable && members.isEmpty() ? CONSTANT : OPAQUE;
        }
        return usable && !members.isEmpty() ? new Or(members) : null;
    }

    private @Nullable Filter compare(Op op, BsonValueView operand, int depth) {
        List<BsonValueView> sides = operands(operand);
        if (sides.size() != 2) {
            return OPAQUE;
        }
        boolean flipped = !ExprPaths.isFieldPath(sides.get(0));
        BsonValueView path = sides.get(flipped ? 1 : 0);
        BsonValueView other = sides.get(flipped ? 0 : 1);
        if (!ExprPaths.isFieldPath(path)) {
            return depth == 0 && release.atLeast(9, 0) ? ofConstants(op, sides, operand) : other(operand);
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

    /** Two numbers are compared in advance; how texts compare depends on the collation. */
    private @Nullable Filter ofConstants(Op op, List<BsonValueView> sides, BsonValueView operand) {
        BsonValueView left = constant(sides.get(0));
        BsonValueView right = constant(sides.get(1));
        if (left == null || right == null || !left.isNumber() || !right.isNumber()) {
            return other(operand);
        }
        int order = KeyBytes.compare(KeyBytes.of(left), KeyBytes.of(right));
        boolean holds = switch (op) {
            case EQ -> order == 0;
            case LTE -> order <= 0;
            case LT -> order < 0;
            case GT -> order > 0;
            case GTE -> order >= 0;
        };
        return holds ? null : Filters.FALSE;
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
        if (isLiteral(expression)) {
            return expression.document().get("$literal");
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
