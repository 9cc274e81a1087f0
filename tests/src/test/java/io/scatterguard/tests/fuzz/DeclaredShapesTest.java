package io.scatterguard.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.DeclaredCatalog;
import io.scatterguard.proxy.catalog.DeclaredLayout;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.CollectionRule.Shards;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/**
 * A declared key with a number of shards and no bounds gives every command the shape that the chunks of a cluster give it, and at
 * least its placement.
 */
class DeclaredShapesTest {
    private static final long SEED = 20_261_202;
    private static final int LAYOUTS = 400;
    private static final int FILTERS = 10;
    private static final List<String> RELEASES = List.of("5.0", "6.0", "7.0", "8.0", "9.0");

    private static final List<String> COMMANDS = List.of(
            "{find: 'c', filter: F}",
            "{count: 'c', query: F}",
            "{aggregate: 'c', pipeline: [{$match: F}], cursor: {}}",
            "{delete: 'c', deletes: [{q: F, limit: 1}]}",
            "{delete: 'c', deletes: [{q: F, limit: 0}]}",
            "{update: 'c', updates: [{q: F, u: {$set: {z: 1}}}]}",
            "{update: 'c', updates: [{q: F, u: {a: 5, b: 6}}]}",
            "{update: 'c', updates: [{q: F, u: {$set: {z: 1}}, multi: true}]}",
            "{update: 'c', updates: [{q: F, u: {$set: {z: 1}}, upsert: true}]}",
            "{findAndModify: 'c', query: F, update: {$set: {z: 1}}}");

    private final KeyRouter router = new KeyRouter();
    private final Map<Shape, Integer> seen = new EnumMap<>(Shape.class);
    private int undecided;

    @Test
    void theShapeIsThatOfTheChunks() {
        for (int number = 0; number < LAYOUTS; number++) {
            Dice dice = new Dice(SEED, number);
            LayoutGenerator layouts = new LayoutGenerator(dice);
            Layout layout = layouts.layout(false, LayoutGenerator.collation(dice));
            if (layout.owning().size() < 2) {
                continue; // Then everything is known.
            }
            CatalogSnapshot chunks = VectorCatalog.of(layout.vector());
            CatalogSnapshot declared = declared(layout);
            FilterGenerator filters = new FilterGenerator(dice, layout, layouts.values(), false);
            for (int i = 0; i < FILTERS; i++) {
                compare(dice.oneOf(COMMANDS), filters.filter(), dice.oneOf(RELEASES), chunks, declared);
            }
        }
        assertThat(seen).containsOnlyKeys(Shape.values());
        assertThat(undecided).isPositive();
        assertThat(seen.values()).allSatisfy(count -> assertThat(count).isGreaterThan(100));
    }

    private static CatalogSnapshot declared(Layout layout) {
        CollectionRule rule = new CollectionRule(
                new Namespace(VectorCatalog.DATABASE, "c"),
                layout.vector().getDocument("shardKey"),
                false,
                layout.collation() == null || layout.collation().isEmpty() ? null : layout.collation(),
                new Shards(layout.owning().size()),
                null,
                List.of());
        return new DeclaredCatalog(List.of(rule), DeclaredLayout.of(8, 0))
                .apply(CatalogLoad.ofNothing(Instant.EPOCH).snapshot());
    }

    private void compare(
            String pattern, BsonDocument filter, String release, CatalogSnapshot chunks, CatalogSnapshot declared) {
        BsonDocument command = BsonDocument.parse(pattern.replace("F", "{}"));
        put(command, filter);
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(command));
        Route real = router.route(view, chunks, RouterRelease.parse(release));
        Route assumed = router.route(view, declared, RouterRelease.parse(release));
        String what = release + " " + command.toJson() + " "
                + declared.tables().values().iterator().next().shardKey();

        assertThat(assumed.shape()).as(what).isEqualTo(real.shape());
        assertThat(assumed.certainty()).as(what).isEqualTo(real.certainty());
        if (assumed.worst().error() != real.worst().error()) {
            assertThat(isDecidedByPlacement(real, assumed)).as(what).isTrue();
            undecided++;
        }
        if (assumed.shape() != null) {
            seen.merge(assumed.shape(), 1, Integer::sum);
            // At most as many shards as there are, never fewer than the chunks of a cluster can give a range.
            boolean all = real.placement() == Placement.ALL_SHARDS && real.shape() == Shape.SCATTER_GATHER;
            assertThat(assumed.placement()).as(what).matches(placement -> !all || placement == Placement.ALL_SHARDS);
        }
    }

    /**
     * Before 7.0, a write of one document whose filter is no full key fails where it reaches several shards. Without bounds that
     * cannot be told, and nothing is claimed; of a hashed key the chunks are others.
     */
    private static boolean isDecidedByPlacement(Route real, Route assumed) {
        boolean unclaimed = assumed.worst().error() == null || assumed.table().boundsKnown();
        return unclaimed && !real.release().atLeast(7, 0) && real.shape() != Shape.SCATTER_GATHER;
    }

    /** Into the place of the empty document that stands for it. */
    private static void put(BsonDocument command, BsonDocument filter) {
        for (String list : List.of("deletes", "updates", "pipeline")) {
            if (command.containsKey(list)) {
                BsonDocument first = command.getArray(list).get(0).asDocument();
                first.put(list.equals("pipeline") ? "$match" : "q", filter);
            }
        }
        for (String field : List.of("filter", "query")) {
            if (command.containsKey(field)) {
                command.put(field, filter);
            }
        }
    }
}
