package io.scatterguard.tests.support;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** The stages that drivers and the client scripts send: {@code $match, $sort, $skip, $limit, $project} (ignored), {@code $group} with {@code $sum}. */
final class ScriptedPipeline {
    private ScriptedPipeline() {}

    static List<BsonDocument> run(BsonArray pipeline, List<BsonDocument> input) {
        List<BsonDocument> documents = input;
        for (BsonValue value : pipeline) {
            String stage = value.asDocument().getFirstKey();
            documents = stage(stage, value.asDocument().get(stage), documents);
        }
        return documents;
    }

    private static List<BsonDocument> stage(String stage, BsonValue argument, List<BsonDocument> input) {
        return switch (stage) {
            case "$match" ->
                input.stream()
                        .filter(document -> CatalogFilter.matches(argument.asDocument(), document))
                        .toList();
            case "$sort" -> ScriptedData.sorted(input, argument.asDocument());
            case "$skip" -> input.stream().skip(argument.asNumber().longValue()).toList();
            case "$limit" ->
                input.stream().limit(argument.asNumber().longValue()).toList();
            case "$project" -> input;
            case "$group" -> grouped(argument.asDocument(), input);
            default ->
                throw new IllegalArgumentException(
                        "pipeline stage: " + stage + " (expected: $match, $sort, $skip, $limit, $project or $group)");
        };
    }

    private static List<BsonDocument> grouped(BsonDocument group, List<BsonDocument> input) {
        Map<BsonValue, List<BsonDocument>> groups = new LinkedHashMap<>();
        for (BsonDocument document : input) {
            groups.computeIfAbsent(evaluated(group.get("_id"), document), key -> new ArrayList<>())
                    .add(document);
        }
        List<BsonDocument> result = new ArrayList<>();
        groups.forEach((key, members) -> {
            BsonDocument out = new BsonDocument("_id", key);
            group.forEach((field, accumulator) -> {
                if (!field.equals("_id")) {
                    BsonValue operand = accumulator.asDocument().get("$sum");
                    int sum = members.stream()
                            .mapToInt(member ->
                                    evaluated(operand, member).asNumber().intValue())
                            .sum();
                    out.append(field, new BsonInt32(sum));
                }
            });
            result.add(out);
        });
        return result;
    }

    private static BsonValue evaluated(BsonValue expression, BsonDocument document) {
        boolean path = expression.isString() && expression.asString().getValue().startsWith("$");
        return path ? document.getOrDefault(expression.asString().getValue().substring(1), BsonNull.VALUE) : expression;
    }
}
