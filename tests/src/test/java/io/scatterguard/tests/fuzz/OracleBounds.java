package io.scatterguard.tests.fuzz;

import io.scatterguard.tests.fuzz.Node.And;
import io.scatterguard.tests.fuzz.Node.Or;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From a filter in normal form to the intervals of each key field (targeting semantics §6.5). Which of several ORs below one
 * AND is taken depends on an order that is not described: then there are several answers, each with an interval list a field.
 */
final class OracleBounds {
    private static final int MAX_ANSWERS = 64;

    private final Layout layout;
    private final PredicateSpans predicates;
    private boolean open;

    OracleBounds(Layout layout, boolean simple) {
        this.layout = layout;
        this.predicates = new PredicateSpans(simple);
    }

    /** Whether the specification leaves open what comes of the filter. */
    boolean open() {
        return open || predicates.open();
    }

    /** The possible bounds; none if the key is not usable. */
    List<List<List<Span>>> of(Node filter) {
        return answers(conjunction(filter), new Conjunction(layout.key().size()));
    }

    /** An {@code $or} of a conjunction. */
    private record Part(Or or, String prefix, boolean inElemMatch) {}

    /** What the members of a conjunction say of each key field: null if nothing. */
    private static final class Conjunction {
        final @Nullable List<Span>[] fields;
        final List<Part> ors = new ArrayList<>();

        @SuppressWarnings("unchecked")
        Conjunction(int size) {
            fields = (List<Span>[]) new List<?>[size];
        }

        void add(int field, List<Span> spans) {
            fields[field] = fields[field] == null ? spans : Span.intersection(fields[field], spans);
        }

        Conjunction and(Conjunction other) {
            Conjunction both = new Conjunction(fields.length);
            for (Conjunction each : List.of(this, other)) {
                for (int i = 0; i < fields.length; i++) {
                    if (each.fields[i] != null) {
                        both.add(i, each.fields[i]);
                    }
                }
            }
            return both;
        }

        boolean isEmpty() {
            return Arrays.stream(fields).allMatch(f -> f == null);
        }
    }

    private Conjunction conjunction(Node node) {
        Conjunction conjunction = new Conjunction(layout.key().size());
        gather(node, "", false, conjunction);
        return conjunction;
    }

    private void gather(Node node, String prefix, boolean inElemMatch, Conjunction out) {
        if (node instanceof And and) {
            and.members().forEach(m -> gather(m, prefix, inElemMatch, out));
        } else if (node instanceof Or or) {
            out.ors.add(new Part(or, prefix, inElemMatch));
        } else if (node instanceof Node.ElemObject elem) {
            gather(elem.member(), prefix + elem.path() + ".", true, out);
        } else {
            predicate(node, prefix, out);
        }
    }

    private void predicate(Node node, String prefix, Conjunction out) {
        String path = path(node);
        for (int i = 0; path != null && i < layout.key().size(); i++) {
            Layout.Field field = layout.key().get(i);
            if (field.path().equals(prefix + path)) {
                List<Span> spans = predicates.of(node, field.hashed());
                if (spans != null) {
                    out.add(i, spans);
                }
            }
        }
    }

    /** The path of a predicate, or of the predicate that is negated. */
    private static @Nullable String path(Node node) {
        if (node instanceof Node.Compare compare) {
            return compare.path();
        } else if (node instanceof Node.In in) {
            return in.path();
        } else if (node instanceof Node.Regex regex) {
            return regex.path();
        } else if (node instanceof Node.Exists exists) {
            return exists.path();
        } else if (node instanceof Node.TypeIs type) {
            return type.path();
        } else if (node instanceof Node.Mod mod) {
            return mod.path();
        } else if (node instanceof Node.ElemValue elem) {
            return elem.path();
        }
        return node instanceof Node.Not not ? path(not.member()) : null;
    }

    private List<List<List<Span>>> answers(Conjunction own, Conjunction pushed) {
        Conjunction all = own.and(pushed);
        List<List<List<Span>>> answers = new ArrayList<>();
        for (Part part : own.ors) {
            answers.addAll(disjunction(part, part.inElemMatch() ? new Conjunction(all.fields.length) : all));
        }
        if (answers.isEmpty() && !own.isEmpty() && all.fields[0] != null) {
            answers.add(Arrays.stream(all.fields)
                    .map(f -> f == null ? Span.EVERYTHING : f)
                    .toList());
        }
        return answers;
    }

    /** The union of the branches, for each key field by itself. */
    private List<List<List<Span>>> disjunction(Part part, Conjunction pushed) {
        List<List<List<Span>>> unions = null;
        for (Node branch : part.or().members()) {
            Conjunction own = new Conjunction(pushed.fields.length);
            gather(branch, part.prefix(), part.inElemMatch(), own);
            List<List<List<Span>>> answers = answers(own, pushed);
            if (answers.isEmpty()) {
                return List.of();
            }
            unions = unions == null ? answers : unions(unions, answers);
        }
        return unions == null ? List.of() : unions;
    }

    private List<List<List<Span>>> unions(List<List<List<Span>>> left, List<List<List<Span>>> right) {
        List<List<List<Span>>> unions = new ArrayList<>();
        for (List<List<Span>> a : left) {
            for (List<List<Span>> b : right) {
                List<List<Span>> union = new ArrayList<>();
                for (int i = 0; i < a.size(); i++) {
                    union.add(Span.union(a.get(i), b.get(i)));
                }
                unions.add(union);
            }
        }
        open |= unions.size() > MAX_ANSWERS;
        return unions.size() > MAX_ANSWERS ? unions.subList(0, MAX_ANSWERS) : unions;
    }
}
