package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import org.jspecify.annotations.Nullable;

/**
 * What notes look at of one statement; borrows the command's bytes.
 *
 * @param index the position in the batch, from 0
 * @param filter normalised
 * @param withoutLimits of a pipeline, the filter that would come first if no {@code $limit} stood in its way; null if
 *     none does
 * @param write whether the statement changes or deletes what it finds
 * @param replacement the document that replaces what it finds; null if there is none
 */
record NotedStatement(
        int index,
        Filter filter,
        @Nullable Filter withoutLimits,
        boolean write,
        @Nullable BsonView replacement) {

    static NotedStatement read(Filter filter) {
        return new NotedStatement(0, filter, null, false, null);
    }
}
