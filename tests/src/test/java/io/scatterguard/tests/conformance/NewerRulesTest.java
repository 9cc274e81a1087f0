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
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The neighbours of what vectors settle for releases after 6.3: just inside a rule and just outside. */
class NewerRulesTest {
    private static final CatalogSnapshot RANGED =
            VectorCatalog.of("{shardKey: {a: 1}, allShards: ['x', 'y', 'z', 'w'], chunks: ["
                    + "{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'},"
                    + "{min: {a: 0}, max: {a: 100}, shard: 'y'},"
                    + "{min: {a: 100}, max: {a: {$maxKey: 1}}, shard: 'z'}]}");

    /** Split by the meta field, then by the time of 1970-01-02. */
    private static final CatalogSnapshot SERIES = VectorCatalog.of(
            "{shardKey: {meta: 1, 'control.min.t': 1}, allShards: ['x', 'y', 'z', 'w'], "
                    + "timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds'}, chunks: ["
                    + "{min: {meta: {$minKey: 1}, 'control.min.t': {$minKey: 1}}, max: {meta: 5, 'control.min.t': {$date: 86400000}}, shard: 'x'},"
                    + "{min: {meta: 5, 'control.min.t': {$date: 86400000}}, max: {meta: {b: 0}, 'control.min.t': {$minKey: 1}}, shard: 'y'},"
                    + "{min: {meta: {b: 0}, 'control.min.t': {$minKey: 1}}, max: {meta: {$maxKey: 1}, 'control.min.t': {$maxKey: 1}}, shard: 'z'}]}");

    private static Route route(CatalogSnapshot catalog, String command, String version) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse(command)));
        return new KeyRouter().route(view, catalog, RouterRelease.parse(version));
    }

    private static void assertShards(Route route, String expected) {
        String named = route.registry().names(route.shards()).stream().sorted().reduce("", String::concat);
        assertThat(named + (route.certainty() == Certainty.EXACT ? "" : " at most"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // A branch that contradicts itself vanishes.
                "8.0 | {$or: [{$and: [{c: 1}, {c: {$ne: 1}}]}, {a: 15}]} | y",
                "7.2 | {$or: [{$and: [{c: 1}, {c: {$ne: 1}}]}, {a: 15}]} | xyz at most",
                "6.3 | {$or: [{$and: [{c: 1}, {c: {$ne: 1}}]}, {a: 15}]} | xyz",
                "8.0 | {$or: [{$and: [{c: {$exists: true}}, {c: {$exists: false}}]}, {a: 15}]} | y",
                // Not the same predicate, or not told apart for certain.
                "8.0 | {$or: [{$and: [{c: 1}, {c: {$ne: 2}}]}, {a: 15}]} | xyz at most",
                "8.0 | {$and: [{a: 5}, {a: {$numberLong: '5'}}]} | xyz at most",
                "8.0 | {$and: [{a: 5}, {a: 6}]} | x",
                // A predicate and its negation in two branches, and what is no disjunction of conjunctions.
                "8.0 | {$or: [{a: 5, b: 1}, {a: 5, b: {$ne: 1}}]} | xyz at most",
                "8.0 | {a: 5, $or: [{a: 5}, {b: 1}]} | xyz at most",
                "8.0 | {$and: [{a: 5}, {a: 5}], $nor: [{b: 1}, {b: 2}]} | xyz at most",
                // Nothing is left.
                "8.0 | {$and: [{a: 5}, {a: {$ne: 5}}]} | xyz",
                "9.0 | {$and: [{a: 5}, {a: {$ne: 5}}]} | x",
                // A larger branch is absorbed whichever comes first.
                "8.0 | {$or: [{a: 5, b: 1, c: 1}, {a: 150, b: 1}, {a: 5, b: 1}]} | yz",
            })
    void aFilterIsSimplified(String version, String filter, String shards) {
        assertShards(route(RANGED, "{find: 'c', filter: " + filter + "}", version), shards);
    }

    /** Of 16 distinct predicates at most it is believed that the simplifier takes them. */
    @ParameterizedTest
    @CsvSource({"8.0, 13, y", "8.0, 14, xyz at most", "8.0, 40, xyz at most", "9.0, 13, y", "9.0, 40, xyz at most"})
    void aFilterOfManyPredicatesIsPerhapsNotSimplified(String version, int more, String shards) {
        String others =
                IntStream.range(0, more).mapToObj(i -> ", b" + i + ": 1").collect(Collectors.joining());
        String branch = "{$and: [{c: 1}, {c: {$ne: 1}}]" + others + "}";
        assertShards(route(RANGED, "{find: 'c', filter: {$or: [" + branch + ", {a: 15}]}}", version), shards);
    }

    /** What is left alone because nothing in it could be simplified stays exact, however large. */
    @Test
    void aLargePlainConjunctionIsExact() {
        String others = IntStream.range(0, 40).mapToObj(i -> ", b" + i + ": 1").collect(Collectors.joining());
        assertShards(route(RANGED, "{find: 'c', filter: {a: 15" + others + "}}", "8.0"), "y");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Perhaps folded to a constant that makes the filter false.
                "7.0 | {a: 150, $expr: {$eq: [1, 2]}} | z",
                "7.1 | {a: 150, $expr: {$eq: [1, 2]}} | xyz at most",
                "8.0 | {a: 150, $expr: {$eq: [1, 2]}} | z",
                "8.1 | {a: 150, $expr: {$eq: [1, 2]}} | xyz at most",
                "9.0 | {a: 150, $expr: {$eq: ['$$t', 'y']}} | xz at most",
                "9.0 | {a: 150, $expr: {$eq: ['$$unknown', 'y']}} | xz at most",
                "9.0 | {a: 150, $expr: {$eq: ['x', 'X']}} | xz at most",
                "9.0 | {a: 150, $expr: {$and: [{$eq: ['$b', 1]}, {$eq: ['$$t', 'y']}]}} | xz at most",
                "9.0 | {a: 150, $expr: {$or: [{$eq: [1, 1]}, {$eq: ['$$t', 'y']}]}} | xz at most",
                "8.0 | {$expr: {$eq: ['$$t', 'y']}} | xyz",
                "7.1 | {$expr: {$eq: ['$$t', 'y']}} | xyz at most",
                "7.3 | {b: 1, $expr: {$eq: [1, 2]}} | xyz at most",
                "9.0 | {b: 1, $expr: {$and: [{$eq: ['$b', 1]}, {$eq: ['$$t', 'y']}]}} | xyz at most",
                // Two numbers are compared.
                "9.0 | {a: 150, $expr: {$eq: [1, 2]}} | x",
                "9.0 | {a: 150, $expr: {$eq: [1, {$numberDecimal: '1.0'}]}} | z",
                "9.0 | {a: 150, $expr: {$lt: ['$$n', 5]}} | x",
                "9.0 | {a: 150, $expr: {$lte: [{$literal: 5}, '$$n']}} | z",
                "9.0 | {$expr: {$gt: [1, 2]}} | x",
                "9.0 | {$expr: {$gte: [2, 2]}} | xyz",
                // With a field in it, it is no constant.
                "9.0 | {a: 150, $expr: {$or: [{$eq: ['$b', 1]}, {$eq: ['$$t', 'y']}]}} | z",
                "9.0 | {a: 150, $expr: {$eq: ['$b', '$$t']}} | z",
            })
    void aConstantExpressionMayMakeAFilterFalse(String version, String filter, String shards) {
        assertShards(route(RANGED, "{find: 'c', filter: " + filter + ", let: {t: 'x', n: 5}}", version), shards);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "9.0 | {$in: ['$a', [5, 150]]} | yz",
                "9.0 | {$in: ['$a', [5]]} | y",
                "9.0 | {$in: ['$a', []]} | x",
                "9.0 | {$in: ['$a', [5, null]]} | xyz",
                "9.0 | {$in: ['$a', [5, [6]]]} | xyz",
                "9.0 | {$in: ['$a', [5, '$b']]} | xyz",
                "9.0 | {$in: ['$b', [5]]} | xyz",
                "9.0 | {$in: ['$a', '$b']} | xyz",
                // A list that is folded to a constant is one, as far as it is known.
                "9.0 | {$in: ['$a', '$$ids']} | yz",
                "9.0 | {$in: ['$a', ['$$id', 6]]} | yz",
                "9.0 | {$in: ['$a', {$literal: [5, 150]}]} | yz",
                "9.0 | {$in: ['$a', {$literal: ['$b', 5]}]} | yz",
                "9.0 | {$in: ['$a', '$$literal']} | y",
                "9.0 | {$in: ['$a', [{$literal: 5}]]} | y",
                "9.0 | {$in: ['$a', '$$none']} | x",
                "9.0 | {$in: ['$a', '$$nulls']} | xyz",
                "9.0 | {$in: ['$a', '$$computed']} | xyz at most",
                "9.0 | {$in: ['$a', '$$unknown']} | xyz at most",
                "9.0 | {$in: ['$a', ['$$unknown', 6]]} | xyz at most",
                "9.0 | {$in: ['$a', [{$add: [1, 4]}]]} | xyz at most",
                "9.0 | {$in: ['$a', {$range: [0, 5]}]} | xyz at most",
                "9.0 | {$in: ['$a', [[{$add: [1, 4]}]]]} | xyz at most",
                "9.0 | {$in: ['$a', ['$$id', '$b']]} | xyz",
                "9.0 | {$in: ['$a', {$concatArrays: [['$b'], [5]]}]} | xyz",
                "8.3 | {$in: ['$a', [5, 150]]} | xyz at most",
                "6.3 | {$in: ['$a', [5, 150]]} | xyz",
                "9.0 | false | x",
                "9.0 | 0 | x",
                "9.0 | null | x",
                "9.0 | 1 | xyz",
                "9.0 | {$and: [false, {$eq: ['$a', 5]}]} | xyz at most",
                "8.0 | false | xyz",
            })
    void anExpressionGivesBounds(String version, String expression, String shards) {
        String let =
                "{ids: [5, 150], id: 150, none: [], nulls: [5, null], literal: {$literal: [5]}, computed: [{$add: [1, 4]}]}";
        assertShards(
                route(RANGED, "{find: 'c', filter: {$expr: " + expression + "}, let: " + let + "}", version), shards);
    }

    @ParameterizedTest
    @CsvSource({"4.2, false", "4.4, true"})
    void aMissingKeyCountsAsNullSince44(String version, boolean accepted) {
        Route route = route(RANGED, "{insert: 'c', documents: [{b: 1}]}", version);
        assertThat(route.worst().error()).isEqualTo(accepted ? null : PredictedError.SHARD_KEY_NOT_FOUND);
        assertShards(route(RANGED, "{insert: 'c', documents: [{a: 5}]}", version), "y");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8.0 | {delete: 'c', deletes: [{q: {m: 4}, limit: 0}]} | x",
                "8.0 | {delete: 'c', deletes: [{q: {m: 5}, limit: 0}]} | wxyz",
                "8.0 | {delete: 'c', deletes: [{q: {f: 1}, limit: 0}]} | wxyz",
                // Whether the time counts decides.
                "8.0 | {delete: 'c', deletes: [{q: {m: 5, t: {$lt: {$date: 1000}}}, limit: 0}]} | wxyz at most",
                "8.0 | {delete: 'c', deletes: [{q: {m: 4, t: {$lt: {$date: 1000}}}, limit: 0}]} | x",
                "6.3 | {delete: 'c', deletes: [{q: {m: 5, t: {$lt: {$date: 1000}}}, limit: 0}]} | wxyz",
                "8.0 | {delete: 'c', deletes: [{q: {m: 4}, limit: 1}]} | x at most",
                "8.0 | {update: 'c', updates: [{q: {m: 4}, u: {$set: {m: 1}}, multi: true}]} | x",
                "8.0 | {update: 'c', updates: [{q: {m: 4}, u: {$set: {m: 1}}}]} | x at most",
                "8.0 | {update: 'c', updates: [{q: {m: 4}, u: {$set: {m: 1}}, multi: true, upsert: true}]} | wxyz at most",
                "9.0 | {update: 'c', updates: [{q: {m: 5}, u: {$set: {m: 1}}, multi: true}]} | wxyz",
                "9.0 | {update: 'c', updates: [{q: {m: 5}, u: {$set: {m: 1}}, multi: true}], txnNumber: 1} | xy",
                "8.0 | {update: 'c', updates: [{q: {m: 5}, u: {$set: {m: 1}}, multi: true}], txnNumber: 1} | wxyz at most",
                // The meta value is stored with its fields sorted.
                "8.0 | {insert: 'c', documents: [{t: {$date: 0}, m: {b: 1, a: 9}}]} | y",
                "6.3 | {insert: 'c', documents: [{t: {$date: 0}, m: {b: 1, a: 9}}]} | z",
                "7.0 | {insert: 'c', documents: [{t: {$date: 0}, m: {b: 1, a: 9}}]} | xyz at most",
                "7.0 | {insert: 'c', documents: [{t: {$date: 0}, m: {a: 9, b: 1}}]} | y",
                "8.0 | {insert: 'c', documents: [{t: {$date: 0}, m: {c: {b: 1, a: [{z: 1, y: 1}]}}}]} | z",
            })
    void aTimeSeriesIsWrittenByItsMetaField(String version, String command, String shards) {
        assertShards(route(SERIES, command, version), shards);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6.3 | {$or: [{$expr: {$lte: ['$m', 10]}}, {f: 1}]} | true",
                "6.3 | {$or: [{$and: [{$expr: {$eq: ['$m.x', true]}}, {g: 1}]}, {t: {$date: 0}}]} | true",
                "6.3 | {$or: [{$expr: {$lte: ['$m', 10]}}, {m: 11}]} | false",
                "6.3 | {$or: [{$expr: {$lte: ['$m', null]}}, {f: 1}]} | false",
                "6.3 | {$or: [{$expr: {$lte: ['$f', 10]}}, {m: 1}]} | false",
                "6.3 | {$or: [{$expr: {$and: [{$lte: ['$m', 10]}]}}, {f: 1}]} | false",
                "6.3 | {$expr: {$lte: ['$m', 10]}, f: 1} | false",
                "6.3 | {$or: [{m: {$lte: 10}}, {f: 1}]} | false",
                "8.0 | {$or: [{$expr: {$lte: ['$m', 10]}}, {f: 1}]} | false",
            })
    void anExpressionOnTheMetaFieldInAnOrFails(String version, String filter, boolean fails) {
        Route route = route(SERIES, "{find: 'c', filter: " + filter + "}", version);
        assertThat(route.worst().error()).isEqualTo(fails ? PredictedError.META_EXPRESSION_IN_OR : null);
    }
}
