package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;

/** Writes aggregation pipelines stage by stage, nested ones too. Stages that are not known keep their name only. */
final class PipelineShape {
    private final ShapeText out;
    private final FilterShape filters;
    private final ExpressionShape expressions;

    PipelineShape(ShapeText out) {
        this.out = out;
        this.filters = new FilterShape(out);
        this.expressions = new ExpressionShape(out);
    }

    /** Writes a pipeline; what is no list is a type token. */
    boolean write(BsonValueView value) {
        if (!value.isArray()) {
            return out.token(value);
        }
        out.list(value.document(), this::stage);
        return true;
    }

    private void stage(BsonValueView stage) {
        if (stage.isDocument()) {
            out.document(stage.document(), this::stageBody);
        } else {
            out.token(stage);
        }
    }

    private boolean stageBody(String name, BsonValueView body) {
        return switch (name) {
            case "$match" -> filters.write(body);
            case "$project" -> expressions.projection(body);
            case "$sort" -> expressions.sort(body);
            case "$addFields",
                    "$set",
                    "$unset",
                    "$group",
                    "$replaceRoot",
                    "$replaceWith",
                    "$redact",
                    "$unwind",
                    "$bucket",
                    "$bucketAuto",
                    "$sortByCount",
                    "$setWindowFields",
                    "$fill",
                    "$limit",
                    "$skip",
                    "$sample" -> expressions.write(body);
            case "$facet" -> arguments(body, this::facet);
            case "$lookup", "$graphLookup", "$unionWith" ->
                body.isDocument() ? arguments(body, this::join) : name(body);
            case "$out", "$merge" -> body.isDocument() ? arguments(body, this::output) : name(body);
            case "$geoNear" ->
                arguments(
                        body, (argument, value) -> argument.equals("query") ? filters.write(value) : out.token(value));
            case "$changeStream" -> arguments(body, (argument, value) -> out.token(value));
            default -> out.token(body);
        };
    }

    private boolean arguments(BsonValueView body, ShapeText.MemberWriter argument) {
        if (!body.isDocument()) {
            return out.token(body);
        }
        out.document(body.document(), argument);
        return true;
    }

    private boolean facet(String name, BsonValueView value) {
        return write(value);
    }

    private boolean join(String argument, BsonValueView value) {
        return switch (argument) {
            case "from", "coll", "localField", "foreignField", "connectFromField", "connectToField" ->
                value.isDocument() ? arguments(value, this::output) : name(value);
            case "pipeline" -> write(value);
            case "restrictSearchWithMatch" -> filters.write(value);
            case "let", "startWith" -> expressions.write(value);
            default -> out.token(value);
        };
    }

    private boolean output(String argument, BsonValueView value) {
        return switch (argument) {
            case "db", "coll" -> name(value);
            case "into" -> value.isDocument() ? arguments(value, this::output) : name(value);
            case "whenMatched" -> write(value);
            default -> out.token(value);
        };
    }

    /** Writes the name of a collection or field that stands in a value; folded like any other name. */
    private boolean name(BsonValueView value) {
        return writeName(out, value);
    }

    static boolean writeName(ShapeText out, BsonValueView value) {
        if (!value.isString()) {
            return out.token(value);
        }
        boolean tooLong = value.length() > FieldNames.MAX_PATH_CHARS;
        out.append(tooLong ? FieldNames.FOLDED : FieldNames.fold(value.string()));
        return true;
    }
}
