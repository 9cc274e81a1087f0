package io.scatterguard.proxy.routing;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a stage does to the paths of documents, which decides whether a later filter may move in front of it (targeting
 * semantics §9.3).
 *
 * @param paths the paths it changes; with {@code allExcept} the only ones it keeps
 * @param allExcept whether {@code paths} are those it keeps
 * @param renames from a new path to the old one whose value it is
 * @param unsure paths of which it is not known whether the router sees a rename
 */
record StageEffect(Kind kind, Set<String> paths, boolean allExcept, Map<String, String> renames, Set<String> unsure) {
    static final StageEffect BLOCKS = plain(Kind.BLOCKS);
    static final StageEffect UNKNOWN = plain(Kind.UNKNOWN);
    static final StageEffect TRANSPARENT = plain(Kind.TRANSPARENT);

    enum Kind {
        /** Every filter moves in front of it. */
        TRANSPARENT,
        /** A filter moves if it does not depend on what the stage changes. */
        CHANGES,
        /** No filter moves in front of it. */
        BLOCKS,
        /** Not known. */
        UNKNOWN
    }

    private static StageEffect plain(Kind kind) {
        return new StageEffect(kind, Set.of(), false, Map.of(), Set.of());
    }

    static StageEffect changing(Set<String> paths) {
        return new StageEffect(Kind.CHANGES, paths, false, Map.of(), Set.of());
    }

    static StageEffect of(PipelineStage stage, RouterRelease release) {
        return switch (stage.name()) {
            case "$sort", "$unionWith" -> TRANSPARENT;
            case "$addFields",
                    "$set",
                    "$project",
                    "$unset",
                    "$unwind",
                    "$lookup",
                    "$graphLookup",
                    "$group",
                    "$sortByCount" -> StageEffects.of(stage, release);
            case "$replaceRoot", "$replaceWith" ->
                release.atLeast(7, 0) ? UNKNOWN : new StageEffect(Kind.CHANGES, Set.of(), true, Map.of(), Set.of());
            case "$limit", "$skip", "$sample", "$facet", "$bucket", "$bucketAuto", "$setWindowFields" -> BLOCKS;
            case "$densify", "$fill", "$count", "$out", "$merge" -> BLOCKS;
            case "$collStats", "$indexStats", "$planCacheStats", "$search", "$searchMeta", "$vectorSearch" -> BLOCKS;
            default -> UNKNOWN;
        };
    }

    /**
     * The filter as it reads in front of this stage; null if it depends on what the stage changes.
     *
     * @throws FilterException if that is not known, or takes more than {@code budget} has left
     */
    @Nullable Filter movedBefore(Filter filter, RouterRelease release, IntervalBudget budget) {
        if (kind == Kind.UNKNOWN) {
            throw FilterException.notUnderstood();
        }
        return kind == Kind.TRANSPARENT ? filter : new FilterMove(this, release, budget).conjunct(filter);
    }
}
