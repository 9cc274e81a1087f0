package io.scatterguard.tests.fuzz;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/** Makes filters over the operators of targeting semantics §6.4, mostly about the key. */
final class FilterGenerator {
    /** In an order of their own: that of a map differs from run to run. */
    private static final List<String> TYPES =
            TypeNames.CLASSES.keySet().stream().sorted().toList();

    private final Dice dice;
    private final Layout layout;
    private final List<Values> values;
    private final boolean proven;
    /** Of logical operators; most filters are no deeper than people write them. */
    private int maxDepth;

    FilterGenerator(Dice dice, Layout layout, List<Values> values, boolean proven) {
        this.dice = dice;
        this.layout = layout;
        this.values = values;
        this.proven = proven;
    }

    BsonDocument filter() {
        maxDepth = dice.pick(1, 1, 1, 2, 2, 3);
        return filter(0);
    }

    private BsonDocument filter(int depth) {
        BsonDocument filter = new BsonDocument();
        int members = depth == 0 ? dice.pick(1, 1, 2, 2, 3) : dice.pick(1, 1, 2);
        while (filter.size() < members) {
            int roll = dice.below(100);
            if (roll < 15 && depth < maxDepth) {
                filter.append("$or", clauses(depth));
            } else if (roll < 20 && depth < maxDepth) {
                filter.append("$and", clauses(depth));
            } else if (roll < 22 && depth < maxDepth) {
                filter.append("$nor", clauses(depth));
            } else if (roll < 25) {
                filter.append("$expr", expression(0));
            } else {
                member(filter, depth);
            }
        }
        return filter;
    }

    private BsonArray clauses(int depth) {
        BsonArray clauses = new BsonArray();
        for (int i = dice.between(1, 3); i > 0; i--) {
            clauses.add(filter(depth + 1));
        }
        return clauses;
    }

    private void member(BsonDocument filter, int depth) {
        int roll = dice.below(200);
        if (roll == 0) {
            filter.append("$comment", new BsonString("why"));
        } else if (roll == 1 && depth > 0) {
            filter.append("$alwaysFalse", new BsonInt32(1));
        } else if (roll < 16) {
            besideTheKey(filter);
        } else {
            int field = dice.chance(65) ? 0 : dice.below(layout.key().size());
            about(filter, layout.key().get(field).path(), values.get(field));
        }
    }

    /** A predicate on a path that is above or below a key field, or elsewhere. */
    private void besideTheKey(BsonDocument filter) {
        Values pool = values.get(0);
        String path = dice.pick("x", "x.y", "z", "a.b", "a.c", "a.b.c", "d");
        filter.append(path, dice.chance(50) ? pool.operand() : new BsonDocument("$gt", bracketed(pool)));
    }

    private void about(BsonDocument filter, String path, Values pool) {
        int dot = path.indexOf('.');
        int roll = dice.below(100);
        if (dot > 0 && roll < 8) {
            String below = path.substring(dot + 1);
            BsonDocument parent = new BsonDocument(below, dice.chance(80) ? pool.key() : pool.operand());
            filter.append(path.substring(0, dot), dice.chance(50) ? parent : parent.append("z", new BsonInt32(1)));
        } else if (dot > 0 && roll < 14) {
            BsonDocument inner = new BsonDocument();
            about(inner, path.substring(dot + 1), pool);
            BsonValue elements = dice.chance(80)
                    ? inner
                    : new BsonDocument(
                            "$or",
                            new BsonArray(List.of(inner, new BsonDocument(path.substring(dot + 1), pool.key()))));
            filter.append(path.substring(0, dot), new BsonDocument("$elemMatch", elements));
        } else if (roll < 44) {
            filter.append(path, pool.operand());
        } else if (roll < 47) {
            filter.append(path, regex());
        } else {
            filter.append(path, operators(pool));
        }
    }

    private BsonDocument operators(Values pool) {
        BsonDocument operators = new BsonDocument();
        operator(pool, operators);
        if (dice.chance(25)) {
            operator(pool, operators);
        }
        return operators;
    }

    private void operator(Values pool, BsonDocument out) {
        int roll = dice.below(100);
        if (roll < 14) {
            out.append("$eq", plain(pool));
        } else if (roll < 46) {
            out.append(dice.pick("$gt", "$gte", "$lt", "$lte"), bracketed(pool));
        } else if (roll < 52) {
            out.append("$ne", bracketed(pool));
        } else if (roll < 72) {
            out.append(dice.chance(80) ? "$in" : "$nin", list(pool));
        } else if (roll < 77) {
            out.append("$not", dice.chance(10) ? regex() : operators(pool));
        } else if (roll < 82) {
            out.append("$exists", BsonBoolean.valueOf(dice.chance(60)));
        } else if (roll < 86) {
            out.append("$type", type());
        } else if (roll < 88) {
            out.append("$mod", new BsonArray(List.of(new BsonInt32(4), new BsonInt32(dice.below(4)))));
        } else if (roll < 91 && out.isEmpty() && !proven) {
            out.append("$regex", new BsonString(regex().getPattern()));
        } else if (roll < 94 && !proven) {
            out.append("$all", all(pool));
        } else if (roll < 97) {
            out.append("$elemMatch", operators(pool));
        } else {
            out.append("$size", new BsonInt32(1));
        }
    }

    /** An operand that is an equality whatever it is; a regex is one as a value. */
    private BsonValue plain(Values pool) {
        return pool.operand();
    }

    /** An operand of an ordered comparison or of {@code $ne}, which take no regex. */
    private BsonValue bracketed(Values pool) {
        BsonValue value = pool.operand();
        return value.isRegularExpression() ? new BsonInt32(1) : value;
    }

    private BsonArray list(Values pool) {
        BsonArray list = new BsonArray();
        for (int i = dice.pick(0, 1, 1, 2, 2, 2, 3, 3, 4); i > 0; i--) {
            list.add(dice.chance(4) ? regex() : pool.operand());
        }
        return list;
    }

    private BsonArray all(Values pool) {
        if (dice.chance(20)) {
            return new BsonArray(List.of(new BsonDocument("$elemMatch", operators(pool))));
        }
        BsonArray all = new BsonArray();
        for (int i = dice.pick(1, 1, 2); i > 0; i--) {
            all.add(pool.operand());
        }
        return all;
    }

    private BsonValue type() {
        BsonString one = new BsonString(dice.oneOf(TYPES));
        return dice.chance(70) ? one : new BsonArray(List.of(one, new BsonString(dice.oneOf(TYPES))));
    }

    private BsonRegularExpression regex() {
        String pattern = dice.pick("", "^", "^", "^", "\\A")
                + dice.pick(
                        "a",
                        "b",
                        "ab",
                        "Ba",
                        "a\\.b",
                        "a[bc]",
                        "ab*",
                        "ab?c",
                        "(a|b)",
                        "a|b",
                        "\\Qa\\Ec",
                        "a+",
                        "",
                        "\\w");
        return new BsonRegularExpression(pattern, dice.pick("", "", "", "s", "x", "i", "m"));
    }

    private BsonDocument expression(int depth) {
        int roll = dice.below(100);
        if (depth < 2 && roll < 25) {
            BsonArray members = new BsonArray();
            for (int i = dice.between(1, 3); i > 0; i--) {
                members.add(expression(depth + 1));
            }
            return new BsonDocument(dice.pick("$and", "$or"), members);
        }
        int field = dice.chance(65) ? 0 : dice.below(layout.key().size());
        BsonString path = new BsonString("$" + layout.key().get(field).path());
        if (roll > 95) {
            return new BsonDocument("$in", new BsonArray(List.of(path, constants(values.get(field)))));
        }
        BsonValue constant = constant(values.get(field));
        String operator = dice.pick("$eq", "$eq", "$gt", "$gte", "$lt", "$lte", "$ne");
        boolean pathFirst = dice.chance(75);
        return new BsonDocument(operator, new BsonArray(pathFirst ? List.of(path, constant) : List.of(constant, path)));
    }

    private BsonArray constants(Values pool) {
        List<BsonValue> constants = new ArrayList<>();
        for (int i = dice.below(4); i > 0; i--) {
            BsonValue constant = constant(pool);
            constants.add(constant.isDocument() ? new BsonInt32(1) : constant);
        }
        return new BsonArray(constants);
    }

    private BsonValue constant(Values pool) {
        BsonValue value = pool.operand();
        if (value.isArray() || value.getBsonType() == BsonType.UNDEFINED) {
            return BsonNull.VALUE;
        }
        return value.isDocument() ? new BsonDocument("$literal", value) : value;
    }
}
