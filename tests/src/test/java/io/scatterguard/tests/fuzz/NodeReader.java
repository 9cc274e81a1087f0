package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Node.And;
import io.scatterguard.tests.fuzz.Node.Compare;
import io.scatterguard.tests.fuzz.Node.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads the filters that {@link FilterGenerator} makes; anything else raises an {@link IllegalArgumentException}. */
final class NodeReader {
    private static final Map<String, Op> COMPARISONS =
            Map.of("$eq", Op.EQ, "$gt", Op.GT, "$gte", Op.GTE, "$lt", Op.LT, "$lte", Op.LTE);

    private final boolean exprIn;

    /** @param exprIn whether {@code $in} in {@code $expr} is rewritten (9.0) */
    NodeReader(boolean exprIn) {
        this.exprIn = exprIn;
    }

    Node filter(BsonDocument filter) {
        List<Node> members = new ArrayList<>();
        filter.forEach((name, value) -> {
            switch (name) {
                case "$and" -> members.add(new And(clauses(value)));
                case "$or" -> members.add(new Node.Or(clauses(value)));
                case "$nor" -> members.add(new Node.Nor(clauses(value)));
                case "$expr" -> members.add(expression(value));
                case "$alwaysFalse" -> members.add(new Node.Always(false));
                case "$alwaysTrue" -> members.add(new Node.Always(true));
                case "$comment" -> {}
                default -> path(name, value, members);
            }
        });
        return new And(members);
    }

    private List<Node> clauses(BsonValue value) {
        require(value.isArray() && !value.asArray().isEmpty(), value);
        return value.asArray().stream().map(v -> filter(v.asDocument())).toList();
    }

    private static void require(boolean condition, BsonValue value) {
        if (!condition) {
            throw new IllegalArgumentException("not a filter of the generator: " + value);
        }
    }

    static boolean isOperators(BsonValue value) {
        return value.isDocument()
                && !value.asDocument().isEmpty()
                && value.asDocument().getFirstKey().startsWith("$");
    }

    private void path(String path, BsonValue value, List<Node> out) {
        require(!path.startsWith("$"), value);
        if (value.isRegularExpression()) {
            out.add(new Node.Regex(path, value.asRegularExpression()));
        } else if (isOperators(value)) {
            operators(path, value.asDocument(), out);
        } else {
            out.add(new Compare(path, Op.EQ, value, true));
        }
    }

    private void operators(String path, BsonDocument operators, List<Node> out) {
        operators.forEach((name, operand) -> {
            switch (name) {
                case "$eq", "$gt", "$gte", "$lt", "$lte" ->
                    out.add(new Compare(path, COMPARISONS.get(name), operand, true));
                case "$ne" -> out.add(new Node.Not(new Compare(path, Op.EQ, operand, true)));
                case "$in" -> out.add(in(path, operand));
                case "$nin" -> out.add(new Node.Not(in(path, operand)));
                case "$not" -> out.add(not(path, operand));
                case "$exists" -> {
                    Node exists = new Node.Exists(path);
                    out.add(operand.asBoolean().getValue() ? exists : new Node.Not(exists));
                }
                case "$type" -> out.add(new Node.TypeIs(path, TypeNames.classes(operand)));
                case "$mod" -> out.add(new Node.Mod(path));
                case "$size" -> out.add(new Node.Unusable());
                case "$regex" -> out.add(regex(path, operand, operators));
                case "$options" -> require(operators.containsKey("$regex"), operators);
                case "$all" -> out.add(all(path, operand));
                case "$elemMatch" -> out.add(elemMatch(path, operand.asDocument()));
                case "$comment" -> {}
                default -> require(false, operators);
            }
        });
    }

    private static Node regex(String path, BsonValue pattern, BsonDocument siblings) {
        require(pattern.isString(), pattern);
        String options = siblings.getString("$options", new BsonString("")).getValue();
        return new Node.Regex(path, new BsonRegularExpression(pattern.asString().getValue(), options));
    }

    private static Node in(String path, BsonValue list) {
        List<BsonValue> values = new ArrayList<>();
        List<BsonRegularExpression> regexes = new ArrayList<>();
        for (BsonValue value : list.asArray()) {
            require(!isOperators(value), value);
            if (value.isRegularExpression()) {
                regexes.add(value.asRegularExpression());
            } else {
                values.add(value);
            }
        }
        return new Node.In(path, values, regexes);
    }

    private Node not(String path, BsonValue operand) {
        List<Node> members = new ArrayList<>();
        require(operand.isRegularExpression() || isOperators(operand), operand);
        path(path, operand, members);
        return new Node.Not(new And(members));
    }

    private Node all(String path, BsonValue list) {
        require(!list.asArray().isEmpty(), list);
        List<Node> members = new ArrayList<>();
        list.asArray().forEach(value -> path(path, value, members));
        return new And(members);
    }

    private Node elemMatch(String path, BsonDocument inner) {
        if (isOperators(inner) && !inner.getFirstKey().matches("\\$(and|or|nor)")) {
            List<Node> members = new ArrayList<>();
            operators(path, inner, members);
            return new Node.ElemValue(path, members);
        }
        return new Node.ElemObject(path, filter(inner));
    }

    /** The expression itself gives no bounds; what it is rewritten to stands beside it. */
    private Node expression(BsonValue expression) {
        Node rewritten = rewritten(expression);
        return new And(rewritten == null ? List.of(new Node.Unusable()) : List.of(new Node.Unusable(), rewritten));
    }

    private @Nullable Node rewritten(BsonValue expression) {
        if (!isOperators(expression)) {
            return null;
        }
        String operator = expression.asDocument().getFirstKey();
        BsonValue operands = expression.asDocument().get(operator);
        if (operator.equals("$and") || operator.equals("$or")) {
            List<Node> members = new ArrayList<>();
            for (BsonValue member : operands.asArray()) {
                Node node = rewritten(member);
                if (node != null) {
                    members.add(node);
                } else if (operator.equals("$or")) {
                    return null;
                }
            }
            return members.isEmpty() ? null : operator.equals("$or") ? new Node.Or(members) : new And(members);
        }
        if (operator.equals("$in")) {
            return exprIn ? exprIn(operands.asArray().get(0), operands.asArray().get(1)) : null;
        }
        Op op = COMPARISONS.get(operator);
        return op == null
                ? null
                : comparison(op, operands.asArray().get(0), operands.asArray().get(1));
    }

    private static @Nullable Node exprIn(BsonValue path, BsonValue list) {
        boolean plain = list.asArray().stream()
                .noneMatch(v ->
                        v.isArray() || v.isNull() || v.isRegularExpression() || v.getBsonType() == BsonType.UNDEFINED);
        return plain && isPath(path) ? in(path.asString().getValue().substring(1), list) : null;
    }

    private static @Nullable Node comparison(Op op, BsonValue left, BsonValue right) {
        boolean pathFirst = isPath(left);
        BsonValue path = pathFirst ? left : right;
        BsonValue constant = pathFirst ? right : left;
        if (!isPath(path) || isPath(constant)) {
            return null;
        }
        if (isOperators(constant)) {
            BsonValue literal = constant.asDocument().get("$literal");
            if (literal == null) {
                return null;
            }
            constant = literal;
        }
        if (constant.isArray() || constant.getBsonType() == BsonType.UNDEFINED) {
            return null;
        }
        return new Compare(path.asString().getValue().substring(1), pathFirst ? op : op.flipped(), constant, false);
    }

    private static boolean isPath(BsonValue value) {
        return value.isString() && value.asString().getValue().startsWith("$");
    }
}
