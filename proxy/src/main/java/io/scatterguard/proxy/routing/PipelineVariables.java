package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The variables that a nested pipeline sees: the command's {@code let} and those of the stages around it. Some are known,
 * others come out anew for each document; within one run of the pipeline all of them are constants.
 *
 * @param known name to constant, written as an expression; not to be changed
 * @param perDocument names whose values depend on the document
 */
record PipelineVariables(BsonDocument known, List<String> perDocument) {
    /** Those of the whole command. */
    static PipelineVariables of(@Nullable BsonValueView let) {
        return new PipelineVariables(new BsonDocument(), List.of()).with(let);
    }

    /** Those inside a stage with {@code let}, which is borrowed; an inner name hides an outer one. */
    PipelineVariables with(@Nullable BsonValueView let) {
        if (let == null || !let.isDocument()) {
            return this;
        }
        BsonDocument constants = known.clone();
        List<String> unknown = new ArrayList<>(perDocument);
        BsonCursor cursor = let.document().cursor();
        while (cursor.next()) {
            String name = cursor.name();
            BsonValue constant = constant(cursor.value());
            unknown.remove(name);
            constants.remove(name);
            if (constant == null) {
                unknown.add(name);
            } else {
                constants.append(name, constant);
            }
        }
        return new PipelineVariables(constants, List.copyOf(unknown));
    }

    private @Nullable BsonValue constant(BsonValueView expression) {
        if (expression.isString() && expression.string().startsWith("$$")) {
            return known.get(expression.string().substring(2));
        }
        boolean literal = expression.isDocument() && expression.document().get("$literal") != null;
        return literal || ExprPaths.isPlain(expression, 0) ? expression.toBsonValue() : null;
    }

    /** As a {@code let} of the known ones alone. */
    BsonValueView let() {
        return BsonValueView.of(known);
    }

    /** As a {@code let} in which each unknown one is {@code standIn}. */
    BsonValueView let(BsonValue standIn) {
        BsonDocument all = known.clone();
        perDocument.forEach(name -> all.append(name, standIn));
        return BsonValueView.of(all);
    }
}
