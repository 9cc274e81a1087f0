package io.scatterguard.tests.fuzz;

import java.util.List;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;

/** A filter, read for the oracle. */
sealed interface Node {
    /** A comparison of the filter language, or of {@code $expr} ({@code typed} is false: no type bracketing). */
    record Compare(String path, Op op, BsonValue value, boolean typed) implements Node {
        boolean isEquality() {
            return op == Op.EQ && typed;
        }
    }

    record In(String path, List<BsonValue> values, List<BsonRegularExpression> regexes) implements Node {}

    record Regex(String path, BsonRegularExpression regex) implements Node {}

    record Exists(String path) implements Node {}

    /** {@code $type}, by the classes of §4. */
    record TypeIs(String path, List<Integer> classes) implements Node {}

    record Mod(String path) implements Node {}

    /** {@code $elemMatch} with operators: predicates on the elements, which stand under the same path. */
    record ElemValue(String path, List<Node> members) implements Node {}

    /** {@code $elemMatch} with a filter on sub-documents. */
    record ElemObject(String path, Node member) implements Node {}

    record And(List<Node> members) implements Node {}

    record Or(List<Node> members) implements Node {}

    record Nor(List<Node> members) implements Node {}

    record Not(Node member) implements Node {}

    record Always(boolean value) implements Node {}

    /** A predicate that never gives bounds. */
    record Unusable() implements Node {}

    enum Op {
        EQ,
        GT,
        GTE,
        LT,
        LTE;

        /** The operator with its sides exchanged. */
        Op flipped() {
            return switch (this) {
                case EQ -> EQ;
                case GT -> LT;
                case GTE -> LTE;
                case LT -> GT;
                case LTE -> GTE;
            };
        }
    }
}
