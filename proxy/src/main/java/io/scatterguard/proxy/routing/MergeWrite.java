package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.routing.Filter.And;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.ForeignTarget.Join;
import io.scatterguard.proxy.routing.ForeignTarget.Reach;
import java.util.ArrayList;
import java.util.List;

/** Where a {@code $merge} into a sharded collection writes: each document by its {@code on} fields. */
final class MergeWrite {
    private MergeWrite() {}

    /** What one document reaches. A write that is not for one shard may be broadcast (targeting semantics §10.4). */
    static Reach reach(PipelineStage stage, RoutingTable table, RoutingContext context) {
        if (isByWholeKey(stage, table)) {
            return new Reach(Shape.SINGLE_SHARD, table.owningShards(), Certainty.UPPER_BOUND);
        }
        Join join = values -> new And(on(stage).stream()
                .<Filter>map(path -> new Compare(path, Op.EQ, values.get(0), true))
                .toList());
        Reach byFields =
                new ForeignTarget(table, context, Collation.SIMPLE).of(List.of(), PipelineVariables.of(null), join);
        return new Reach(byFields.shape(), context.catalog().registry().registered(), Certainty.UPPER_BOUND);
    }

    /** Without {@code on} the whole key and {@code _id} take its place; an insert is by the document's own key. */
    private static boolean isByWholeKey(PipelineStage stage, RoutingTable table) {
        BsonValueView whenMatched = stage.get("whenMatched");
        boolean inserts = whenMatched != null && whenMatched.stringEquals("fail");
        List<String> on = on(stage);
        return on.isEmpty()
                || inserts
                || table.shardKey().fields().stream().allMatch(field -> on.contains(field.path()));
    }

    private static List<String> on(PipelineStage stage) {
        BsonValueView on = stage.get("on");
        if (on == null || on.isString()) {
            return on == null ? List.of() : List.of(on.string());
        }
        List<String> fields = new ArrayList<>(2);
        if (on.isArray()) {
            BsonCursor cursor = on.document().cursor();
            while (cursor.next()) {
                if (cursor.value().isString()) {
                    fields.add(cursor.value().string());
                }
            }
        }
        return fields;
    }
}
