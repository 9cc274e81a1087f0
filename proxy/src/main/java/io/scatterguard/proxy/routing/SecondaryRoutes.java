package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.CollectionInfo;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.routing.Filter.Compare;
import io.scatterguard.proxy.routing.Filter.In;
import io.scatterguard.proxy.routing.Filter.Op;
import io.scatterguard.proxy.routing.ForeignTarget.Join;
import io.scatterguard.proxy.routing.ForeignTarget.Reach;
import java.util.ArrayList;
import java.util.List;

/**
 * Which other collections an {@code aggregate} goes on to, and where: {@code $lookup}, {@code $graphLookup},
 * {@code $unionWith}, {@code $merge} and {@code $out}, also nested in one another and in {@code $facet} (targeting
 * semantics §9.5). Pure, and made on demand only.
 *
 * <p>Bounded: {@link #MAX_ROUTES} routes, nesting by {@link #MAX_DEPTH}. Left out is what the server refuses: before 5.1
 * {@code $lookup} and {@code $graphLookup} from a sharded collection, {@code $out} to one.
 */
public final class SecondaryRoutes {
    /** How many routes are told; further ones are left out. */
    public static final int MAX_ROUTES = 100;
    /** How deep pipelines are nested in pipelines, as in the server. */
    static final int MAX_DEPTH = 20;

    private final RoutingContext context;
    private final String database;
    private final Collation collation;
    private final List<SecondaryRoute> routes = new ArrayList<>();

    private SecondaryRoutes(RoutingContext context, Collation collation) {
        this.context = context;
        this.database = context.namespace().database();
        this.collation = collation;
    }

    /**
     * The secondary routes of {@code command}, which is borrowed, in the order of its stages, each before those nested in
     * it; empty for anything but an {@code aggregate} or an {@code explain} of one.
     *
     * @throws io.scatterguard.protocol.bson.MalformedBsonException if what is looked at is not BSON
     */
    public static List<SecondaryRoute> of(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        CommandView subject = command.explained().orElse(command);
        if (subject.commandName() != CommandName.AGGREGATE) {
            return List.of();
        }
        RoutingContext context =
                new RoutingContext(subject, subject.namespace(), catalog, release, false, new IntervalBudget());
        RoutingTable main = catalog.table(subject.namespace());
        Collation collation = Collation.of(
                subject.get("collation"),
                main == null ? null : main.collection().defaultCollation());
        SecondaryRoutes found = new SecondaryRoutes(context, collation);
        PipelineVariables variables = PipelineVariables.of(subject.get("let"));
        found.pipeline(PipelineStage.list(subject.get("pipeline")), variables, false, 0);
        return List.copyOf(found.routes);
    }

    /** @param repeated whether the pipeline runs anew for each document of one around it */
    private void pipeline(List<PipelineStage> stages, PipelineVariables variables, boolean repeated, int depth) {
        for (int i = 0; i < stages.size() && routes.size() < MAX_ROUTES && depth <= MAX_DEPTH; i++) {
            PipelineStage stage = stages.get(i);
            switch (stage.name()) {
                case "$lookup" -> lookup(stage, variables, repeated, depth);
                case "$graphLookup" -> graphLookup(stage, variables);
                case "$unionWith" -> unionWith(stage, stages.subList(i + 1, stages.size()), variables, repeated, depth);
                case "$facet" -> facet(stage, variables, repeated, depth);
                case "$merge" -> merge(stage);
                case "$out" -> out(stage);
                default -> {}
            }
        }
    }

    private void facet(PipelineStage stage, PipelineVariables variables, boolean repeated, int depth) {
        if (stage.value().isDocument()) {
            BsonCursor cursor = stage.value().document().cursor();
            while (cursor.next()) {
                pipeline(PipelineStage.list(cursor.value()), variables, repeated, depth + 1);
            }
        }
    }

    /** By the equality of {@code foreignField}, by the nested pipeline, or by both. */
    private void lookup(PipelineStage stage, PipelineVariables outer, boolean repeated, int depth) {
        BsonValueView foreignField = stage.get("foreignField");
        Join join = foreignField != null && foreignField.isString() ? equality(foreignField.string()) : Join.NONE;
        PipelineVariables variables = outer.with(stage.get("let"));
        boolean perDocument =
                repeated || join != Join.NONE || !variables.perDocument().isEmpty();
        List<PipelineStage> nested = PipelineStage.list(stage.get("pipeline"));
        if (context.release().atLeast(5, 1) || !isSharded(stage)) {
            read(stage, nested, variables, join, perDocument);
        }
        pipeline(nested, variables, perDocument, depth + 1);
    }

    private static Join equality(String path) {
        return values -> new Compare(path, Op.EQ, values.get(0), true);
    }

    /** Each round looks for a list of values. */
    private void graphLookup(PipelineStage stage, PipelineVariables variables) {
        BsonValueView to = stage.get("connectToField");
        if (to == null || !to.isString() || (!context.release().atLeast(5, 1) && isSharded(stage))) {
            return;
        }
        BsonValueView restriction = stage.get("restrictSearchWithMatch");
        List<PipelineStage> filter =
                restriction == null ? List.of() : List.of(new PipelineStage("$match", restriction));
        read(stage, filter, variables, values -> new In(to.string(), values, List.of()), true);
    }

    /** A {@code $match} behind it is copied into it, as far as it moves. */
    private void unionWith(
            PipelineStage stage, List<PipelineStage> behind, PipelineVariables variables, boolean repeated, int depth) {
        List<PipelineStage> nested = PipelineStage.list(stage.get("pipeline"));
        List<PipelineStage> all = new ArrayList<>(nested);
        all.addAll(behind);
        read(stage, all, variables, Join.NONE, repeated);
        pipeline(nested, variables, repeated, depth + 1);
    }

    private void merge(PipelineStage stage) {
        Namespace namespace = stage.foreign(database).orElse(null);
        if (namespace != null) {
            CollectionPlace place = CollectionPlace.ofForeign(namespace, context.catalog());
            Reach reach = place instanceof CollectionPlace.Sharded sharded
                    ? MergeWrite.reach(stage, sharded.table(), context.on(namespace))
                    : unkeyed(place);
            add(stage, namespace, reach, true);
        }
    }

    /** Into a collection of its own, which then takes the name. */
    private void out(PipelineStage stage) {
        Namespace namespace = stage.foreign(database).orElse(null);
        if (namespace != null && !isSharded(stage)) {
            add(stage, namespace, unkeyed(CollectionPlace.ofForeign(namespace, context.catalog())), false);
        }
    }

    private boolean isSharded(PipelineStage stage) {
        return stage.foreign(database)
                .map(ns -> CollectionPlace.ofForeign(ns, context.catalog()) instanceof CollectionPlace.Sharded)
                .orElse(false);
    }

    private void read(
            PipelineStage stage,
            List<PipelineStage> pipeline,
            PipelineVariables variables,
            Join join,
            boolean perDocument) {
        Namespace namespace = stage.foreign(database).orElse(null);
        if (namespace == null) {
            return;
        }
        CollectionPlace place = CollectionPlace.ofForeign(namespace, context.catalog());
        RoutingContext foreign = context.on(namespace);
        Reach reach = place instanceof CollectionPlace.Sharded sharded
                ? new ForeignTarget(sharded.table(), foreign, collation).of(pipeline, variables, join)
                : unkeyed(place);
        add(stage, namespace, reach, perDocument);
    }

    /** Of buckets, whose key is in other terms, and of what is not known, only an upper bound is told. */
    private Reach unkeyed(CollectionPlace place) {
        if (place instanceof CollectionPlace.Single single) {
            return new Reach(null, single.owner(), Certainty.EXACT);
        } else if (place instanceof CollectionPlace.Buckets buckets) {
            return new Reach(Shape.SCATTER_GATHER, buckets.table().owningShards(), Certainty.UPPER_BOUND);
        }
        return new Reach(null, registered(), Certainty.UPPER_BOUND);
    }

    private ShardSet registered() {
        return context.catalog().registry().registered();
    }

    /** Where only a collection's key was read, no shard that it leads to means anything. */
    private boolean isPlaced(Namespace namespace) {
        CatalogSnapshot catalog = context.catalog();
        RoutingTable table = catalog.table(namespace);
        if (table == null) {
            table = catalog.table(new Namespace(namespace.database(), CollectionInfo.BUCKETS + namespace.collection()));
        }
        return table == null || table.isPlaced();
    }

    private void add(PipelineStage stage, Namespace namespace, Reach reach, boolean perDocument) {
        ShardSet shards = isPlaced(namespace) ? reach.shards() : ShardSet.none();
        routes.add(new SecondaryRoute(stage.name(), namespace, reach.shape(), shards, reach.certainty(), perDocument));
    }
}
