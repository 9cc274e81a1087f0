package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Boundless;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.ElemMatchObject;
import io.scatterguard.proxy.routing.Filter.ElemMatchValue;
import io.scatterguard.proxy.routing.Filter.Exists;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Mod;
import io.scatterguard.proxy.routing.Filter.Near;
import io.scatterguard.proxy.routing.Filter.Not;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.Filter.Regex;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** Reads what stands under a path: a value, or operators. */
final class PredicateParser {
    private static final int RANK_SIZE = 4;
    private static final int RANK_BITS = 14;
    private static final int RANK_GEO = 22;

    private final FilterParser filters;

    PredicateParser(FilterParser filters) {
        this.filters = filters;
    }

    /** Appends the predicates of {@code path: value}. */
    void path(String path, BsonValueView value, int depth, List<Filter> out) {
        if (value.type() == BsonType.REGULAR_EXPRESSION) {
            out.add(new Regex(path, value.regexPattern(), value.regexOptions()));
        } else if (value.isDocument() && isOperators(value.document())) {
            operators(path, value.document(), depth, out);
        } else {
            out.add(compare(path, Op.EQ, value));
        }
    }

    /** Whether a document holds operators: its first name begins with {@code $} and is not part of a DBRef. */
    static boolean isOperators(BsonView document) {
        BsonCursor cursor = document.cursor();
        return cursor.next()
                && cursor.nameStartsWith("$")
                && !cursor.nameEquals("$ref")
                && !cursor.nameEquals("$id")
                && !cursor.nameEquals("$db");
    }

    private void operators(String path, BsonView operators, int depth, List<Filter> out) {
        filters.requireDepth(depth);
        BsonCursor cursor = operators.cursor();
        while (cursor.next()) {
            filters.count();
            Filter predicate = operator(path, cursor.name(), cursor.value(), operators, depth);
            if (predicate != null) {
                out.add(predicate);
            }
        }
    }

    private @Nullable Filter operator(String path, String name, BsonValueView value, BsonView siblings, int depth) {
        return switch (name) {
            case "$eq" -> compare(path, Op.EQ, value);
            case "$gt" -> ordered(path, Op.GT, value);
            case "$gte" -> ordered(path, Op.GTE, value);
            case "$lt" -> ordered(path, Op.LT, value);
            case "$lte" -> ordered(path, Op.LTE, value);
            case "$ne" -> new Not(ordered(path, Op.EQ, value));
            case "$in" -> in(path, value);
            case "$nin" -> new Not(in(path, value));
            case "$not" -> not(path, value, depth);
            case "$exists" -> value.isTruthy() ? new Exists(path) : new Not(new Exists(path));
            case "$type" -> TypeAliases.parse(path, value);
            case "$regex" -> regex(path, value, siblings.get("$options"));
            case "$options" -> requireSibling(siblings, "$regex");
            case "$mod" -> mod(path, value);
            case "$all" -> all(path, value, depth);
            case "$elemMatch" -> elemMatch(path, value, depth);
            case "$size" -> new Boundless(path, RANK_SIZE);
            case "$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear" -> new Boundless(path, RANK_BITS);
            case "$geoWithin", "$geoIntersects", "$within" -> new Boundless(path, RANK_GEO);
            case "$near", "$nearSphere", "$geoNear" -> new Near(path);
            case "$maxDistance", "$minDistance", "$comment" -> null;
            default -> throw FilterException.notUnderstood();
        };
    }

    private static Compare compare(String path, Op op, BsonValueView value) {
        if (value.type() == BsonType.UNDEFINED) {
            throw FilterException.badValue();
        }
        return new Compare(path, op, value, true);
    }

    private static Compare ordered(String path, Op op, BsonValueView value) {
        if (value.type() == BsonType.REGULAR_EXPRESSION) {
            throw FilterException.badValue();
        }
        return compare(path, op, value);
    }

    private In in(String path, BsonValueView value) {
        if (!value.isArray()) {
            throw FilterException.badValue();
        }
        List<BsonValueView> values = new ArrayList<>();
        List<Regex> regexes = new ArrayList<>(0);
        BsonCursor cursor = value.document().cursor();
        while (cursor.next()) {
            filters.count();
            BsonValueView element = cursor.value();
            if (element.type() == BsonType.REGULAR_EXPRESSION) {
                regexes.add(new Regex(path, element.regexPattern(), element.regexOptions()));
            } else if (element.type() == BsonType.UNDEFINED
                    || (element.isDocument() && isOperators(element.document()))) {
                throw FilterException.badValue();
            } else {
                values.add(element);
            }
        }
        return new In(path, values, regexes);
    }

    private Filter not(String path, BsonValueView value, int depth) {
        if (value.type() == BsonType.REGULAR_EXPRESSION) {
            return new Not(new Regex(path, value.regexPattern(), value.regexOptions()));
        }
        if (!value.isDocument() || !isOperators(value.document())) {
            throw FilterException.badValue();
        }
        List<Filter> members = new ArrayList<>(2);
        operators(path, value.document(), depth + 1, members);
        return new Not(members.size() == 1 ? members.get(0) : new And(members));
    }

    private static Filter regex(String path, BsonValueView value, @Nullable BsonValueView options) {
        if (value.type() == BsonType.REGULAR_EXPRESSION) {
            String own = value.regexOptions();
            return new Regex(
                    path, value.regexPattern(), options != null && options.isString() ? options.string() : own);
        }
        if (!value.isString() || (options != null && !options.isString())) {
            throw FilterException.badValue();
        }
        return new Regex(path, value.string(), options == null ? "" : options.string());
    }

    private static @Nullable Filter requireSibling(BsonView siblings, String name) {
        if (siblings.get(name) == null) {
            throw FilterException.badValue();
        }
        return null;
    }

    private static Filter mod(String path, BsonValueView value) {
        if (!value.isArray()) {
            throw FilterException.badValue();
        }
        return new Mod(path);
    }

    /** {@code $all}: a conjunction of equalities, regexes or {@code $elemMatch}; of nothing it is false. */
    private Filter all(String path, BsonValueView value, int depth) {
        if (!value.isArray()) {
            throw FilterException.badValue();
        }
        List<Filter> members = new ArrayList<>();
        BsonCursor cursor = value.document().cursor();
        while (cursor.next()) {
            filters.count();
            BsonValueView element = cursor.value();
            if (element.isDocument() && isOperators(element.document())) {
                BsonValueView elemMatch = element.document().get("$elemMatch");
                if (elemMatch == null) {
                    throw FilterException.badValue();
                }
                members.add(elemMatch(path, elemMatch, depth + 1));
            } else {
                path(path, element, depth, members);
            }
        }
        return members.isEmpty() ? Filters.FALSE : new And(members);
    }

    /** The value form holds operators on the elements themselves; the object form is a filter on sub-documents. */
    private Filter elemMatch(String path, BsonValueView value, int depth) {
        if (!value.isDocument()) {
            throw FilterException.badValue();
        }
        BsonView inner = value.document();
        if (isOperators(inner) && !isLogical(inner)) {
            List<Filter> members = new ArrayList<>(2);
            operators(path, inner, depth + 1, members);
            return new ElemMatchValue(path, members);
        }
        return new ElemMatchObject(path, filters.document(inner, depth + 1));
    }

    private static boolean isLogical(BsonView document) {
        BsonCursor cursor = document.cursor();
        return cursor.next()
                && (cursor.nameEquals("$and")
                        || cursor.nameEquals("$or")
                        || cursor.nameEquals("$nor")
                        || cursor.nameEquals("$where"));
    }
}
