package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.KeyBytes;
import io.scatterguard.proxy.catalog.RoutingTable;
import java.util.List;

/**
 * Is told how a route comes about, by the very stages that make it, so that an {@link Explanation} says what happened and
 * not what should have. {@link #NONE} on the data path. Keys are borrowed: their bytes are written over later.
 */
interface RoutingTrace {
    RoutingTrace NONE = new RoutingTrace() {};

    /** Whether ranges are wanted that can add no shard any more. */
    default boolean wantsEveryRange() {
        return false;
    }

    /** The full key by equality. */
    default void point(RoutingTable table, KeyBytes key, Filter filter) {}

    /** The key of a document that is stored. */
    default void document(RoutingTable table, KeyBytes key, BsonView document) {}

    /** Bounds that are followed to chunks; the {@link #range ranges} come next, none where they contradict each other. */
    default void bounds(RoutingTable table, KeyBounds bounds, Filter filter) {}

    /** One closed range over the whole key. */
    default void range(KeyBytes low, KeyBytes high) {}

    /** Every chunk is reached: what there is of bounds narrows nothing. */
    default void unusable(RoutingTable table, KeyBounds bounds, Filter filter) {}

    /** No later filter moves in front of the stage at {@code index}. */
    default void pipelineEndsAt(List<PipelineStage> pipeline, int index) {}

    /**
     * A part of the {@code $match} at {@code match} stays behind a stage.
     *
     * @param passed the number of that stage among those that are no {@code $match}
     * @param certain false if it is not known whether it does
     */
    default void conjunctStays(List<PipelineStage> pipeline, int match, int passed, boolean certain) {}
}
