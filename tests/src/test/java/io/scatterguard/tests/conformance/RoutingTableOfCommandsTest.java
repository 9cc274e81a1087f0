package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.tests.support.ClusterDocuments;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of every day on a ranged, a compound and a hashed collection over the shards x, y, z. */
class RoutingTableOfCommandsTest {
    private static final Map<String, CatalogSnapshot> CATALOGS = Map.of(
            "ranged", catalog("{a: 1}", "{a: 0}", "{a: 100}", "{a: {$minKey: 1}}", "{a: {$maxKey: 1}}"),
            "compound",
                    catalog(
                            "{a: 1, b: 1}",
                            "{a: 0, b: 0}",
                            "{a: 0, b: 100}",
                            "{a: {$minKey: 1}, b: {$minKey: 1}}",
                            "{a: {$maxKey: 1}, b: {$maxKey: 1}}"),
            "hashed",
                    catalog(
                            "{h: 'hashed'}",
                            "{h: {$numberLong: '-3000000000000000000'}}",
                            "{h: {$numberLong: '3000000000000000000'}}",
                            "{h: {$minKey: 1}}",
                            "{h: {$maxKey: 1}}"));

    private static CatalogSnapshot catalog(String key, String first, String second, String min, String max) {
        return VectorCatalog.of("{shardKey: " + key + ", allShards: ['x', 'y', 'z'], chunks: ["
                + "{min: " + min + ", max: " + first + ", shard: 'x'},"
                + "{min: " + first + ", max: " + second + ", shard: 'y'},"
                + "{min: " + second + ", max: " + max + ", shard: 'z'}]}");
    }

    private static Route route(String collection, String command, RouterRelease release) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse(command)));
        return new KeyRouter().route(view, CATALOGS.get(collection), release);
    }

    // hash(1) = 5902408780260971510, hash(2) = 848411777775835583, hash(-1) is not needed, hash(99) =
    // -2485167817050719729
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ranged   | {find: 'c', filter: {a: 5}}                           | y   | SINGLE_SHARD",
                "ranged   | {find: 'c', filter: {a: 0}}                           | y   | SINGLE_SHARD",
                "ranged   | {find: 'c', filter: {a: {$gte: 0, $lt: 50}}}          | y   | MULTI_SHARD",
                "ranged   | {find: 'c', filter: {a: {$lt: 0}}}                    | xy  | MULTI_SHARD",
                "ranged   | {find: 'c', filter: {a: {$in: [-5, 500]}}}            | xz  | MULTI_SHARD",
                "ranged   | {find: 'c', filter: {b: 1}}                           | xyz | SCATTER_GATHER",
                "ranged   | {find: 'c', filter: {a: {$ne: 5}}}                    | xyz | SCATTER_GATHER",
                "ranged   | {find: 'c', filter: {a: {$exists: true}}}             | xyz | SCATTER_GATHER",
                "ranged   | {find: 'c', filter: {$or: [{a: 5}, {b: 1}]}}          | xyz | SCATTER_GATHER",
                "ranged   | {find: 'c', filter: {a: {$in: []}}}                   | x   | SINGLE_SHARD",
                "ranged   | {find: 'c'}                                           | xyz | SCATTER_GATHER",
                "compound | {find: 'c', filter: {a: 0, b: 5}}                     | y   | SINGLE_SHARD",
                "compound | {find: 'c', filter: {a: 0}}                           | xyz | MULTI_SHARD",
                "compound | {find: 'c', filter: {a: 1}}                           | z   | MULTI_SHARD",
                "compound | {find: 'c', filter: {a: 0, b: {$gt: 200}}}            | z   | MULTI_SHARD",
                "compound | {find: 'c', filter: {b: 5}}                           | xyz | SCATTER_GATHER",
                "compound | {find: 'c', filter: {a: {$exists: true}, b: 5}}       | xyz | SCATTER_GATHER",
                "hashed   | {find: 'c', filter: {h: 1}}                           | z   | SINGLE_SHARD",
                "hashed   | {find: 'c', filter: {h: {$in: [1, 2]}}}               | yz  | MULTI_SHARD",
                "hashed   | {find: 'c', filter: {h: {$gt: 1}}}                    | xyz | SCATTER_GATHER",
                "hashed   | {find: 'c', filter: {x: 1}}                           | xyz | SCATTER_GATHER",
                "ranged   | {count: 'c', query: {a: 5}}                           | y   | SINGLE_SHARD",
                "ranged   | {distinct: 'c', key: 'b', query: {a: 500}}            | z   | SINGLE_SHARD",
                "ranged   | {aggregate: 'c', pipeline: [{$match: {a: 5}}]}        | y   | SINGLE_SHARD",
                "ranged   | {aggregate: 'c', pipeline: [{$limit: 1}, {$match: {a: 5}}]} | xyz | SCATTER_GATHER",
                "ranged   | {insert: 'c', documents: [{a: 5}]}                    | y   | SINGLE_SHARD",
                "ranged   | {insert: 'c', documents: [{a: 5}, {a: -5}]}           | xy  | SINGLE_SHARD",
                "compound | {insert: 'c', documents: [{a: 0}, {a: 0, b: 500}]}    | xz  | SINGLE_SHARD",
                "hashed   | {insert: 'c', documents: [{h: 1}, {h: 2}, {x: 1}]}    | yz  | SINGLE_SHARD",
                "ranged   | {update: 'c', updates: [{q: {a: 5}, u: {$set: {x: 1}}}]} | y | SINGLE_SHARD",
                "ranged   | {update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]} | xyz | SCATTER_GATHER",
                "hashed   | {update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]} | xyz | SCATTER_GATHER",
                "ranged   | {update: 'c', updates: [{q: {a: {$lt: 0}}, u: {$set: {x: 1}}, multi: true}]} | xyz | MULTI_SHARD",
                "ranged   | {delete: 'c', deletes: [{q: {a: 5}, limit: 1}, {q: {}, limit: 0}]} | xyz | SCATTER_GATHER",
                "ranged   | {explain: {delete: 'c', deletes: [{q: {a: {$lt: 0}}, limit: 0}]}} | xy | MULTI_SHARD",
            })
    void goesToExactlyTheseShards(String collection, String command, String shards, Shape shape) {
        Route route = route(collection, command, new RouterRelease(6, 3));
        assertThat(String.join("", route.registry().names(route.shards()))).isEqualTo(shards);
        assertThat(route.shape()).isEqualTo(shape);
        assertThat(route.certainty()).isEqualTo(Certainty.EXACT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6.3 | {findAndModify: 'c', query: {x: 1}, remove: true} | | SHARD_KEY_NOT_FOUND",
                "6.3 | {find: 'c', filter: {a: 5, b: {$in: []}}} | y |",
                "9.0 | {find: 'c', filter: {a: 5, $and: [{a: {$in: []}}]}} | x |",
                "9.0 | {find: 'c', filter: {b: {$elemMatch: {$in: []}}}} | x |",
                "9.0 | {find: 'c', filter: {b: {$elemMatch: {c: {$in: []}}}}} | x |",
                "9.0 | {find: 'c', filter: {b: {$not: {$in: []}}}} | xyz |",
                "8.0 | {findAndModify: 'c', query: {x: 1}, remove: true} | xyz |",
                "8.0 | {findAndModify: 'c', query: {a: {$gt: 100}}, remove: true} | z |",
                "6.3 | {update: 'c', updates: [{q: {x: 1}, u: {$set: {y: 1}}}]} | | INVALID_OPTIONS",
                "8.0 | {update: 'c', updates: [{q: {x: 1}, u: {$set: {y: 1}}}]} | xyz |",
                "6.3 | {find: 'c', filter: {$and: []}} | | BAD_VALUE",
            })
    void dependsOnTheRelease(String version, String command, String shards, String error) {
        Route route = route("ranged", command, RouterRelease.parse(version));
        assertThat(String.join("", route.registry().names(route.shards()))).isEqualTo(shards == null ? "" : shards);
        assertThat(String.valueOf(route.worst().error())).isEqualTo(error == null ? "null" : error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {x: {$unheardOf: 1}}}",
                "{find: 'c', filter: {$jsonSchema: {required: ['a']}}}",
                "{bulkWrite: 1, ops: [], nsInfo: []}",
                "{find: 'c', filter: {a: 5, b: {$in: []}}}",
                "{find: 'c', filter: {$or: [{c: 1, a: 15}, {c: {$ne: 1}, a: 15}]}}",
                "{find: 'c', filter: {$nor: [{a: {$gt: 5}}, {b: 1}]}}",
                "{update: 'c', updates: [{q: {x: {$unheardOf: 1}}, u: {$set: {y: 1}}}]}",
                "{aggregate: 'c', pipeline: [{$unheardOf: 1}, {$match: {a: 5}}]}",
            })
    void whatIsNotUnderstoodIsAnUpperBound(String command) {
        Route route = route("ranged", command, RouterRelease.DEFAULT);
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.registry().names(route.shards())).containsExactly("x", "y", "z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ping: 1} | NOT_ROUTED | ''",
                "{getMore: {$numberLong: '1'}, collection: 'c'} | NOT_ROUTED | ''",
                "{explain: {explain: {find: 'c'}}} | NOT_ROUTED | ''",
                "{createIndexes: 'c', indexes: []} | INTRINSIC | xyz",
                "{drop: 'c'} | INTRINSIC | x",
                "{listIndexes: 'c'} | INTRINSIC | x",
                "{listDatabases: 1} | INTRINSIC | xyz",
                "{aggregate: 1, pipeline: [{$currentOp: {}}]} | INTRINSIC | xyz",
                "{aggregate: 'c', pipeline: [{$changeStream: {}}]} | INTRINSIC | xyz",
                "{aggregate: 'c', pipeline: [{$collStats: {count: {}}}, {$match: {a: 5}}]} | INTRINSIC | xyz",
                "{aggregate: 'c', pipeline: [{$indexStats: {}}]} | INTRINSIC | xyz",
                "{aggregate: 'c', pipeline: [{$planCacheStats: {}}]} | INTRINSIC | xyz",
                "{aggregate: 'other', pipeline: [{$indexStats: {}}]} | ROUTED | x",
                "{find: 'other'} | ROUTED | x",
                "{planCacheClear: 'c'} | INTRINSIC | xyz",
                "{planCacheClear: 'c', query: {a: 5}} | INTRINSIC | y",
                "{planCacheListFilters: 'c', query: {a: {$gt: 5}}} | INTRINSIC | yz",
                "{planCacheClear: 'other', query: {a: 5}} | INTRINSIC | x",
                "{convertToCapped: 'other', size: 100} | INTRINSIC | x",
                "{analyzeShardKey: 'test.c', key: {b: 1}} | INTRINSIC | xyz",
                "{configureQueryAnalyzer: 'test.c', mode: 'off'} | NOT_ROUTED | ''",
                "{setIndexCommitQuorum: 'c'} | INTRINSIC | xyz",
                "{dbStats: 1} | INTRINSIC | xyz",
                "{dropIndexes: 'c', index: '*'} | INTRINSIC | x",
                "{collMod: 'c'} | INTRINSIC | x",
                "{commitTransaction: 1} | NOT_ROUTED | ''",
            })
    void theKindOfTheCommandDecidesFirst(String command, Route.Kind kind, String shards) {
        Route route = route("ranged", command, RouterRelease.DEFAULT);
        assertThat(route.kind()).isEqualTo(kind);
        assertThat(String.join("", route.registry().names(route.shards()))).isEqualTo(shards);
        assertThat(route.shape()).isNull();
    }

    @Test
    void aFileIsSummedWhereItsChunksAre() {
        CatalogSnapshot files = ClusterDocuments.of("x", "y", "z")
                .database(VectorCatalog.DATABASE, "x")
                .sharded(
                        VectorCatalog.DATABASE + ".fs.chunks",
                        "{files_id: 1, n: 1}",
                        List.of(BsonDocument.parse("{files_id: 5, n: 100}"), BsonDocument.parse("{files_id: 9, n: 0}")),
                        "x",
                        "y",
                        "z")
                .build()
                .snapshot();
        for (String root : List.of("", ", root: 'fs'")) {
            BsonDocument filemd5 = BsonDocument.parse("{filemd5: 5" + root + "}");
            CommandView command = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(filemd5));
            Route route = new KeyRouter().route(command, files, RouterRelease.DEFAULT);
            assertThat(route.registry().names(route.shards())).containsExactly("x", "y");
            assertThat(route.namespace().collection()).isEqualTo("fs.chunks");
        }
    }

    @Test
    void theProseNamesFieldsAndNeverValues() {
        Route route = route("compound", "{find: 'c', filter: {b: 'secret'}}", RouterRelease.DEFAULT);
        assertThat(RouteText.why(route))
                .isEqualTo("No usable predicate narrows \"a\", the first field of the shard key {a: 1, b: 1}.");
        assertThat(RouteText.fix(route)).isEqualTo("add a predicate on \"a\"");
        assertThat(RouteText.constrained(route)).containsExactly(new RouteText.Constrained("b", "equality"));
        assertThat(RouteText.missing(route)).isEqualTo(List.of("a"));
    }

    @Test
    void aBatchIsAsBadAsItsWorstStatement() {
        Route route = route(
                "ranged",
                "{delete: 'c', deletes: [{q: {a: 5}, limit: 1}, {q: {x: 1}, limit: 0}, {q: {a: 6}, limit: 1}]}",
                RouterRelease.DEFAULT);
        assertThat(route.statements()).hasSize(3);
        assertThat(route.worstIndex()).isEqualTo(1);
        assertThat(route.shape()).isEqualTo(Shape.SCATTER_GATHER);
    }

    @Test
    void anOrderedBatchEndsAtItsFirstError() {
        String documents = "documents: [{a: 5}, {a: [1]}, {a: 500}]";
        Route ordered = route("ranged", "{insert: 'c', " + documents + "}", RouterRelease.DEFAULT);
        Route unordered = route("ranged", "{insert: 'c', ordered: false, " + documents + "}", RouterRelease.DEFAULT);
        assertThat(ordered.registry().names(ordered.shards())).containsExactly("y");
        assertThat(unordered.registry().names(unordered.shards())).containsExactly("y", "z");
    }

    @Test
    void beforeAnyMetadataNothingIsCertain() {
        CommandView find = CommandView.of("test", BsonView.encode(BsonDocument.parse("{find: 'c'}")));
        Route route = new KeyRouter().route(find, CatalogSnapshot.empty(), RouterRelease.DEFAULT);
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
    }
}
