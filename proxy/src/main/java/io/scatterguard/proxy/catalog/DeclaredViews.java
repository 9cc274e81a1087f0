package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.ViewRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Declared views, followed down to collections: first over each other, then over the views of a cluster. */
final class DeclaredViews {
    private final ViewResolver.Resolved resolved;

    DeclaredViews(Iterable<ViewRule> rules) {
        List<BsonDocument> documents = new ArrayList<>();
        rules.forEach(rule -> documents.add(document(rule)));
        this.resolved = ViewResolver.resolve(documents);
    }

    /** As it would stand in {@code system.views}. */
    private static BsonDocument document(ViewRule rule) {
        BsonDocument document = new BsonDocument(
                        "_id", new BsonString(rule.namespace().fullName()))
                .append("viewOn", new BsonString(rule.viewOn().collection()))
                .append("pipeline", new BsonArray(rule.pipeline()));
        BsonDocument collation = rule.collation();
        return collation == null ? document : document.append("collation", collation);
    }

    ViewResolver.Resolved resolved() {
        return resolved;
    }

    /** The declared views; one that reads a view of the cluster goes on to what that one reads. */
    Map<Namespace, ResolvedView> over(Map<Namespace, ResolvedView> cluster) {
        Map<Namespace, ResolvedView> views = new HashMap<>();
        resolved.views().forEach((namespace, view) -> {
            ResolvedView below = cluster.get(view.underlying());
            views.put(namespace, below == null ? view : joined(view, below));
        });
        return views;
    }

    private static ResolvedView joined(ResolvedView view, ResolvedView below) {
        BsonArray stages = new BsonArray(below.pipeline().toBsonValue().asArray());
        stages.addAll(view.pipeline().toBsonValue().asArray());
        return new ResolvedView(view.namespace(), below.underlying(), BsonValueView.of(stages), view.collation());
    }
}
