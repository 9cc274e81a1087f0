package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.Namespace;

/**
 * A view, followed down to the collection that it reads in the end. Its values have bytes of their own.
 *
 * @param namespace the view's own namespace
 * @param underlying the collection, never a view
 * @param pipeline the stages of every view on the way, those of the innermost first: one array of documents
 * @param collation the view's own collation; {@code {locale: "simple"}} where it has none, as a router gives it then
 */
public record ResolvedView(
        Namespace namespace, Namespace underlying, BsonValueView pipeline, BsonValueView collation) {}
