package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.TypeClass;
import java.util.List;
import java.util.Set;

/**
 * A filter as far as it matters for routing: a small algebra made by {@link FilterParser} and put into the router's normal
 * form by {@link FilterNormalizer} (targeting semantics §6.2). Its values borrow the command's bytes.
 */
sealed interface Filter {
    /** The operator's place in the router's sort order (§6.2); only relevant to pick among several {@code $or}. */
    int rank();

    /** The dotted path it is about; empty for a logical node. */
    default String path() {
        return "";
    }

    record And(List<Filter> members) implements Filter {
        @Override
        public int rank() {
            return 0;
        }
    }

    record Or(List<Filter> members) implements Filter {
        @Override
        public int rank() {
            return 1;
        }
    }

    /** {@code $elemMatch} on sub-documents; the member's paths are relative to {@code path}. */
    record ElemMatchObject(String path, Filter member) implements Filter {
        @Override
        public int rank() {
            return 2;
        }
    }

    /** {@code $elemMatch} on values; the members' path is {@code path}. */
    record ElemMatchValue(String path, List<Filter> members) implements Filter {
        @Override
        public int rank() {
            return 3;
        }
    }

    /**
     * A comparison with a constant.
     *
     * @param bracketed whether only values of the operand's class match; false inside {@code $expr}
     */
    record Compare(String path, Op op, BsonValueView value, boolean bracketed) implements Filter {
        @Override
        public int rank() {
            return (bracketed ? 5 : 40) + op.place;
        }

        boolean isEquality() {
            return op == Op.EQ && bracketed;
        }
    }

    /** The comparison operators in the router's order. */
    enum Op {
        EQ(0),
        LTE(1),
        LT(2),
        GT(3),
        GTE(4);

        private final int place;

        Op(int place) {
            this.place = place;
        }

        /** The operator with its sides exchanged. */
        Op flipped() {
            return switch (this) {
                case EQ -> EQ;
                case LTE -> GTE;
                case LT -> GT;
                case GT -> LT;
                case GTE -> LTE;
            };
        }
    }

    /** A pattern longer than {@link #MAX_CHARS} is not looked into: routers refuse it, each release in its own way. */
    record Regex(String path, String pattern, String options) implements Filter {
        /** The longest pattern a server takes (server source {@code expression_leaf.h}). */
        static final int MAX_CHARS = 32_764;

        public Regex {
            if (pattern.length() > MAX_CHARS) {
                throw FilterException.notUnderstood();
            }
        }

        @Override
        public int rank() {
            return 10;
        }
    }

    record Mod(String path) implements Filter {
        @Override
        public int rank() {
            return 11;
        }
    }

    /** {@code $exists: true}; {@code $exists: false} is its negation. */
    record Exists(String path) implements Filter {
        @Override
        public int rank() {
            return 12;
        }
    }

    record In(String path, List<BsonValueView> values, List<Regex> regexes) implements Filter {
        @Override
        public int rank() {
            return 13;
        }
    }

    record Not(Filter member) implements Filter {
        @Override
        public int rank() {
            return 18;
        }
    }

    record Nor(List<Filter> members) implements Filter {
        @Override
        public int rank() {
            return 19;
        }
    }

    /** {@code $type}; with {@code array} among the types it gives no bounds. */
    record HasType(String path, Set<TypeClass> classes, boolean array) implements Filter {
        @Override
        public int rank() {
            return 20;
        }
    }

    /** A valid predicate that never gives bounds: {@code $size}, bit tests, {@code $geoWithin}, {@code $where}, … */
    record Boundless(String path, int rank) implements Filter {}

    /**
     * An {@code $expr} as a whole; the bounds it gives stand beside it.
     *
     * @param paths the field paths it reads
     * @param everything whether it may read any field
     */
    record Expression(Set<String> paths, boolean everything) implements Filter {
        @Override
        public int rank() {
            return 25;
        }
    }

    /** {@code $near} and {@code $nearSphere}. */
    record Near(String path) implements Filter {
        @Override
        public int rank() {
            return 28;
        }
    }

    record Text() implements Filter {
        @Override
        public int rank() {
            return 29;
        }
    }

    record Always(boolean value) implements Filter {
        @Override
        public int rank() {
            return value ? 27 : 26;
        }
    }

    /**
     * Valid as far as can be seen, but what bounds it gives is not known: everything but a full key is an upper bound, and a
     * filter that has nothing to do with the first key field.
     *
     * @param paths the field paths it reads
     * @param everything whether it may read any field
     */
    record Opaque(Set<String> paths, boolean everything) implements Filter {
        static final Opaque UNREADABLE = new Opaque(Set.of(), true);

        @Override
        public int rank() {
            return 30;
        }
    }
}
