package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which filters move in front of which stage in 6.3, row by row of targeting semantics §9.3. */
class PipelineMovesTest {
    private static final CatalogSnapshot CATALOG =
            VectorCatalog.of("{shardKey: {a: 1}, chunks: [{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'},"
                    + "{min: {a: 0}, max: {a: 100}, shard: 'y'}, {min: {a: 100}, max: {a: {$maxKey: 1}}, shard: 'z'}],"
                    + " involved: {other: {sharded: true}}}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$sort: {b: 1}}, {$match: {a: 5}} | y",
                "{$sort: {b: 1}}, {$limit: 3}, {$match: {a: 5}} | xyz",
                "{$sort: {b: 1}}, {$match: {a: 5}}, {$limit: 3} | y",
                "{$project: {a: 1}}, {$match: {a: 5}} | y",
                "{$project: {x: '$a'}}, {$match: {x: 5}} | y",
                "{$project: {a: {$add: ['$a', 1]}}}, {$match: {a: 5}} | xyz",
                "{$addFields: {b: 1}}, {$match: {a: 5, b: 1}} | y",
                "{$set: {a: 1}}, {$match: {a: 5}} | xyz",
                "{$unset: 'b'}, {$match: {a: 5}} | y",
                "{$unset: 'a'}, {$match: {a: 5}} | xyz",
                "{$replaceRoot: {newRoot: '$d'}}, {$match: {a: 5}} | xyz",
                "{$replaceWith: '$d'}, {$match: {a: 5}} | xyz",
                "{$unwind: '$b'}, {$match: {a: 5, b: 1}} | y",
                "{$unwind: '$a'}, {$match: {a: 5}} | xyz",
                "{$unwind: {path: '$b', includeArrayIndex: 'a'}}, {$match: {a: 5}} | xyz",
                "{$group: {_id: '$a'}}, {$match: {_id: 5}} | y",
                "{$group: {_id: {k: '$a'}}}, {$match: {'_id.k': 5}} | y",
                "{$group: {_id: '$a', n: {$sum: 1}}}, {$match: {n: 5}} | xyz",
                "{$group: {_id: '$a'}}, {$match: {_id: {$exists: true}}} | xyz",
                "{$sortByCount: '$a'}, {$match: {_id: 5}} | y",
                "{$sortByCount: {$add: ['$a', 1]}}, {$match: {_id: 5}} | xyz",
                "{$lookup: {from: 'other', localField: 'b', foreignField: 'b', as: 'j'}}, {$match: {a: 5, j: 1}} | y",
                "{$lookup: {from: 'other', localField: 'b', foreignField: 'b', as: 'a'}}, {$match: {a: 5}} | xyz",
                "{$graphLookup: {from: 'other', startWith: '$b', connectFromField: 'b', connectToField: 'b', as: 'j'}}, {$match: {a: 5}} | y",
                "{$match: {a: {$gt: 0}}}, {$match: {a: {$lt: 50}}} | y",
                "{$unionWith: 'other'}, {$match: {a: 5}} | y",
                // Of which filters a copy is safe is not known in full: never less than what is asked.
                "{$redact: '$$KEEP'}, {$match: {a: 5}} | <=xyz",
                "{$geoNear: {near: [0, 0], distanceField: 'd', query: {a: 5}}} | y",
                "{$limit: 3}, {$match: {a: 5}} | xyz",
                "{$skip: 3}, {$match: {a: 5}} | xyz",
                "{$sample: {size: 3}}, {$match: {a: 5}} | xyz",
                "{$facet: {f: [{$match: {a: 5}}]}} | xyz",
                "{$bucketAuto: {groupBy: '$a', buckets: 2}}, {$match: {_id: 5}} | xyz",
                "{$bucket: {groupBy: '$a', boundaries: [0, 9]}}, {$match: {_id: 5}} | xyz",
                "{$setWindowFields: {sortBy: {a: 1}, output: {}}}, {$match: {a: 5}} | xyz",
                "{$densify: {field: 'b', range: {step: 1, bounds: 'full'}}}, {$match: {a: 5}} | xyz",
                "{$fill: {output: {b: {value: 1}}}}, {$match: {a: 5}} | xyz",
                "{$count: 'a'}, {$match: {a: 5}} | xyz",
                "{$collStats: {count: {}}}, {$match: {a: 5}} | xyz",
                "{$indexStats: {}}, {$match: {a: 5}} | xyz",
                "{$search: {}}, {$match: {a: 5}} | xyz",
                // A conjunction moves in parts, a disjunction or a negation as a whole or not at all.
                "{$set: {b: 1}}, {$match: {$or: [{a: 5}, {b: 1}]}} | xyz",
                "{$set: {b: 1}}, {$match: {$or: [{a: 5}, {a: 6}]}} | y",
                "{$set: {b: 1}}, {$match: {a: {$lt: 0}, $nor: [{a: 5}, {b: 1}]}} | xy",
                "{$set: {b: 1}}, {$match: {$expr: {$eq: ['$a', 5]}}} | y",
                "{$set: {b: 1}}, {$match: {$expr: {$and: [{$eq: ['$a', 5]}, {$eq: ['$b', 1]}]}}} | xyz",
            })
    void aFilterMovesInFrontOfWhatItDoesNotDependOn(String stages, String shards) {
        BsonDocument command = BsonDocument.parse("{aggregate: 'c', pipeline: [" + stages + "], cursor: {}}");
        Route route = new KeyRouter()
                .route(CommandView.of("test", BsonView.encode(command)), CATALOG, new RouterRelease(6, 3));
        String named = String.join("", route.registry().names(route.shards()));
        assertThat(route.certainty() == Certainty.EXACT ? named : "<=" + named).isEqualTo(shards);
    }
}
