package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogBuilder;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RawCatalog;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands on views over collections on the shards x, y, z; the database's primary is p, which owns no chunk. */
class ViewRoutesTest {
    static final CatalogSnapshot CATALOG = catalog();

    private static CatalogSnapshot catalog() {
        RawCatalog raw = new RawCatalog(
                documents("{_id: 'p'}", "{_id: 'x'}", "{_id: 'y'}", "{_id: 'z'}"),
                documents("{_id: 'test', primary: 'p'}"),
                documents(
                        collection("c", "key: {a: 1}, defaultCollation: {locale: 'de'}"),
                        collection("moved", "key: {_id: 1}, unsplittable: true"),
                        collection(
                                "system.buckets.series",
                                "key: {meta: 1}, timeseriesFields: {timeField: 't', metaField: 'm',"
                                        + " granularity: 'seconds'}")),
                documents(
                        chunk("c", "{a: {$minKey: 1}}", "{a: 0}", "x"),
                        chunk("c", "{a: 0}", "{a: 100}", "y"),
                        chunk("c", "{a: 100}", "{a: {$maxKey: 1}}", "z"),
                        chunk("moved", "{_id: {$minKey: 1}}", "{_id: {$maxKey: 1}}", "y"),
                        chunk("system.buckets.series", "{meta: {$minKey: 1}}", "{meta: 0}", "x"),
                        chunk("system.buckets.series", "{meta: 0}", "{meta: {$maxKey: 1}}", "y")),
                List.of(),
                documents(
                        "{_id: 'test.all', viewOn: 'c', pipeline: []}",
                        "{_id: 'test.german', viewOn: 'c', pipeline: [], collation: {locale: 'de'}}",
                        "{_id: 'test.danish', viewOn: 'c', pipeline: [], collation: {locale: 'da', caseLevel: false,"
                                + " caseFirst: 'upper', strength: 3, version: '57.1'}}",
                        "{_id: 'test.danishMoved', viewOn: 'moved', pipeline: [], collation: {locale: 'da', caseFirst: 'upper'}}",
                        "{_id: 'test.danishPlain', viewOn: 'plain', pipeline: [], collation: {locale: 'da', caseFirst: 'upper'}}",
                        "{_id: 'test.five', viewOn: 'c', pipeline: [{$match: {a: 5}}]}",
                        "{_id: 'test.low', viewOn: 'all', pipeline: [{$match: {a: {$lt: 50}}}]}",
                        "{_id: 'test.renamed', viewOn: 'c', pipeline: [{$project: {key: '$a'}}]}",
                        "{_id: 'test.limited', viewOn: 'c', pipeline: [{$limit: 3}]}",
                        "{_id: 'test.joined', viewOn: 'c', pipeline: [{$match: {a: 5}},"
                                + " {$lookup: {from: 'plain', localField: 'b', foreignField: 'b', as: 'j'}}]}",
                        "{_id: 'test.ofPlain', viewOn: 'plain', pipeline: [{$match: {a: 5}}]}",
                        "{_id: 'test.ofMoved', viewOn: 'moved', pipeline: []}",
                        "{_id: 'test.ofSeries', viewOn: 'series', pipeline: [{$match: {m: 5}}]}",
                        "{_id: 'test.round', viewOn: 'round', pipeline: []}"),
                List.of());
        return CatalogBuilder.build(raw, ShardRegistry.empty(), Instant.EPOCH);
    }

    private static List<BsonDocument> documents(String... documents) {
        return Stream.of(documents).map(BsonDocument::parse).toList();
    }

    private static String collection(String name, String fields) {
        return "{_id: 'test." + name + "', lastmodEpoch: {$oid: '000000000000000000000001'}, " + fields + "}";
    }

    private static String chunk(String name, String min, String max, String shard) {
        return "{ns: 'test." + name + "', min: " + min + ", max: " + max + ", shard: '" + shard
                + "', lastmod: {$timestamp: {t: 1, i: 0}}}";
    }

    private static Route route(String command, String release) {
        CommandView view = CommandView.of("test", BsonView.encode(BsonDocument.parse(command)));
        return new KeyRouter().route(view, CATALOG, RouterRelease.parse(release));
    }

    private static String named(Route route) {
        String shards = String.join("", route.registry().names(route.shards()));
        String before = String.join("", route.registry().names(route.contacted()));
        return shards + "+" + before + " " + route.placement().text()
                + (route.certainty() == Certainty.EXACT ? "" : " at most");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The filter of every command comes after the view's stages.
                "{find: 'all', filter: {a: 5}}                                  | y+p oneShard",
                "{find: 'all', filter: {b: 5}, sort: {a: 1}, limit: 3}          | xyz+p allShards",
                "{find: 'all'}                                                  | xyz+p allShards",
                "{count: 'all', query: {a: 5}}                                  | y+p oneShard",
                "{count: 'all'}                                                 | xyz+p allShards",
                "{distinct: 'all', key: 'b', query: {a: {$gt: 0}}}              | yz+p manyShards",
                "{aggregate: 'all', pipeline: [{$match: {a: 500}}], cursor: {}} | z+p oneShard",
                "{explain: {find: 'all', filter: {a: 5}}}                       | y+p oneShard",
                // The view's own filter narrows, alone and together with the command's.
                "{find: 'five'}                                                 | y+p oneShard",
                "{find: 'low', filter: {a: {$gte: 0}}}                          | y+p oneShard",
                "{find: 'low'}                                                  | xy+p manyShards",
                // As far as filters move in front of what the view does.
                "{find: 'renamed', filter: {key: 5}}                            | y+p oneShard",
                "{find: 'renamed', filter: {a: 5}}                              | xyz+p allShards",
                "{find: 'limited', filter: {a: 5}}                              | xyz+p allShards",
                "{find: 'joined'}                                               | y+p manyShards",
                // The view's collation counts, never the collection's; none is the simple one.
                "{find: 'all', filter: {a: 'x'}}                                | z+p oneShard",
                "{find: 'german', filter: {a: 'x'}}                             | xyz+p allShards",
                "{find: 'german', filter: {a: 'x'}, collation: {locale: 'de'}}  | xyz+p allShards",
                "{find: 'all', filter: {a: 'x'}, collation: {locale: 'simple'}} | z+p oneShard",
                "{find: 'all', filter: {a: 5}, showRecordId: true}              | y+p oneShard at most",
                // What a projection asks for that no aggregation does in the same form.
                "{find: 'all', filter: {a: 5}, projection: {'b.$': 1}}          | y+p oneShard at most",
                "{find: 'all', filter: {a: 5}, projection: {b: {$elemMatch: {c: 1}}}} | y+p oneShard at most",
                "{find: 'all', filter: {a: 5}, projection: {b: {$slice: 1}}}    | y+p oneShard at most",
                "{find: 'all', filter: {a: 5}, projection: {s: {$meta: 'textScore'}}} | y+p oneShard at most",
                "{find: 'all', filter: {a: 5}, projection: {b: {c: {$slice: [1, 2]}}}} | y+p oneShard at most",
                "{find: 'all', filter: {a: 5}, projection: {b: 1, c: {$add: [1, 2]}}} | y+p oneShard",
                "{find: 'ofMoved', projection: {'b.$': 1}}                      | y+p unsharded at most",
                "{find: 'ofPlain', projection: {'b.$': 1}}                      | p+ unsharded",
                // What a collation leaves out may be fixed by its locale: perhaps the view's own one.
                "{find: 'danish', filter: {a: 5}, collation: {locale: 'da'}}    | y+p oneShard at most",
                "{find: 'danish', filter: {a: 5}, collation: {locale: 'da', strength: 3}} | y+p oneShard at most",
                "{find: 'danish', filter: {a: 5}, collation: {locale: 'da', caseFirst: 'upper'}} | y+p oneShard",
                "{aggregate: 'danish', pipeline: [{$match: {a: 5}}], collation: {locale: 'da'}, cursor: {}} | y+p oneShard at most",
                "{find: 'danishMoved', collation: {locale: 'da'}}               | y+p unsharded at most",
                "{find: 'danishPlain', collation: {locale: 'da'}}               | p+ unsharded",
                // What the primary answers alone.
                "{find: 'ofPlain', filter: {a: 500}}                            | p+ unsharded",
                "{aggregate: 'ofPlain', pipeline: [], cursor: {}}               | p+ unsharded",
                "{find: 'ofMoved'}                                              | y+p unsharded",
                // Measurements are looked for in their buckets.
                "{find: 'ofSeries'}                                             | y+p oneShard",
                "{find: 'ofSeries', filter: {x: 1}}                             | y+p oneShard",
                "{find: 'round'}                                                | pxyz+ allShards at most",
                "{insert: 'round', documents: [{}]}                             | pxyz+ allShards at most",
            })
    void isAnAggregationOnTheCollectionAfterAFirstHop(String command, String shards) {
        assertThat(named(route(command, "8.0"))).isEqualTo(shards);
        assertThat(named(route(command, "6.3"))).isEqualTo(shards);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{insert: 'five', documents: [{a: 5}]}                       | 166",
                "{update: 'five', updates: [{q: {a: 5}, u: {$set: {b: 1}}}]} | 166",
                "{delete: 'ofPlain', deletes: [{q: {a: 5}, limit: 1}]}       | 166",
                "{findAndModify: 'five', query: {a: 5}, remove: true}        | 166",
                "{mapReduce: 'five', map: '', reduce: '', out: {inline: 1}}  | 166",
                "{find: 'all', collation: {locale: 'fr'}}                    | 167",
                "{find: 'ofPlain', collation: {locale: 'fr'}}                | 167",
                "{find: 'german', collation: {locale: 'simple'}}             | 167",
                "{find: 'danish', collation: {locale: 'da', strength: 1}}    | 167",
                "{find: 'danish', collation: {locale: 'da', caseFirst: 'off'}} | 167",
                "{find: 'danish', collation: {locale: 'nb'}}                 | 167",
            })
    void whatViewsDoNotHaveIsRefusedByThePrimary(String command, int code) {
        Route route = route(command, "7.0");
        assertThat(named(route)).isEqualTo("p+ unsharded");
        assertThat(route.worst().error().code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{insert: 0, document: {a: 5}} | p | 166",
                "{insert: 1, document: {a: 5}} | y | 0",
                "{delete: 0, filter: {}, multi: true} | p | 166",
            })
    void anOpOfABulkWriteOnAViewIsRefused(String op, String shards, int code) {
        Route route = route(
                "{bulkWrite: 1, ops: [" + op + "], nsInfo: [{ns: 'test.five'}, {ns: 'test.c'}], ordered: false}",
                "8.0");
        assertThat(route.registry().names(route.shards())).containsExactly(shards);
        assertThat(route.worst().error() == null ? 0 : route.worst().error().code())
                .isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({"five, xyz", "all, xyz"})
    void aFusionOnAViewIsAnUpperBound(String view, String shards) {
        Route route = route("{aggregate: '" + view + "', pipeline: [{$rankFusion: {}}], cursor: {}}", "8.2");
        assertThat(named(route)).isEqualTo(shards + "+p allShards at most");
    }

    @ParameterizedTest
    @CsvSource({"7.0, p", "8.0, p"})
    void aStageOnAViewMergesOnThePrimary(String release, String merge) {
        Route route =
                route("{aggregate: 'c', pipeline: [{$match: {a: 5}}, {$lookup: {from: 'ofMoved', as: 'j'}}]}", release);
        assertThat(route.registry().names(route.contacted())).containsExactly(merge);
    }
}
