package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouteText;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.Shape;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One row for each rule that not every release has, with its neighbours before and after: the shards, {@code <=} before an
 * upper bound, or the code of the predicted error. The shard w owns nothing; p is the primary where there is one.
 */
class ReleaseDifferencesTest {
    private static final Map<String, CatalogSnapshot> CATALOGS = Map.of(
            "ranged",
            VectorCatalog.of("{shardKey: {a: 1}, primaryShard: 'x', allShards: ['w', 'x', 'y', 'z'], chunks: ["
                    + "{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'}, {min: {a: 0}, max: {a: 100}, shard: 'y'},"
                    + "{min: {a: 100}, max: {a: {$maxKey: 1}}, shard: 'z'}],"
                    + " involved: {moved: {unsplittable: true, shard: 'z'}}}"),
            "hashed",
            VectorCatalog.of("{shardKey: {h: 'hashed'}, allShards: ['w', 'x', 'y'], chunks: ["
                    + "{min: {h: {$minKey: 1}}, max: {h: {$numberLong: '0'}}, shard: 'x'},"
                    + "{min: {h: {$numberLong: '0'}}, max: {h: {$maxKey: 1}}, shard: 'y'}]}"),
            "german",
            VectorCatalog.of("{shardKey: {h: 'hashed'}, collation: {locale: 'de'}, chunks: ["
                    + "{min: {h: {$minKey: 1}}, max: {h: {$numberLong: '1000000000000000000'}}, shard: 'x'},"
                    + "{min: {h: {$numberLong: '1000000000000000000'}}, max: {h: {$maxKey: 1}}, shard: 'y'}]}"),
            "series",
            VectorCatalog.of(
                    "{shardKey: {'meta.x': 1, 'control.min.t': 1}, primaryShard: 'p', allShards: ['p', 'w', 'x', 'y'],"
                            + "timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds'}, chunks: ["
                            + "{min: {'meta.x': {$minKey: 1}, 'control.min.t': {$minKey: 1}},"
                            + " max: {'meta.x': 5, 'control.min.t': {$date: 0}}, shard: 'x'},"
                            + "{min: {'meta.x': 5, 'control.min.t': {$date: 0}},"
                            + " max: {'meta.x': {$maxKey: 1}, 'control.min.t': {$maxKey: 1}}, shard: 'y'}]}"),
            "documents",
            VectorCatalog.of("{shardKey: {meta: 1}, allShards: ['x', 'y'],"
                    + "timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds'}, chunks: ["
                    + "{min: {meta: {$minKey: 1}}, max: {meta: {b: 0}}, shard: 'x'},"
                    + "{min: {meta: {b: 0}}, max: {meta: {$maxKey: 1}}, shard: 'y'}]}"));

    private static Route route(String catalog, String release, String command) {
        BsonDocument document = BsonDocument.parse(command);
        String database =
                document.containsKey("$db") ? document.getString("$db").getValue() : "test";
        CommandView view = CommandView.of(database, BsonView.encode(document));
        return new KeyRouter().route(view, CATALOGS.get(catalog), RouterRelease.parse(release));
    }

    private static String outcome(Route route) {
        PredictedError error = route.worst().error();
        String shards = route.registry().names(route.shards()).stream().sorted().collect(Collectors.joining());
        String outcome = error == null ? shards : String.valueOf(error.code());
        return (route.certainty() == Certainty.EXACT ? "" : "<=") + outcome;
    }

    private static void assertRows(String catalog, String command, String rows) {
        for (String row : rows.trim().split(" +")) {
            String release = row.substring(0, row.indexOf(':'));
            assertThat(outcome(route(catalog, release, command)))
                    .as("%s in %s", command, release)
                    .isEqualTo(row.substring(row.indexOf(':') + 1));
        }
    }

    /** Targeting semantics §6.11 and addendum §A.4. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ranged | {find: 'c', filter: {a: {$gte: 5}, g: {$near: [0, 0]}}} | 4.4:<=xyz 6.0:<=xyz 6.3:yz 9.0:yz",
                "ranged | {find: 'c', filter: {g: {$near: [0, 0]}}} | 4.4:xyz 6.3:xyz 9.0:xyz",
                "ranged | {find: 'c', filter: {a: 5, g: {$near: [0, 0]}}} | 4.4:y 6.3:y",
                "ranged | {find: 'c', filter: {$expr: {$eq: ['$a', 5]}}} | 4.4:y 5.0:y 9.0:y",
                "ranged | {find: 'c', filter: {$expr: {$gte: ['$a', 100]}}} | 4.4:xyz 5.0:z 6.0:z 9.0:z",
                "ranged | {find: 'c', filter: {$expr: {$in: ['$a', [5, 500]]}}} | 6.3:xyz 7.0:<=xyz 8.3:<=xyz 9.0:yz",
                "hashed | {find: 'c', filter: {$expr: {$in: ['$h', [1]]}}} | 6.3:xy 9.0:y",
                "ranged | {find: 'c', filter: {$expr: {$in: ['$a', [5, null]]}}} | 9.0:xyz",
                "ranged | {find: 'c', filter: {$expr: {$in: ['$a', []]}}} | 9.0:x",
                "ranged | {find: 'c', filter: {$expr: {$in: ['$a', '$b']}}} | 6.3:xyz 8.0:<=xyz 9.0:xyz",
                "ranged | {find: 'c', filter: {$expr: {$in: [5, '$a']}}} | 9.0:xyz",
                "ranged | {find: 'c', filter: {$expr: {$ne: ['$a', 5]}}} | 6.3:xyz 8.0:<=xyz 9.0:xyz",
                "ranged | {find: 'c', filter: {$expr: {$eq: [{$add: ['$a', 1]}, 5]}}} | 6.3:xyz 8.0:<=xyz 9.0:xyz",
                "ranged | {find: 'c', filter: {$expr: {$eq: [{$toHashedIndexKey: '$a'}, 5]}}} | 9.0:<=xyz",
                "ranged | {find: 'c', filter: {a: {$gt: 100}, $expr: {$ne: ['$b', 5]}}} | 6.3:z 9.0:z",
                "ranged | {find: 'c', filter: {$alwaysFalse: 1}} | 6.3:xyz 7.0:xyz 7.1:<=xyz 8.0:xyz 8.1:<=xyz 8.3:<=xyz 9.0:x",
                "ranged | {find: 'c', filter: {$expr: false}} | 6.3:xyz 8.0:xyz 8.1:<=xyz 9.0:x",
                "ranged | {find: 'c', filter: {$expr: 0}} | 9.0:x",
                "ranged | {find: 'c', filter: {$expr: null}} | 9.0:x",
                "ranged | {find: 'c', filter: {a: 5, $expr: true}} | 6.3:y 9.0:y",
                "ranged | {find: 'c', filter: {a: {$in: []}}} | 6.3:x 7.0:<=xyz 8.3:<=xyz 9.0:x",
                "ranged | {find: 'c', filter: {b: {$in: []}}} | 6.3:xyz 8.0:<=xyz 9.0:x",
                "ranged | {find: 'c', filter: {a: {$gt: 5, $lt: 5}}} | 4.4:x 6.3:x 8.0:x 9.0:x",
                "ranged | {find: 'c', filter: {a: {$maxKey: 1}}} | 4.4:x 5.0:<=xyz 6.0:<=xyz 6.3:x 7.0:<=xyz 7.1:z 9.0:z",
                "ranged | {insert: 'c', documents: [{a: {$maxKey: 1}}]} | 4.4:61 6.0:<=xyz 6.3:61 7.0:<=xyz 7.1:z 9.0:z",
                "ranged | {find: 'c', filter: {$or: [{a: 5}, {a: 6}]}} | 4.4:y 5.0:y 6.0:y",
                "ranged | {find: 'c', filter: {$and: [{$or: [{a: 5}, {a: 500}]}, {$or: [{a: 5}, {a: 7}]}]}} | 4.4:<=xyz 5.0:<=xyz 6.0:y",
                "german | {find: 'c', filter: {h: 'x'}} | 4.4:<=xy 5.0:<=xy 6.0:xy 9.0:xy",
                "german | {find: 'c', filter: {h: 5}} | 4.4:y 5.0:y 6.0:y",
                "ranged | {find: 'c', filter: {$and: [{b: 5}, {b: 5}]}} | 6.3:xyz 7.2:xyz 9.0:xyz",
            })
    void ofFilters(String catalog, String command, String rows) {
        assertRows(catalog, command, rows);
    }

    /** Targeting semantics §10, §11, addendum §A.2. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{update: 'c', updates: [{q: {b: 1}, u: {$set: {x: 1}}}]} | 4.4:72 6.3:72 7.0:xyz 8.0:xyz 9.0:xyz",
                "{update: 'c', updates: [{q: {a: {$gt: 200}}, u: {$set: {x: 1}}}]} | 4.4:z 6.3:z 7.0:z 9.0:z",
                "{delete: 'c', deletes: [{q: {b: 1}, limit: 1}]} | 4.4:61 6.3:61 7.0:xyz 9.0:xyz",
                "{delete: 'c', deletes: [{q: {a: {$gt: 200}}, limit: 1}]} | 4.4:61 5.0:<=z 6.0:<=z 6.3:61 7.0:z 9.0:z",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]} | 4.4:wxyz 6.3:wxyz 7.0:wxyz 8.0:wxyz 9.0:wxyz",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}, upsert: true}]} | 6.3:61 7.0:xyz 8.0:xyz 9.0:xyz",
                "{update: 'c', updates: [{q: {_id: 1}, u: {a: 5}}]} | 6.3:y 7.0:y 8.0:y 8.1:<=wxyz 8.3:<=wxyz 9.0:wxyz",
                "{update: 'c', updates: [{q: {b: 1}, u: {a: 5}}]} | 4.4:y 6.3:y 7.0:xyz 8.0:xyz 9.0:xyz",
                "{update: 'c', updates: [{q: {b: 1}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | 6.3:61 7.0:<=wxyz 7.1:61 8.0:61 9.0:61",
                "{update: 'c', updates: [{q: {a: 5}, u: {$set: {x: 1}}, multi: true, upsert: true}]} | 6.3:y 7.0:y 9.0:y",
                "{findAndModify: 'c', query: {_id: 1}, remove: true} | 4.4:61 6.3:61 7.0:xyz 9.0:xyz",
                "{findAndModify: 'c', query: {a: {$gt: 200}}, remove: true} | 5.0:<=z 6.0:<=z 6.3:61 7.0:z 9.0:z",
                "{bulkWrite: 1, ops: [{update: 0, filter: {_id: 1}, updateMods: {a: 5}}], nsInfo: [{ns: 'test.c'}]} | 8.0:y 9.0:wxyz",
            })
    void ofWrites(String command, String rows) {
        assertRows("ranged", command, rows);
    }

    @Test
    void aFindAndModifyTrustsAHashUnderAnyCollationSinceNine() {
        String command = "{findAndModify: 'c', query: {h: null}, remove: true}";
        assertRows("german", command, "6.3:y 7.0:<=xy 8.3:<=xy 9.0:y");
    }

    /** Addendum §A.1, §A.5, §A.7, §A.8. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ranged | {aggregate: 'c', pipeline: [], $db: 'missing'} | 6.3:'' 7.1:'' 7.2:26 8.0:26 9.0:26",
                "ranged | {find: 'c', $db: 'missing'} | 6.3:'' 8.0:'' 9.0:''",
                "ranged | {aggregate: 'c', pipeline: [{$changeStream: {}}]} | 6.3:wxyz 8.0:wxyz 9.0:wxyz",
                "ranged | {aggregate: 'c', pipeline: [{$changeStream: {version: 'v2'}}]} | 8.3:wxyz 9.0:<=wxyz",
                "ranged | {aggregate: 'c', pipeline: [{$rankFusion: {}}]} | 8.1:<=xyz 9.0:<=xyz",
                "ranged | {aggregate: 'c', pipeline: [{$scoreFusion: {}}]} | 8.2:<=xyz",
                "ranged | {aggregate: 'c', pipeline: [{$vectorSearch: {filter: {a: 5}}}]} | 7.0:xyz 9.0:xyz",
                "ranged | {aggregate: 1, pipeline: [{$shardedDataDistribution: {}}], $db: 'admin'} | 8.0:<=wxyz",
                "ranged | {aggregate: 'c', pipeline: [{$group: {_id: '$a'}}, {$match: {_id: 5}}]} | 5.0:<=xyz 6.0:y 9.0:y",
                "ranged | {aggregate: 'c', pipeline: [{$sortByCount: '$a'}, {$match: {_id: 5}}]} | 5.0:<=xyz 6.0:y 9.0:y",
                "ranged | {aggregate: 'c', pipeline: [{$sortByCount: '$a'}, {$match: {count: 5}}]} | 6.3:xyz",
                "ranged | {listIndexes: 'c'} | 4.4:x 6.3:x 9.0:x",
                "hashed | {listIndexes: 'c'} | 6.3:y 7.0:<=xy 9.0:<=xy",
                "ranged | {createIndexes: 'c', indexes: []} | 6.3:xyz 9.0:xyz",
                "ranged | {planCacheClear: 'c'} | 6.3:xyz 9.0:xyz",
                "ranged | {planCacheClear: 'c', query: {a: 5}} | 6.3:y 9.0:y",
                "ranged | {convertToCapped: 'moved'} | 8.0:z",
                "ranged | {convertToCapped: 'plain'} | 6.3:x 8.0:x",
                "ranged | {bulkWrite: 1, ops: [{insert: 0, document: {a: 5}}], nsInfo: [{ns: 'missing.c'}]} | 8.0:<=wxyz",
            })
    void ofOtherCommands(String catalog, String command, String rows) {
        assertRows(catalog, command, rows.replace("''", ""));
    }

    /** Targeting semantics §14.4, addendum §A.6. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "series | {delete: 'c', deletes: [{q: {'m.x': {$lt: 4}}, limit: 0}]} | 6.0:x 7.0:x 8.0:x 9.0:x",
                "series | {delete: 'c', deletes: [{q: {f: 1}, limit: 0}]} | 6.0:pwxy 7.0:pwxy 8.0:pwxy 9.0:pwxy",
                "series | {delete: 'c', deletes: [{q: {'m.x': 5, t: {$lt: {$date: -9000000}}}, limit: 0}]} | 6.0:pwxy 7.0:<=pwxy 9.0:<=pwxy",
                "series | {delete: 'c', deletes: [{q: {'m.x': 7}, limit: 1}]} | 6.0:20 7.0:<=y 8.0:<=y 9.0:<=y",
                "series | {delete: 'c', deletes: [{q: {_id: 7}, limit: 1}]} | 7.0:<=xy 8.0:<=xy",
                "series | {update: 'c', updates: [{q: {'m.x': 7}, u: {$set: {m: 1}}, multi: true}]} | 6.0:y 7.0:y 9.0:y",
                "series | {update: 'c', updates: [{q: {f: 1}, u: {$set: {m: 1}}, multi: true}]} | 6.0:pwxy 9.0:pwxy",
                "series | {update: 'c', updates: [{q: {f: 1}, u: {$set: {m: 1}}, multi: true}], txnNumber: {$numberLong: '1'}} | 6.0:pwxy 8.0:<=pwxy 9.0:xy",
                "series | {update: 'c', updates: [{q: {'m.x': 7}, u: {$set: {m: 1}}}]} | 6.0:72 7.0:<=y 9.0:<=y",
                "series | {update: 'c', updates: [{q: {}, u: {$set: {m: 1}}, upsert: true}]} | 6.0:72 7.0:<=xy",
                "series | {findAndModify: 'c', query: {'m.x': 7}, remove: true} | 7.0:<=y 8.0:<=y",
                "series | {findAndModify: 'c', query: {'m.x': 7}, sort: {t: 1}, remove: true} | 8.0:<=y 9.0:72",
                "series | {find: 'c', filter: {'meta.x': 7}} | 6.3:xy 9.0:xy",
                "series | {find: 'c', filter: {'meta.x': 7}, rawData: true} | 8.1:xy 8.2:<=pwxy 9.0:y",
                "series | {insert: 'c', documents: [{m: {x: 7}}]} | 6.0:5743702 9.0:5743702",
                "series | {insert: 'c', documents: [{t: {$date: 30000}, m: {x: 5}}]} | 6.0:y 9.0:y",
                "series | {insert: 'c', documents: [{t: {$date: -30000}, m: {x: 5}}]} | 6.0:<=xy 9.0:<=xy",
                "series | {insert: 'c', documents: [{t: {$date: -30000}, m: {x: 7}}]} | 6.0:y 9.0:y",
                "documents | {insert: 'c', documents: [{t: {$date: 0}, m: {b: 1, a: 9}}]} | 6.3:y 7.0:<=xy 7.3:<=xy 8.0:x 9.0:x",
                "documents | {insert: 'c', documents: [{t: {$date: 0}, m: {c: 1, b: {z: 1, a: 1}}}]} | 6.3:y 7.0:y 8.0:y",
                "series | {bulkWrite: 1, ops: [{insert: 0, document: {t: {$date: 0}, m: {x: 7}}}], nsInfo: [{ns: 'test.c'}]} | 8.0:y",
                "series | {bulkWrite: 1, ops: [{delete: 0, filter: {'m.x': 7}, multi: true}], nsInfo: [{ns: 'test.c'}]} | 8.0:y",
                "series | {bulkWrite: 1, ops: [{delete: 0, filter: {'m.x': 7}}], nsInfo: [{ns: 'test.c'}]} | 8.0:<=y",
                "series | {bulkWrite: 1, ops: [{update: 0, filter: {f: 7}, updateMods: {}, multi: true}], nsInfo: [{ns: 'test.c'}]} | 8.0:pwxy",
            })
    void ofTimeSeries(String catalog, String command, String rows) {
        assertRows(catalog, command, rows);
    }

    @Test
    void anAlwaysFalseFilterHasSeveralKeysForNine() {
        Route route = route("ranged", "9.0", "{find: 'c', filter: {$alwaysFalse: 1}}");
        assertThat(route.shape()).isEqualTo(Shape.MULTI_SHARD);
    }

    @Test
    void anUnknownNewerReleaseHasTheRulesOfTheNewestAndSaysSo() {
        String replacement = "{update: 'c', updates: [{q: {_id: 1}, u: {a: 5}}]}";
        Route newer = route("ranged", "9.3", replacement);
        assertThat(outcome(newer)).isEqualTo(outcome(route("ranged", "9.0", replacement)));
        assertThat(RouteText.ofRelease(newer))
                .isEqualTo("The rules of release 9.3 are not known; those of 9.0 are applied.");
        assertThat(RouteText.ofRelease(route("ranged", "9.0", replacement))).isEmpty();
    }
}
