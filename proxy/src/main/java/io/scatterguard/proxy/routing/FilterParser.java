package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Boundless;
import io.scatterguard.proxy.routing.Filter.Nor;
import io.scatterguard.proxy.routing.Filter.Or;
import io.scatterguard.proxy.routing.Filter.Text;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonType;

/**
 * Reads a filter document into the {@link Filter} algebra: the top-level operators and the logical ones; what stands under
 * a path is read by {@link PredicateParser}, {@code $expr} by {@link ExprParser}.
 *
 * <p>Bounded: nesting by {@link BsonView#MAX_DEPTH}, nodes and list values, those of expressions too, by
 * {@link #MAX_NODES}.
 */
final class FilterParser {
    /** Predicates and list values of one filter; beyond, the filter is not understood. */
    static final int MAX_NODES = 100_000;

    private final ExprParser expressions;
    private final PredicateParser predicates = new PredicateParser(this);
    private int nodes;

    private FilterParser(ExprParser expressions) {
        this.expressions = expressions;
    }

    /**
     * The algebra of {@code filter}, not yet normalised.
     *
     * @throws FilterException if it is invalid, or not understood
     */
    static Filter parse(BsonView filter, ExprParser expressions) {
        return new FilterParser(expressions).document(filter, 0);
    }

    Filter document(BsonView filter, int depth) {
        requireDepth(depth);
        List<Filter> members = new ArrayList<>(4);
        BsonCursor cursor = filter.cursor();
        while (cursor.next()) {
            count();
            BsonValueView value = cursor.value();
            if (cursor.nameStartsWith("$")) {
                topLevel(cursor.name(), value, depth, members);
            } else {
                predicates.path(cursor.name(), value, depth + 1, members);
            }
        }
        return members.size() == 1 ? members.get(0) : new And(members);
    }

    private void topLevel(String operator, BsonValueView value, int depth, List<Filter> members) {
        switch (operator) {
            case "$and" -> members.add(new And(clauses(value, depth)));
            case "$or" -> members.add(new Or(clauses(value, depth)));
            case "$nor" -> members.add(new Nor(clauses(value, depth)));
            case "$expr" -> expressions.parse(value, members, this::count);
            case "$text" -> members.add(new Text());
            case "$where" -> members.add(new Boundless("", 23));
            case "$comment" -> {}
            case "$alwaysTrue" -> members.add(Filters.TRUE);
            case "$alwaysFalse" -> members.add(Filters.FALSE);
            case "$sampleRate" -> members.add(new Boundless("", 31));
            case "$jsonSchema" -> members.add(Filter.Opaque.UNREADABLE);
            default -> throw FilterException.notUnderstood();
        }
    }

    private List<Filter> clauses(BsonValueView value, int depth) {
        if (!value.isArray() || value.document().isEmpty()) {
            throw FilterException.badValue();
        }
        List<Filter> clauses = new ArrayList<>();
        BsonCursor cursor = value.document().cursor();
        while (cursor.next()) {
            if (cursor.type() != BsonType.DOCUMENT) {
                throw FilterException.badValue();
            }
            clauses.add(document(cursor.value().document(), depth + 2));
        }
        return clauses;
    }

    void requireDepth(int depth) {
        if (depth > BsonView.MAX_DEPTH) {
            throw FilterException.notUnderstood();
        }
    }

    void count() {
        if (++nodes > MAX_NODES) {
            throw FilterException.notUnderstood();
        }
    }
}
