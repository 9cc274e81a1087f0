package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.routing.Filter.And;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filter that the router finds at the front of a pipeline once it has optimised it: the leading {@code $match}, and the
 * parts of later ones that move in front of what they do not depend on (targeting semantics §9.2, §9.3).
 */
final class InitialQuery {
    private final ShardedCollection collection;
    private final List<Filter> front = new ArrayList<>(2);
    private final List<Filter> uncertain = new ArrayList<>(0);
    private final List<StageEffect> passed = new ArrayList<>(2);

    InitialQuery(ShardedCollection collection) {
        this.collection = collection;
    }

    /**
     * The initial query of {@code pipeline}, not yet normalised, without {@link #uncertain()}.
     *
     * @throws FilterException if a filter is invalid or not understood
     */
    Filter of(List<PipelineStage> pipeline) {
        for (int i = 0; i < pipeline.size(); i++) {
            PipelineStage stage = pipeline.get(i);
            if (stage.name().equals("$match")) {
                match(stage.value(), i, pipeline);
            } else if (i == 0 && stage.name().equals("$geoNear")) {
                geoNear(stage.get("query"));
            } else {
                StageEffect effect = StageEffect.of(stage, collection.release());
                if (effect.kind() == StageEffect.Kind.BLOCKS) {
                    collection.trace().pipelineEndsAt(pipeline, i);
                    break;
                }
                passed.add(effect);
            }
        }
        return new And(front);
    }

    /** Whether there is more that may reach the front as well. */
    boolean isUncertain() {
        return !uncertain.isEmpty();
    }

    /** What may stand beside the initial query, perhaps under other paths. */
    Filter uncertain() {
        return new And(uncertain);
    }

    private void match(BsonValueView value, int stage, List<PipelineStage> pipeline) {
        if (!value.isDocument()) {
            throw FilterException.badValue();
        }
        conjuncts(collection.parseRaw(value.document()), stage, pipeline);
    }

    /** Members of a conjunction move each by itself; an {@code $expr} stays together with the bounds it gives. */
    private void conjuncts(Filter filter, int stage, List<PipelineStage> pipeline) {
        if (filter instanceof And and && !isExpression(and)) {
            and.members().forEach(member -> conjuncts(member, stage, pipeline));
        } else {
            moveToFront(filter, stage, pipeline);
        }
    }

    private static boolean isExpression(And and) {
        return !and.members().isEmpty() && and.members().get(0) instanceof Filter.Expression;
    }

    /**
     * Moves one conjunct back over every stage before it, or leaves it where it gets stuck.
     *
     * @throws FilterException if that takes more steps than the command has left
     */
    private void moveToFront(Filter conjunct, int stage, List<PipelineStage> pipeline) {
        Filter moved = conjunct;
        for (int i = passed.size() - 1; i >= 0; i--) {
            collection.budget().step(1);
            Filter before;
            try {
                before = passed.get(i).movedBefore(moved, collection.release(), collection.budget());
            } catch (FilterException e) {
                if (collection.budget().isSpent()) {
                    throw e;
                }
                uncertain.add(conjunct);
                collection.trace().conjunctStays(pipeline, stage, i, false);
                return;
            }
            if (before == null) {
                collection.trace().conjunctStays(pipeline, stage, i, true);
                return;
            }
            moved = before;
        }
        front.add(moved);
    }

    /** Its query is the initial query; what a later {@code $match} adds is not known. */
    private void geoNear(@Nullable BsonValueView query) {
        if (query != null && query.isDocument()) {
            front.add(collection.parseRaw(query.document()));
        }
        passed.add(StageEffect.UNKNOWN);
    }
}
