package io.scatterguard.proxy.explain;

import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.Explanation;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Takes out of an explanation the values that are not of the command itself: the bounds of chunks, which are values of documents,
 * and what a view's own filter says of the key. Whoever explains from a file or as a user of the cluster may see them; whoever asks
 * a proxy has shown neither.
 */
public final class CallersValues {
    private static final List<String> OF_CHUNKS = List.of("min", "max");
    private static final List<String> OF_RANGES = List.of("low", "high");
    private static final List<String> OF_INTERVALS = List.of("low", "high", "hashOf");

    private CallersValues() {}

    /** Changes {@code json}, which {@link ExplanationJson#document} made of {@code explanation} by {@code catalog}. */
    public static void only(BsonDocument json, Explanation explanation, CatalogSnapshot catalog) {
        BsonArray statements = json.getArray("statements");
        for (int i = 0; i < statements.size(); i++) {
            boolean ofView =
                    catalog.view(explanation.statements().get(i).route().namespace()) != null;
            BsonArray lookups = statements.get(i).asDocument().getArray("lookups");
            lookups.forEach(lookup -> strip(lookup.asDocument(), ofView));
        }
    }

    private static void strip(BsonDocument lookup, boolean ofView) {
        remove(lookup, "chunks", OF_CHUNKS);
        if (ofView) {
            remove(lookup, "ranges", OF_RANGES);
            lookup.getArray("fields").forEach(field -> remove(field.asDocument(), "intervals", OF_INTERVALS));
        }
    }

    private static void remove(BsonDocument holder, String array, List<String> names) {
        for (BsonValue element : holder.getArray(array)) {
            names.forEach(element.asDocument()::remove);
        }
    }
}
