package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.Namespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One stage of a pipeline; borrows the command's bytes.
 *
 * @param name with its {@code $}; empty for something that is no stage
 */
record PipelineStage(String name, BsonValueView value) {
    private static final PipelineStage NO_STAGE = new PipelineStage("", BsonValueView.NULL);

    static List<PipelineStage> list(@Nullable BsonValueView pipeline) {
        if (pipeline == null || !pipeline.isArray()) {
            return List.of();
        }
        List<PipelineStage> stages = new ArrayList<>(4);
        BsonCursor cursor = pipeline.document().cursor();
        while (cursor.next()) {
            stages.add(of(cursor.value()));
        }
        return stages;
    }

    private static PipelineStage of(BsonValueView stage) {
        if (!stage.isDocument()) {
            return NO_STAGE;
        }
        BsonCursor cursor = stage.document().cursor();
        return cursor.next() ? new PipelineStage(cursor.name(), cursor.value()) : NO_STAGE;
    }

    /** A field of the stage's document, or null. */
    @Nullable BsonValueView get(String field) {
        return value.isDocument() ? value.document().get(field) : null;
    }

    boolean flag(String field) {
        BsonValueView flag = get(field);
        return flag != null && flag.isTruthy();
    }

    /** The stages in the pipelines of a {@code $facet}, one after another; the server allows none inside another. */
    List<PipelineStage> facetStages() {
        List<PipelineStage> stages = new ArrayList<>(0);
        if (name.equals("$facet") && value.isDocument()) {
            BsonCursor cursor = value.document().cursor();
            while (cursor.next()) {
                stages.addAll(list(cursor.value()));
            }
        }
        return stages;
    }

    /** The other collection that the stage reads or writes. */
    Optional<Namespace> foreign(String database) {
        BsonValueView target = switch (name) {
            case "$lookup", "$graphLookup" -> get("from");
            case "$unionWith" -> value.isString() ? value : get("coll");
            case "$out" -> value;
            case "$merge" -> value.isString() ? value : get("into");
            default -> null;
        };
        if (target == null) {
            return Optional.empty();
        }
        if (target.isString()) {
            return Optional.of(new Namespace(database, target.string()));
        }
        BsonValueView db = target.isDocument() ? target.document().get("db") : null;
        BsonValueView coll = target.isDocument() ? target.document().get("coll") : null;
        return db != null && db.isString() && coll != null && coll.isString()
                ? Optional.of(new Namespace(db.string(), coll.string()))
                : Optional.empty();
    }
}
