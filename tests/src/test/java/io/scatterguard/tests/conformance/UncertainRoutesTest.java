package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is certain and what is not, release by release: an upper bound where it is not settled, and exact beside it. */
class UncertainRoutesTest {
    private static final String CHUNKS = "chunks: ["
            + "{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'},"
            + "{min: {a: 0}, max: {a: 100}, shard: 'y'},"
            + "{min: {a: 100}, max: {a: {$maxKey: 1}}, shard: 'z'}]";
    /** Registers w, which owns nothing. */
    private static final CatalogSnapshot RANGED =
            VectorCatalog.of("{shardKey: {a: 1}, allShards: ['x', 'y', 'z', 'w'], primaryShard: 'x', "
                    + "involved: {other: {shard: 'z', unsplittable: true}}, " + CHUNKS + "}");

    private static final CatalogSnapshot HASHED =
            VectorCatalog.of("{shardKey: {h: 'hashed'}, collation: {locale: 'de'}, "
                    + "chunks: [{min: {h: {$minKey: 1}}, max: {h: {$numberLong: '1000000000000000000'}}, shard: 'x'},"
                    + "{min: {h: {$numberLong: '1000000000000000000'}}, max: {h: {$maxKey: 1}}, shard: 'y'}]}");
    private static final CatalogSnapshot SERIES = VectorCatalog.of("{shardKey: {meta: 1}, primaryShard: 'p', "
            + "timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds', bucketMaxSpanSeconds: 3600}, chunks: ["
            + "{min: {meta: {$minKey: 1}}, max: {meta: 0}, shard: 'x'},"
            + "{min: {meta: 0}, max: {meta: {$maxKey: 1}}, shard: 'y'}]}");

    private static Route route(CatalogSnapshot catalog, BsonDocument command, String version) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(command));
        return new KeyRouter().route(view, catalog, RouterRelease.parse(version));
    }

    private static Route route(String command, String version) {
        return route(RANGED, BsonDocument.parse(command), version);
    }

    private static void assertShards(Route route, String shards, boolean exact) {
        String named = String.join("", route.registry().names(route.shards()));
        assertThat(named + (route.certainty() == Certainty.EXACT ? "" : " at most"))
                .isEqualTo(exact ? shards : shards + " at most");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{x: {y: 0}} | y",
                "{_id: 1, x: 0} | y",
                "{_id: 0} | y",
                "{_id: 0, x: {y: {z: false}}} | y",
                "{a: 0} | xyz",
                "{_id: 1} | xyz",
                "{x: {y: 1}} | xyz",
                "{_id: 0, x: 1} | xyz",
                "{x: {y: '$z'}} | xyz",
                "{_id: 0, a: 1} | y",
            })
    void aMatchMovesInFrontOfAProjectionThatKeepsItsField(String projection, String shards) {
        String command = "{aggregate: 'c', pipeline: [{$project: " + projection + "}, {$match: {a: 5}}]}";
        assertShards(route(command, "6.3"), shards, true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Multi upserts.
                "6.3 | {update: 'c', updates: [{q: {b: 1}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | '' | true",
                "7.0 | {update: 'c', updates: [{q: {b: 1}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | wxyz | false",
                "7.1 | {update: 'c', updates: [{q: {b: 1}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | '' | true",
                "7.2 | {update: 'c', updates: [{q: {$and: [{a: 5}, {a: 5}]}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | wxyz | false",
                "8.0 | {update: 'c', updates: [{q: {$and: [{a: 5}, {a: 5}]}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | y | true",
                "7.1 | {update: 'c', updates: [{q: {a: 5}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | y | true",
                // A repeated predicate.
                "7.1 | {find: 'c', filter: {$and: [{a: 5}, {a: 5}]}} | y | true",
                "7.2 | {find: 'c', filter: {$and: [{a: 5}, {a: 5}]}} | y | false",
                "8.0 | {find: 'c', filter: {$and: [{a: 5}, {a: 5}]}} | y | true",
                "7.2 | {find: 'c', filter: {$and: [{a: 5}, {a: {$numberLong: '5'}}]}} | xyz | false",
                "7.2 | {find: 'c', filter: {$or: [{a: 5}, {a: 5}]}} | xyz | false",
                "7.2 | {find: 'c', filter: {$or: [{a: 5}, {a: 5, b: 1}]}} | y | false",
                "8.0 | {find: 'c', filter: {$or: [{a: 5}, {a: 5, b: 1}]}} | y | true",
                "7.2 | {find: 'c', filter: {a: 5, $or: [{a: 5}, {b: 1}]}} | xyz | false",
                "7.2 | {find: 'c', filter: {$and: [{a: 5}, {a: 6}]}} | x | true",
                "7.2 | {find: 'c', filter: {$or: [{a: 5, b: 1}, {a: 5, b: 2}]}} | y | true",
                "7.2 | {find: 'c', filter: {$or: [{a: 5}, {a: 6}]}} | y | true",
                "7.2 | {delete: 'c', deletes: [{q: {$and: [{_id: 5}, {_id: 5}]}, limit: 1}]} | wxyz | false",
                "8.0 | {delete: 'c', deletes: [{q: {$and: [{_id: 5}, {_id: 5}]}, limit: 1}]} | wxyz | true",
                // An empty list.
                "6.3 | {find: 'c', filter: {a: {$in: []}}} | x | true",
                "7.0 | {find: 'c', filter: {a: {$in: []}}} | xyz | false",
                "8.3 | {find: 'c', filter: {a: {$in: []}}} | xyz | false",
                "9.0 | {find: 'c', filter: {a: {$in: []}}} | x | true",
                "9.0 | {find: 'c', filter: {b: {$elemMatch: {c: {$in: []}}}}} | x | true",
                "9.0 | {find: 'c', filter: {b: {$elemMatch: {c: {$in: [1]}}}}} | xyz | true",
                // A replacement by exact _id.
                "8.0 | {update: 'c', updates: [{q: {_id: 1}, u: {a: 5}}]} | y | true",
                "8.1 | {update: 'c', updates: [{q: {_id: 1}, u: {a: 5}}]} | wxyz | false",
                "8.3 | {update: 'c', updates: [{q: {_id: 1}, u: {a: 5}}]} | wxyz | false",
                "9.0 | {update: 'c', updates: [{q: {_id: 1}, u: {a: 5}}]} | wxyz | true",
                // MaxKey.
                "6.3 | {insert: 'c', documents: [{a: {$maxKey: 1}}]} | '' | true",
                "7.0 | {insert: 'c', documents: [{a: {$maxKey: 1}}]} | xyz | false",
                "7.1 | {insert: 'c', documents: [{a: {$maxKey: 1}}]} | z | true",
                "6.3 | {find: 'c', filter: {a: {$maxKey: 1}}} | x | true",
                "7.0 | {find: 'c', filter: {a: {$maxKey: 1}}} | xyz | false",
                "7.1 | {find: 'c', filter: {a: {$maxKey: 1}}} | z | true",
            })
    void dependsOnTheRelease(String version, String command, String shards, boolean exact) {
        Route route = route(command, version);
        String named = route.registry().names(route.shards()).stream().sorted().reduce("", String::concat);
        assertThat(named).isEqualTo(shards);
        assertThat(route.certainty()).isEqualTo(exact ? Certainty.EXACT : Certainty.UPPER_BOUND);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8.0 | {find: 'c', filter: {a: {$gt: 150}, $expr: true}} | z | true",
                "8.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$b', [1]]}}} | xyz | true",
                "8.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$a', [1]]}}} | xyz | false",
                "8.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$a.b', [1]]}}} | xyz | false",
                "8.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$$ROOT', [1]]}}} | xyz | false",
                "8.0 | {find: 'c', filter: {a: {$gt: 1}, $expr: {$in: ['$b', [1]]}}} | xyz | false",
                // From 9.0 an ordinary list: of one value it is an equality, and may stand twice as any other.
                "9.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$b', [2]]}}} | xyz | true",
                "9.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$b', [1]]}}} | xyz | true",
                "9.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$a', [5]]}}} | y | true",
                "9.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$a', [null]]}}} | xyz | true",
                "9.0 | {find: 'c', filter: {b: 1, $expr: {$in: ['$a', ['$b']]}}} | xyz | true",
                "6.3 | {find: 'c', filter: {b: 1, $expr: false}} | xyz | true",
                "8.3 | {find: 'c', filter: {b: 1, $expr: false}} | xyz | false",
                "9.0 | {find: 'c', filter: {b: 1, $expr: false}} | x | true",
                "6.3 | {find: 'c', filter: {b: 1, $jsonSchema: {required: ['b']}}} | xyz | false",
                "6.3 | {mapReduce: 'c', query: {a: 5}, out: {inline: 1}} | y | true",
                "6.3 | {mapReduce: 'c', query: {b: 5}, out: {inline: 1}} | xyz | true",
                "6.3 | {aggregate: 'c', pipeline: [{$match: {a: 5}}, {$unheardOf: 1}, {$match: {b: 1}}]} | xy | false",
                "8.0 | {aggregate: 'c', pipeline: [{$match: {a: 5}}, {$unheardOf: 1}, {$match: {b: 1}}]} | xy | false",
                "8.0 | {aggregate: 'c', pipeline: [{$match: {a: 5}}, {$unheardOf: 1}, {$match: {b: {$ne: 1}}}]} | xyz | false",
                "6.3 | {aggregate: 'c', pipeline: [{$match: {$or: [{a: 5}, {a: {$gt: 6}, b: 1}]}}, {$unheardOf: 1}, {$match: {b: 1}}]} | xyz | false",
                "6.3 | {aggregate: 'c', pipeline: [{$match: {a: 5}}, {$unheardOf: 1}, {$match: {$expr: false}}]} | xyz | false",
                "6.3 | {aggregate: 'c', pipeline: [{$match: {a: 5}}, {$unheardOf: 1}]} | y | true",
            })
    void whatOnlyNarrowsKeepsWhatIsKnown(String version, String command, String shards, boolean exact) {
        assertShards(route(command, version), shards, exact);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f | {find: 'c', filter: {a: 5}, _ilter: {}}",
                "q | {count: 'c', query: {a: 5}, _uery: {}}",
                "p | {aggregate: 'c', pipeline: [{$match: {a: 5}}], _ipeline: []}",
                "p | {aggregate: 'c', pipeline: [], _ipeline: [{$changeStream: {}}]}",
                "d | {insert: 'c', documents: [{a: 5}], _ocuments: [{a: 500}]}",
                "u | {update: 'c', updates: [{q: {a: 5}, u: {$set: {b: 1}}}], _pdates: []}",
                "d | {delete: 'c', deletes: [{q: {a: 5}, limit: 1}], _eletes: []}",
                "q | {delete: 'c', deletes: [{q: {a: 5}, _: {}, limit: 1}]}",
                "u | {update: 'c', updates: [{q: {a: 5}, u: {$set: {b: 1}}, _: {}}]}",
            })
    void aFieldGivenTwiceIsAnUpperBound(char letter, String command) {
        byte[] bytes = BsonView.encode(BsonDocument.parse(command)).toByteArray();
        assertThat(route(bytes).certainty()).isEqualTo(Certainty.EXACT);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = bytes[i] == '_' ? (byte) letter : bytes[i];
        }
        Route twice = route(bytes);
        assertThat(twice.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(twice.registry().names(twice.shards())).contains("x", "y", "z");
        assertThat(twice.shape()).isEqualTo(Shape.SCATTER_GATHER);
    }

    private static Route route(byte[] command) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.of(Unpooled.wrappedBuffer(command)));
        return new KeyRouter().route(view, RANGED, new RouterRelease(8, 0));
    }

    @Test
    void aCollectionMayBeNamedByASymbol() {
        BsonDocument command = new BsonDocument("distinct", new BsonSymbol("c"))
                .append("key", new BsonString("b"))
                .append("query", BsonDocument.parse("{a: 5}"));
        Route route = route(RANGED, command, "8.0");
        assertThat(route.namespace().collection()).isEqualTo("c");
        assertShards(route, "y", true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{find: 5}", "{count: {}}", "{insert: null, documents: []}", "{delete: true, deletes: []}"})
    void aCollectionNamedByNoTextIsAnUpperBound(String command) {
        Route route = route(command, "8.0");
        assertThat(route.kind()).isEqualTo(Route.Kind.ROUTED);
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.registry().names(route.shards())).containsExactlyInAnyOrder("w", "x", "y", "z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{insert: 0, document: {a: 5}} | y | SINGLE_SHARD",
                "{insert: 0, document: {a: 5}}, {insert: 0, document: {a: 500}} | yz | SINGLE_SHARD",
                "{update: 0, filter: {a: 5}, updateMods: {$set: {b: 1}}} | y | SINGLE_SHARD",
                "{update: 0, filter: {b: 5}, updateMods: {$set: {b: 1}}, multi: true} | wxyz | SCATTER_GATHER",
                "{update: 0, filter: {b: 5}, updateMods: {$set: {b: 1}}} | xyz | SCATTER_GATHER",
                "{delete: 0, filter: {a: 5}} | y | SINGLE_SHARD",
                "{delete: 0, filter: {a: {$lt: 0}}, multi: true} | wxyz | MULTI_SHARD",
                "{insert: 1, document: {q: 1}}, {delete: 0, filter: {a: 5}} | yz | SINGLE_SHARD",
            })
    void everyOpOfABulkWriteIsRoutedLikeItsStatement(String ops, String shards, Shape shape) {
        Route route = bulk(ops);
        assertThat(String.join(
                        "",
                        route.registry().names(route.shards()).stream().sorted().toList()))
                .isEqualTo(shards);
        assertThat(route.certainty()).isEqualTo(Certainty.EXACT);
        assertThat(route.shape()).isEqualTo(shape);
        assertThat(route.namespace().toString()).contains("test").contains("c");
        assertThat(route.table()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{insert: 7, document: {a: 5}}", "{replace: 0, filter: {}}", "{insert: 'c'}", ""})
    void aBulkWriteThatCannotBeReadIsAnUpperBoundOnARealCollection(String ops) {
        Route route = bulk(ops);
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.shape()).isEqualTo(Shape.SCATTER_GATHER);
        assertThat(route.namespace().collection()).isEqualTo("c");
    }

    private static Route bulk(String ops) {
        return route(
                "{bulkWrite: 1, ops: [" + ops + "], nsInfo: [{ns: 'test.c'}, {ns: 'test.other'}], $db: 'admin'}",
                "8.0");
    }

    /** The hashes of null and of undefined are on either side of the split. */
    @Test
    void onAHashedKeyNullMayBeTwoPointsForAFindAndModify() {
        BsonDocument nothing = BsonDocument.parse("{findAndModify: 'c', query: {h: null}, remove: true}");
        BsonDocument number = BsonDocument.parse("{findAndModify: 'c', query: {h: 5}, remove: true}");
        assertShards(route(HASHED, nothing, "6.3"), "y", true);
        assertShards(route(HASHED, nothing, "8.0"), "xy", false);
        assertThat(route(HASHED, number, "8.0").certainty()).isEqualTo(Certainty.EXACT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8.0 | {find: 'c', filter: {m: 5}} | p",
                "8.0 | {aggregate: 'c', pipeline: [{$match: {m: 5}}]} | p",
                "9.0 | {find: 'c', filter: {m: 5}} | ''",
                "8.0 | {find: 'system.buckets.c', filter: {meta: 5}} | ''",
            })
    void aReadOfATimeSeriesGoesToThePrimaryFirst(String version, String command, String firstHop) {
        Route route = route(SERIES, BsonDocument.parse(command), version);
        assertShards(route, "y", true);
        assertThat(String.join("", route.registry().names(route.contacted()))).isEqualTo(firstHop);
        assertThat(route.placement().text()).isEqualTo("oneShard");
    }

    @Test
    void aMeasurementThatCannotBePlacedStillGoesToOneShard() {
        CatalogSnapshot splitWithinDocuments = VectorCatalog.of("{shardKey: {meta: 1}, primaryShard: 'p',"
                + "timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds'}, chunks: ["
                + "{min: {meta: {$minKey: 1}}, max: {meta: {b: 0}}, shard: 'x'},"
                + "{min: {meta: {b: 0}}, max: {meta: {$maxKey: 1}}, shard: 'y'}]}");
        BsonDocument insert = BsonDocument.parse("{insert: 'c', documents: [{t: {$date: 0}, m: {b: 1, a: 2}}]}");
        Route route = route(splitWithinDocuments, insert, "7.0");
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.shape()).isEqualTo(Shape.SINGLE_SHARD);
    }

    @ParameterizedTest
    @CsvSource({
        "test.system.buckets.plain, plain, false",
        "test.plain, plain, false",
        "test.system.buckets.no, plain, true"
    })
    void aTimeSeriesOfUnknownBucketsIsUnknown(String unknown, String collection, boolean exact) {
        Route route = route(without(unknown), new BsonDocument("find", new BsonString(collection)), "8.0");
        assertThat(route.certainty()).isEqualTo(exact ? Certainty.EXACT : Certainty.UPPER_BOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{$match: {a: 5}}, {$lookup: {from: 'plain', localField: 'b', foreignField: 'b', as: 'j'}}]",
                "[{$match: {a: 5}}, {$merge: 'plain'}]",
                "[{$match: {a: 5}}, {$facet: {one: [{$graphLookup: {from: 'plain', as: 'j'}}]}}]",
            })
    void aStageOnAnUnknownCollectionMayMergeAnywhere(String pipeline) {
        BsonDocument command = BsonDocument.parse("{aggregate: 'c', pipeline: " + pipeline + "}");
        Route unknown = route(without("test.plain"), command, "8.0");
        assertThat(unknown.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(unknown.contacted().size()).isEqualTo(3);
        Route known = route(RANGED, command, "8.0");
        assertThat(known.certainty()).isEqualTo(Certainty.EXACT);
        assertThat(known.registry().names(known.contacted())).containsExactly("x");
    }

    /** The ranged catalog, in which one namespace could not be understood. */
    private static CatalogSnapshot without(String unknown) {
        return new CatalogSnapshot(
                RANGED.loadedAt(),
                true,
                RANGED.registry(),
                RANGED.primaries(),
                RANGED.tables(),
                Set.of(Namespace.parse(unknown)));
    }
}
