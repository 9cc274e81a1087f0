package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.routing.StageEffect.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** Reads which paths the shaping stages keep, change and rename. */
final class StageEffects {
    private final Set<String> changed = new HashSet<>();
    private final Set<String> kept = new HashSet<>();
    private final Map<String, String> renames = new HashMap<>();
    private final Set<String> unsure = new HashSet<>();

    private StageEffects() {}

    static StageEffect of(PipelineStage stage, RouterRelease release) {
        StageEffects effects = new StageEffects();
        return switch (stage.name()) {
            case "$addFields", "$set" -> effects.addFields(stage.value());
            case "$project" -> effects.project(stage.value());
            case "$unset" -> effects.unset(stage.value());
            case "$unwind" -> effects.unwind(stage);
            case "$lookup", "$graphLookup" -> effects.lookup(stage.get("as"));
            case "$group" -> effects.group(stage.get("_id"), release);
            case "$sortByCount" -> effects.group(stage.value(), release);
            default -> StageEffect.UNKNOWN;
        };
    }

    private StageEffect addFields(BsonValueView value) {
        if (!value.isDocument()) {
            return StageEffect.UNKNOWN;
        }
        computed(value.document(), "", 0);
        return new StageEffect(Kind.CHANGES, changed, false, renames, unsure);
    }

    private void computed(BsonView fields, String prefix, int depth) {
        requireDepth(depth);
        BsonCursor cursor = fields.cursor();
        while (cursor.next()) {
            BsonValueView value = cursor.value();
            String path = prefix + cursor.name();
            if (value.isDocument() && !value.document().isEmpty() && !AggregateRouting.isExpression(value)) {
                computed(value.document(), path + ".", depth + 1);
            } else {
                computed(path, value);
            }
        }
    }

    private static void requireDepth(int depth) {
        if (depth > BsonView.MAX_DEPTH) {
            throw FilterException.notUnderstood();
        }
    }

    /** A new value: a rename if it is just another field. Of dotted names it is not known whether they count. */
    private void computed(String path, BsonValueView value) {
        String source = fieldPath(value);
        if (source == null) {
            changed.add(path);
        } else if (path.indexOf('.') < 0 && source.indexOf('.') < 0) {
            changed.add(path);
            renames.put(path, source);
        } else {
            unsure.add(path);
        }
    }

    /** The path in {@code "$a.b"}; null for anything else. */
    private static @Nullable String fieldPath(BsonValueView value) {
        if (!value.isString()) {
            return null;
        }
        String text = value.string();
        return text.length() > 1 && text.charAt(0) == '$' && text.charAt(1) != '$' ? text.substring(1) : null;
    }

    private StageEffect project(BsonValueView value) {
        if (!value.isDocument()) {
            return StageEffect.UNKNOWN;
        }
        kept.add("_id");
        projected(value.document(), "", 0);
        return isExclusion(value.document())
                ? StageEffect.changing(changed)
                : new StageEffect(Kind.CHANGES, kept, true, renames, unsure);
    }

    /** Whether it names what it leaves out; a flag of {@code _id} goes with either kind and decides only by itself. */
    private static boolean isExclusion(BsonView projection) {
        BsonCursor cursor = projection.cursor();
        boolean others = false;
        boolean keepsId = false;
        while (cursor.next()) {
            BsonValueView value = cursor.value();
            if (cursor.nameEquals("_id") && isFlag(value)) {
                keepsId = value.isTruthy();
            } else if (!excludes(value, 0)) {
                return false;
            } else {
                others = true;
            }
        }
        return others || !keepsId;
    }

    private static boolean excludes(BsonValueView value, int depth) {
        requireDepth(depth);
        if (isFlag(value)) {
            return !value.isTruthy();
        }
        if (!value.isDocument() || AggregateRouting.isExpression(value)) {
            return false;
        }
        BsonCursor cursor = value.document().cursor();
        while (cursor.next()) {
            if (!excludes(cursor.value(), depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private void projected(BsonView fields, String prefix, int depth) {
        requireDepth(depth);
        BsonCursor cursor = fields.cursor();
        while (cursor.next()) {
            BsonValueView value = cursor.value();
            String path = prefix + cursor.name();
            if (isFlag(value)) {
                boolean included = value.isTruthy();
                if (included) {
                    kept.add(path);
                } else {
                    kept.remove(path);
                    changed.add(path);
                }
            } else if (value.isDocument() && !AggregateRouting.isExpression(value)) {
                projected(value.document(), path + ".", depth + 1);
            } else {
                kept.remove(path);
                computed(path, value);
            }
        }
    }

    private static boolean isFlag(BsonValueView value) {
        return value.isNumber() || value.type() == BsonType.BOOLEAN;
    }

    private StageEffect unset(BsonValueView value) {
        if (value.isString()) {
            return StageEffect.changing(Set.of(value.string()));
        }
        if (!value.isArray()) {
            return StageEffect.UNKNOWN;
        }
        BsonCursor cursor = value.document().cursor();
        while (cursor.next()) {
            if (!cursor.value().isString()) {
                return StageEffect.UNKNOWN;
            }
            changed.add(cursor.value().string());
        }
        return StageEffect.changing(changed);
    }

    private StageEffect unwind(PipelineStage stage) {
        BsonValueView path = stage.value().isString() ? stage.value() : stage.get("path");
        String source = path == null ? null : fieldPath(path);
        if (source == null) {
            return StageEffect.UNKNOWN;
        }
        changed.add(source);
        BsonValueView index = stage.get("includeArrayIndex");
        if (index != null && index.isString()) {
            changed.add(index.string());
        }
        return StageEffect.changing(changed);
    }

    private StageEffect lookup(@Nullable BsonValueView as) {
        return as != null && as.isString() ? StageEffect.changing(Set.of(as.string())) : StageEffect.UNKNOWN;
    }

    /** Only the group key is known in front, and only as far as it is plain fields; in old releases not at all settled. */
    private StageEffect group(@Nullable BsonValueView id, RouterRelease release) {
        if (id == null || !release.atLeast(6, 0)) {
            return StageEffect.UNKNOWN;
        }
        if (id.isDocument() && !AggregateRouting.isExpression(id)) {
            BsonCursor cursor = id.document().cursor();
            while (cursor.next()) {
                groupKey("_id." + cursor.name(), cursor.value());
            }
        } else {
            groupKey("_id", id);
        }
        return new StageEffect(Kind.CHANGES, Set.of(), true, renames, unsure);
    }

    private void groupKey(String path, BsonValueView value) {
        String source = fieldPath(value);
        if (source != null && source.indexOf('.') < 0) {
            renames.put(path, source);
        } else if (source != null) {
            unsure.add(path);
        }
    }
}
