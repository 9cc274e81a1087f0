package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.StatementRoute;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A write of one document has one shape and one certainty (targeting semantics §18.2), whether what it is about is on one shard or
 * on several, even where a router does something else then. A row: release, command, shape and certainty, then the error on one
 * shard and on several.
 */
class ShapesOfAnyPlacementTest {
    /** The key {a: 1, b: 1}; {@code a: 1} is in one chunk, or in two on two shards. */
    private static CatalogSnapshot cut(String at) {
        return VectorCatalog.of("{shardKey: {a: 1, b: 1}, allShards: ['x', 'y'], chunks: ["
                + "{min: {a: {$minKey: 1}, b: {$minKey: 1}}, max: " + at + ", shard: 'x'},"
                + "{min: " + at + ", max: {a: {$maxKey: 1}, b: {$maxKey: 1}}, shard: 'y'}]}");
    }

    private static final CatalogSnapshot ONE = cut("{a: 50, b: 0}");
    private static final CatalogSnapshot SEVERAL = cut("{a: 1, b: 0}");

    private static StatementRoute routed(String command, CatalogSnapshot catalog, String release) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse(command)));
        return new KeyRouter()
                .route(view, catalog, RouterRelease.parse(release))
                .worst();
    }

    private static String labels(StatementRoute route) {
        return (route.shape() == null ? "none" : route.shape().text()) + " "
                + route.certainty().text();
    }

    private static String error(StatementRoute route) {
        PredictedError error = route.error();
        return error == null ? "-" : String.valueOf(error.code());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4.4 | {update: 'c', updates: [{q: {a: 1}, u: {$set: {z: 1}}}]} | multiShard exact | - | 72",
                "6.0 | {update: 'c', updates: [{q: {a: 1}, u: {$set: {z: 1}}}]} | multiShard exact | - | 72",
                "6.0 | {update: 'c', updates: [{q: {a: 1, _id: 1}, u: {$set: {z: 1}}}]} | multiShard exact | - | -",
                "6.0 | {update: 'c', updates: [{q: {a: 1}, u: {a: 1, b: 2}}]} | singleShard exact | - | -",
                "6.0 | {update: 'c', updates: [{q: {a: 1}, u: {a: 1, b: [2]}}]} | multiShard exact | - | 61",
                "6.0 | {update: 'c', updates: [{q: {z: 1}, u: {a: 1, b: 2}}]} | singleShard exact | - | -",
                "6.0 | {update: 'c', updates: [{q: {a: 1}, u: {$set: {z: 1}}, upsert: true}]} | none exact | 61 | 61",
                "4.4 | {delete: 'c', deletes: [{q: {a: 1}, limit: 1}]} | none exact | 61 | 61",
                "6.0 | {delete: 'c', deletes: [{q: {a: 1}, limit: 1}]} | multiShard upperBound | - | 61",
                "6.0 | {delete: 'c', deletes: [{q: {z: 1}, limit: 1}]} | none exact | 61 | 61",
                "6.0 | {findAndModify: 'c', query: {a: 1}, remove: true} | multiShard upperBound | - | 61",
                "6.3 | {findAndModify: 'c', query: {a: 1}, remove: true} | none exact | 61 | 61",
                "7.0 | {update: 'c', updates: [{q: {a: 1}, u: {$set: {z: 1}}}]} | multiShard exact | - | -",
                "7.0 | {update: 'c', updates: [{q: {a: 1}, u: {a: 1, b: 2}}]} | multiShard exact | - | -",
                "7.0 | {update: 'c', updates: [{q: {a: 1, _id: 1}, u: {a: 1, b: 2}}]} | singleShard exact | - | -",
                "8.2 | {update: 'c', updates: [{q: {a: 1, _id: 1}, u: {a: 1, b: 2}}]} | multiShard upperBound | - | -",
                "9.0 | {update: 'c', updates: [{q: {a: 1, _id: 1}, u: {a: 1, b: 2}}]} | multiShard exact | - | -"
            })
    void isTheSameOnOneShardAndOnSeveral(String release, String command, String labels, String one, String several) {
        StatementRoute onOne = routed(command, ONE, release);
        StatementRoute onSeveral = routed(command, SEVERAL, release);

        assertThat(labels(onOne)).isEqualTo(labels);
        assertThat(labels(onSeveral)).isEqualTo(labels);
        assertThat(error(onOne)).isEqualTo(one);
        assertThat(error(onSeveral)).isEqualTo(several);
    }

    /** A key that nothing settles the place of, in the last of several ranges. */
    @ParameterizedTest
    @CsvSource({"6.0,upperBound", "7.0,upperBound", "8.0,exact"})
    void maxKeyInTheLastRangeCountsEvenWhereAllShardsAreReachedBefore(String release, String certainty) {
        String find = "{find: 'c', filter: {a: {$in: [0, 99, {$maxKey: 1}]}, b: {$maxKey: 1}}}";

        assertThat(routed(find, ONE, release).certainty().text()).isEqualTo(certainty);
        assertThat(routed(find, cut("{a: 100, b: 0}"), release).certainty().text())
                .isEqualTo(certainty);
    }
}
