package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.RawCatalogs.Collection;
import io.scatterguard.proxy.catalog.RawCatalogs.Layout;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shapes of commands follow from the keys alone: they are those that a catalog with all chunks gives. */
class KeysOnlyShapesTest {
    private static final int COMMANDS = 5_000;
    private static final List<String> NAMES = List.of("ranged", "compound", "hashed", "plain");
    private static final List<String> VALUES = List.of(
            "1", "7", "'x'", "{$gt: 3}", "{$lt: 3, $gte: 0}", "{$in: [1, 5]}", "{$ne: 1}", "null", "{$exists: true}");

    private static FakeCatalogSource source() {
        Collection ranged = Collection.of(Layout.UUID, "shop.ranged", "{a: 1}");
        Collection compound = Collection.of(Layout.UUID, "shop.compound", "{a: 1, b: 1}");
        Collection hashed = Collection.of(Layout.UUID, "shop.hashed", "{a: 'hashed'}");
        return new FakeCatalogSource()
                .with(ranged, ranged.chunksSplitAt("0", "3", "6"))
                .with(
                        compound,
                        List.of(
                                compound.chunk("a", 1, 0, "{a: {$minKey: 1}, b: {$minKey: 1}}", "{a: 3, b: 1}"),
                                compound.chunk("b", 2, 0, "{a: 3, b: 1}", "{a: {$maxKey: 1}, b: {$maxKey: 1}}")))
                .with(hashed, hashed.chunksSplitAt("{$numberLong: '-4000000000'}", "{$numberLong: '0'}"));
    }

    private static CatalogSnapshot catalog(boolean keysOnly) {
        return new CatalogLoader(source(), Clock.systemUTC(), keysOnly, LoadDemand.unmet())
                .load()
                .snapshot();
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.4", "6.0", "7.0", "8.0", "9.0"})
    void everyRandomCommandHasTheSameShape(String release) {
        CatalogSnapshot whole = catalog(false);
        CatalogSnapshot keys = catalog(true);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < COMMANDS; i++) {
            BsonDocument command = command(random);
            Route expected = route(command, whole, release);
            Route found = route(command, keys, release);
            String what = "seed " + seed + ": " + command + " on " + release;
            PredictedError error = expected.worst().error();
            if (error == found.worst().error()) {
                assertThat(found.shape()).as(what).isEqualTo(expected.shape());
                assertThat(found.certainty()).as(what).isEqualTo(expected.certainty());
            } else {
                // Up to 6.x whether, and how, a write without the key fails follows from how many shards own what it is
                // about; one about all of them fails altogether, and has no shape.
                if (expected.shape() != null) {
                    assertThat(found.shape()).as(what).isEqualTo(expected.shape());
                    assertThat(found.certainty()).as(what).isEqualTo(expected.certainty());
                }
                assertThat(release).as(what).isIn("4.4", "6.0");
                assertThat(error).as(what).isIn(PredictedError.INVALID_OPTIONS, PredictedError.SHARD_KEY_NOT_FOUND);
            }
            assertThat(found.isPlaced()).isEqualTo(expected.table() == null);
        }
    }

    private static Route route(BsonDocument command, CatalogSnapshot catalog, String release) {
        return new KeyRouter()
                .route(CommandView.of("shop", BsonView.encode(command)), catalog, RouterRelease.parse(release));
    }

    private static String pick(List<String> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    private static String filter(Random random) {
        StringBuilder filter = new StringBuilder("{");
        for (String field : List.of("a", "b", "_id", "c")) {
            if (random.nextInt(5) < 2) {
                filter.append(filter.length() > 1 ? ", " : "")
                        .append(field)
                        .append(": ")
                        .append(pick(VALUES, random));
            }
        }
        filter.append('}');
        return random.nextInt(8) == 0 ? "{$or: [" + filter + ", {a: 2}]}" : filter.toString();
    }

    private static BsonDocument command(Random random) {
        String name = pick(NAMES, random);
        String filter = filter(random);
        String multi = random.nextBoolean() ? "true" : "false";
        String upsert = random.nextInt(4) == 0 ? ", upsert: true" : "";
        return BsonDocument.parse(
                switch (random.nextInt(7)) {
                    case 0 -> "{find: '" + name + "', filter: " + filter + "}";
                    case 1 -> "{count: '" + name + "', query: " + filter + "}";
                    case 2 -> "{aggregate: '" + name + "', pipeline: [{$match: " + filter + "}], cursor: {}}";
                    case 3 ->
                        "{update: '" + name + "', updates: [{q: " + filter + ", u: {$set: {z: 1}}, multi: " + multi
                                + upsert + "}]}";
                    case 4 ->
                        "{delete: '" + name + "', deletes: [{q: " + filter + ", limit: "
                                + (random.nextBoolean() ? 0 : 1) + "}]}";
                    case 5 ->
                        "{findAndModify: '" + name + "', query: " + filter + ", update: {$set: {z: 1}}" + upsert + "}";
                    default -> "{insert: '" + name + "', documents: [{a: 1, b: 2}, {b: 2}]}";
                });
    }
}
