package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;

/** Writes the statements of writes: the filter, what the update does to which fields, and the flags that change the route. */
final class StatementShape {
    private final ShapeText out;
    private final FilterShape filters;
    private final ExpressionShape expressions;
    private final PipelineShape pipelines;

    StatementShape(ShapeText out) {
        this.out = out;
        this.filters = new FilterShape(out);
        this.expressions = new ExpressionShape(out);
        this.pipelines = new PipelineShape(out);
    }

    /** Writes one member of {@code updates}. */
    void update(BsonView statement) {
        out.document(statement, (name, value) -> switch (name) {
            case "q" -> filters.write(value);
            case "u" -> modification(value);
            default -> option(name, value);
        });
    }

    /** Writes one member of {@code deletes}; a limit of 1 or of none is the difference between deleteOne and deleteMany. */
    void delete(BsonView statement) {
        out.document(statement, (name, value) -> switch (name) {
            case "q" -> filters.write(value);
            case "limit" -> {
                out.append(value.isTruthy() ? "1" : "0");
                yield true;
            }
            default -> option(name, value);
        });
    }

    /** Writes one member of {@code bulkWrite.ops}. */
    void bulkOperation(BsonView operation) {
        out.document(operation, (name, value) -> switch (name) {
            case "filter" -> filters.write(value);
            case "updateMods" -> modification(value);
            default -> option(name, value);
        });
    }

    /** Writes one argument of {@code findAndModify}. */
    boolean findAndModifyArgument(String name, BsonValueView value) {
        return switch (name) {
            case "query" -> filters.write(value);
            case "update" -> modification(value);
            case "fields", "projection" -> expressions.projection(value);
            case "remove", "new" -> flag(value);
            default -> option(name, value);
        };
    }

    private boolean option(String name, BsonValueView value) {
        return switch (name) {
            case "comment" -> false;
            case "multi", "upsert" -> flag(value);
            case "hint", "sort" -> expressions.sort(value);
            case "arrayFilters" -> arrayFilters(value);
            default -> out.token(value);
        };
    }

    /** Written only if set, so that leaving it out and setting it to its default is the same. */
    private boolean flag(BsonValueView value) {
        out.append("true");
        return value.isTruthy();
    }

    private boolean arrayFilters(BsonValueView value) {
        if (!value.isArray()) {
            return out.token(value);
        }
        out.alternatives(value.document(), filters::write);
        return true;
    }

    /** An update by operators keeps them and the fields' names, a pipeline its stages; a replacement is a document. */
    private boolean modification(BsonValueView value) {
        if (value.isArray()) {
            return pipelines.write(value);
        }
        if (!FilterShape.beginsWithOperator(value)) {
            return out.token(value);
        }
        out.document(value.document(), this::operator);
        return true;
    }

    private boolean operator(String operator, BsonValueView fields) {
        if (!fields.isDocument()) {
            return out.token(fields);
        }
        boolean takesLiterals = operator.equals("$set") || operator.equals("$setOnInsert");
        out.document(fields.document(), (name, value) -> takesLiterals ? out.token(value) : operand(value));
        return true;
    }

    /** {@code {$each: …, $slice: …}} and the conditions of {@code $pull} are structure, any other document a literal. */
    private boolean operand(BsonValueView value) {
        return FilterShape.beginsWithOperator(value) ? keyBound(value) : out.token(value);
    }

    /** Writes a document of literals under names that stay: the bounds {@code min} and {@code max} of a find. */
    boolean keyBound(BsonValueView value) {
        if (!value.isDocument()) {
            return out.token(value);
        }
        out.document(value.document(), (name, literal) -> out.token(literal));
        return true;
    }
}
