package io.scatterguard.proxy.routing;

import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Why one statement goes where it goes.
 *
 * @param index its place in the batch, from 0
 * @param document the statement as it stands in the batch; null for a command that is one statement
 * @param route the route of this statement alone: about its own collection in a {@code bulkWrite}
 * @param lookups the looks at the shard key in their order, of which the last decides; empty where no key decides, and
 *     where something was not understood
 * @param pipeline what of a pipeline's filters does not reach its front, one sentence each
 */
public record StatementExplanation(
        int index, @Nullable BsonDocument document, Route route, List<KeyLookup> lookups, List<String> pipeline) {
    public StatementExplanation {
        lookups = List.copyOf(lookups);
        pipeline = List.copyOf(pipeline);
    }
}
