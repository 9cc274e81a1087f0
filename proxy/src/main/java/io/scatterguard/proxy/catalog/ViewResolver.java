package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonSerializationException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Follows views down to collections (targeting semantics §14.3). Pure. A view that cannot be followed does not spoil the
 * others: its namespace becomes unknown, and a {@link CatalogProblem} says why.
 */
final class ViewResolver {
    /** How many views may stand on each other, as in the server ({@code ViewGraph::kMaxViewDepth}). */
    static final int MAX_DEPTH = 20;

    private static final BsonDocument SIMPLE = new BsonDocument("locale", new BsonString("simple"));

    private final Map<Namespace, Definition> definitions = new HashMap<>();
    private final Map<Namespace, ResolvedView> views = new HashMap<>();
    private final Set<Namespace> broken = new HashSet<>();
    private final List<CatalogProblem> problems = new ArrayList<>();

    private ViewResolver() {}

    /** One document of {@code system.views}. */
    private record Definition(Namespace viewOn, BsonArray pipeline, BsonDocument collation) {}

    /**
     * The views there are.
     *
     * @param views without those of time-series collections, which are routed as buckets
     * @param broken the namespaces of those that cannot be followed; none of them is in {@code views}
     */
    record Resolved(Map<Namespace, ResolvedView> views, Set<Namespace> broken, List<CatalogProblem> problems) {
        static final Resolved NONE = new Resolved(Map.of(), Set.of(), List.of());

        Resolved {
            views = Map.copyOf(views);
            broken = Set.copyOf(broken);
            problems = List.copyOf(problems);
        }
    }

    /** @param documents as in {@code system.views}: {@code {_id: "db.view", viewOn, pipeline, collation}} */
    static Resolved resolve(List<BsonDocument> documents) {
        ViewResolver resolver = new ViewResolver();
        documents.forEach(resolver::define);
        resolver.definitions.keySet().forEach(resolver::follow);
        return new Resolved(resolver.views, resolver.broken, resolver.problems);
    }

    private void define(BsonDocument document) {
        String subject = "system.views";
        try {
            subject = ConfigFields.string(document, "_id", subject);
            Namespace namespace = Namespace.parse(subject);
            Definition definition = definition(document, namespace, subject);
            if (definition != null) {
                definitions.put(namespace, definition);
            }
        } catch (CatalogException e) {
            problems.add(new CatalogProblem(subject, String.valueOf(e.getMessage())));
            if (!subject.equals("system.views")) {
                broken.add(Namespace.parse(subject));
            }
        }
    }

    /** Null for the view that a time-series collection is. */
    private static @Nullable Definition definition(BsonDocument document, Namespace namespace, String subject) {
        String viewOn = ConfigFields.string(document, "viewOn", subject);
        if (viewOn.equals(CollectionInfo.BUCKETS + namespace.collection())) {
            return null;
        }
        BsonValue pipeline = document.get("pipeline");
        if (pipeline == null
                || !pipeline.isArray()
                || !pipeline.asArray().stream().allMatch(BsonValue::isDocument)) {
            throw ConfigFields.wrongType(subject, "pipeline", pipeline, "an array of documents");
        }
        BsonDocument collation = ConfigFields.optionalDocument(document, "collation", subject);
        return new Definition(
                new Namespace(namespace.database(), viewOn),
                pipeline.asArray(),
                collation == null ? SIMPLE : collation);
    }

    private void follow(Namespace namespace) {
        try {
            views.put(namespace, resolved(namespace));
        } catch (CatalogException | BsonSerializationException e) {
            broken.add(namespace);
            problems.add(new CatalogProblem(namespace.fullName(), namespace + ": " + e.getMessage()));
        }
    }

    private ResolvedView resolved(Namespace namespace) {
        Definition own = definitions.get(namespace);
        Definition next = own;
        Namespace underlying = namespace;
        BsonArray stages = new BsonArray();
        for (int depth = 0; next != null; depth++) {
            if (depth == MAX_DEPTH) {
                throw new CatalogException(
                        "view on view: more than " + MAX_DEPTH + " levels, or a cycle (expected: at most that)");
            }
            stages.addAll(0, next.pipeline());
            underlying = next.viewOn();
            if (broken.contains(underlying)) {
                throw new CatalogException("viewOn: " + underlying + ", which cannot be followed itself");
            }
            next = definitions.get(underlying);
        }
        BsonDocument collation = own == null ? SIMPLE : own.collation();
        return new ResolvedView(namespace, underlying, BsonValueView.of(stages), BsonValueView.of(collation));
    }
}
