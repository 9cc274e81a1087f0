package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.SecondaryRoute;
import io.scatterguard.proxy.routing.SecondaryRoutes;
import io.scatterguard.proxy.routing.Shape;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the stages of a pipeline go on to, on collections over the shards x, y, z. */
class SecondaryRoutesTest {
    private static final CatalogSnapshot CATALOG = VectorCatalog.of("{shardKey: {a: 1}, primaryShard: 'x', chunks: "
            + chunks("a: ", "0", "100", "")
            + ", involved: {moved: {unsplittable: true, shard: 'z'},"
            + "messages: {shardKey: {tenantId: 1}, chunks: " + chunks("tenantId: ", "'g'", "'p'", "") + "},"
            + "users: {shardKey: {_id: 1}, chunks: " + chunks("_id: ", "5", "9", "") + "},"
            + "owned: {shardKey: {ownerId: 'hashed'}, chunks: "
            + chunks("ownerId: ", "{$numberLong: '-30'}", "{$numberLong: '30'}", "") + "},"
            + "compound: {shardKey: {tenantId: 1, userId: 1}, chunks: "
            + chunks("tenantId: ", "'g'", "'p'", ", userId: ") + "}}}");

    /** Three chunks on x, y and z; a second field is MinKey at every bound but the last. */
    private static String chunks(String field, String first, String second, String more) {
        String rest = more.isEmpty() ? "" : more + "{$minKey: 1}";
        String end = more.isEmpty() ? "" : more + "{$maxKey: 1}";
        String low = "{" + field + "{$minKey: 1}" + rest + "}";
        String one = "{" + field + first + rest + "}";
        String two = "{" + field + second + rest + "}";
        String high = "{" + field + "{$maxKey: 1}" + end + "}";
        return "[{min: " + low + ", max: " + one + ", shard: 'x'}, {min: " + one + ", max: " + two + ", shard: 'y'}, "
                + "{min: " + two + ", max: " + high + ", shard: 'z'}]";
    }

    private static List<SecondaryRoute> routes(CatalogSnapshot catalog, String command, String release) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse(command)));
        return SecondaryRoutes.of(view, catalog, RouterRelease.parse(release));
    }

    private static String text(String command, String release) {
        return routes(CATALOG, command, release).stream()
                .map(SecondaryRoutesTest::text)
                .collect(Collectors.joining("; "));
    }

    private static String text(SecondaryRoute route) {
        Shape shape = route.shape();
        return route.stage() + " " + route.namespace().collection() + " " + (shape == null ? "-" : shape.text()) + " "
                + String.join("", CATALOG.registry().names(route.shards()))
                + (route.certainty() == Certainty.EXACT ? "" : " at most")
                + (route.perDocument() ? " each" : "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{from: 'users', localField: 'u', foreignField: '_id', as: 'r'}     | users singleShard xyz at most each",
                "{from: 'owned', localField: '_id', foreignField: 'ownerId', as: 'r'} | owned singleShard xyz at most each",
                "{from: 'compound', localField: 't', foreignField: 'tenantId', as: 'r'} | compound multiShard xyz at most each",
                "{from: 'compound', localField: 'u', foreignField: 'userId', as: 'r'} | compound scatterGather xyz each",
                "{from: 'messages', localField: 'c', foreignField: 'c', as: 'r'}    | messages scatterGather xyz each",
                "{from: 'messages', localField: 'c', foreignField: 'tenantId.c', as: 'r'} | messages scatterGather xyz each",
                "{from: 'plain', localField: 'c', foreignField: 'c', as: 'r'}       | plain - x each",
                "{from: 'moved', localField: 'c', foreignField: 'c', as: 'r'}       | moved - z each",
                "{from: 'users', let: {id: '$u'}, pipeline: [{$match: {$expr: {$eq: ['$_id', '$$id']}}}], as: 'r'}"
                        + "| users singleShard xyz at most each",
                "{from: 'owned', let: {id: '$u'}, pipeline: [{$match: {$expr: {$eq: ['$$id', '$ownerId']}}}], as: 'r'}"
                        + "| owned singleShard xyz at most each",
                "{from: 'users', let: {id: '$u'}, pipeline: [{$match: {$expr: {$gt: ['$_id', '$$id']}}}], as: 'r'}"
                        + "| users multiShard xyz at most each",
                "{from: 'users', let: {id: '$u'}, pipeline: [{$limit: 1}, {$match: {$expr: {$eq: ['$_id', '$$id']}}}], as: 'r'}"
                        + "| users scatterGather xyz each",
                "{from: 'users', let: {id: '$u'}, pipeline: [{$match: {$expr: {$eq: ['$other', '$$id']}}}], as: 'r'}"
                        + "| users scatterGather xyz each",
                "{from: 'compound', let: {t: '$t', u: {$toString: '$u'}}, pipeline: [{$match: {$expr: {$and: ["
                        + "{$eq: ['$tenantId', '$$t']}, {$eq: ['$userId', '$$u']}]}}}], as: 'r'}"
                        + "| compound singleShard xyz at most each",
                "{from: 'compound', let: {t: '$t'}, pipeline: [{$match: {userId: 5, $expr: {$eq: ['$tenantId', '$$t']}}}], as: 'r'}"
                        + "| compound singleShard xyz at most each",
                "{from: 'compound', localField: 'u', foreignField: 'userId', pipeline: [{$match: {tenantId: 'h'}}], as: 'r'}"
                        + "| compound singleShard xy at most each",
                "{from: 'messages', localField: 'c', foreignField: 'c', pipeline: [{$match: {tenantId: 'h'}}], as: 'r'}"
                        + "| messages singleShard y each",
                "{from: 'messages', pipeline: [{$match: {tenantId: 'h'}}], as: 'r'} | messages singleShard y",
                "{from: 'messages', let: {t: 'h'}, pipeline: [{$match: {$expr: {$eq: ['$tenantId', '$$t']}}}], as: 'r'}"
                        + "| messages singleShard y",
                "{from: 'messages', let: {t: '$$root'}, pipeline: [{$match: {$expr: {$eq: ['$tenantId', '$$t']}}}], as: 'r'}"
                        + "| messages singleShard z",
                "{from: 'messages', pipeline: [], as: 'r'}                          | messages scatterGather xyz",
                "{from: 'messages', pipeline: [{$match: {tenantId: {$unheardOf: 1}}}], as: 'r'} | messages scatterGather xyz at most",
                "{from: 'messages', pipeline: [{$match: {$and: []}}], as: 'r'}      | messages scatterGather xyz at most",
            })
    void aLookup(String lookup, String expected) {
        String command = "{aggregate: 'c', pipeline: [{$lookup: " + lookup + "}], let: {root: 'z'}, cursor: {}}";
        for (String release : List.of("6.3", "8.0", "9.0")) {
            assertThat(text(command, release)).as(release).isEqualTo("$lookup " + expected);
        }
        assertThat(text("{explain: " + command + "}", "8.0")).isEqualTo("$lookup " + expected);
        assertThat(text(
                        "{aggregate: 'plain', pipeline: [{$facet: {f: [{$lookup: " + lookup
                                + "}]}}], let: {root: 'z'}}",
                        "8.0"))
                .isEqualTo("$lookup " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{$graphLookup: {from: 'users', startWith: '$u', connectFromField: 'f', connectToField: '_id', as: 'r'}}]"
                        + "| $graphLookup users multiShard xyz at most each",
                "[{$graphLookup: {from: 'users', startWith: '$u', connectFromField: 'f', connectToField: 'n', as: 'r'}}]"
                        + "| $graphLookup users scatterGather xyz each",
                "[{$graphLookup: {from: 'messages', startWith: '$u', connectFromField: 'f', connectToField: 'n', as: 'r',"
                        + " restrictSearchWithMatch: {tenantId: 'h'}}}] | $graphLookup messages singleShard y each",
                "[{$unionWith: 'messages'}]                                   | $unionWith messages scatterGather xyz",
                "[{$unionWith: {coll: 'messages', pipeline: [{$match: {tenantId: 'h'}}]}}] | $unionWith messages singleShard y",
                "[{$unionWith: {coll: 'messages'}}, {$match: {tenantId: 'h'}}] | $unionWith messages singleShard y",
                "[{$unionWith: 'messages'}, {$sort: {z: 1}}, {$match: {tenantId: {$gte: 'h'}}}] | $unionWith messages multiShard yz",
                "[{$unionWith: 'messages'}, {$limit: 5}, {$match: {tenantId: 'h'}}] | $unionWith messages scatterGather xyz",
                "[{$match: {tenantId: 'h'}}, {$unionWith: 'messages'}]        | $unionWith messages scatterGather xyz",
                "[{$unionWith: 'plain'}]                                      | $unionWith plain - x",
                "[{$merge: 'users'}]                                          | $merge users singleShard xyz at most each",
                "[{$merge: {into: 'compound', on: ['_id', 'userId', 'tenantId']}}] | $merge compound singleShard xyz at most each",
                "[{$merge: {into: 'compound', on: ['_id', 'tenantId']}}]      | $merge compound multiShard xyz at most each",
                "[{$merge: {into: 'compound', on: '_id'}}]                    | $merge compound scatterGather xyz at most each",
                "[{$merge: {into: 'compound', on: '_id', whenMatched: 'fail'}}] | $merge compound singleShard xyz at most each",
                "[{$merge: {into: {db: 'test', coll: 'plain'}}}]              | $merge plain - x each",
                "[{$out: 'plain'}]                                            | $out plain - x",
                "[{$out: 'users'}]                                            | ''",
                "[{$lookup: {as: 'r', pipeline: [{$documents: []}]}}]         | ''",
                "[{$facet: {f: [{$unionWith: 'plain'}], g: [{$match: {a: 1}}], h: [{$unionWith: 'moved'}]}}]"
                        + "| $unionWith plain - x; $unionWith moved - z",
                "[{$lookup: {from: 'messages', localField: 'c', foreignField: 'c', as: 'r', pipeline: ["
                        + "{$unionWith: 'plain'}, {$lookup: {from: 'users', localField: 'u', foreignField: '_id', as: 's'}}]}},"
                        + "{$unionWith: 'moved'}]"
                        + "| $lookup messages scatterGather xyz each; $unionWith plain - x each;"
                        + " $lookup users singleShard xyz at most each; $unionWith moved - z",
                "[{$lookup: {from: 'messages', let: {u: '$u'}, as: 'r', pipeline: [{$lookup: {from: 'users', as: 's',"
                        + " pipeline: [{$match: {$expr: {$eq: ['$_id', '$$u']}}}]}}]}}]"
                        + "| $lookup messages scatterGather xyz each; $lookup users singleShard xyz at most each",
                "[{$lookup: {from: 'messages', let: {u: '$u'}, as: 'r', pipeline: [{$lookup: {from: 'users', as: 's',"
                        + " let: {u: 7}, pipeline: [{$match: {$expr: {$eq: ['$_id', '$$u']}}}]}}]}}]"
                        + "| $lookup messages scatterGather xyz each; $lookup users singleShard y each",
            })
    void aPipeline(String pipeline, String expected) {
        assertThat(text("{aggregate: 'c', pipeline: " + pipeline + ", cursor: {}}", "8.0"))
                .isEqualTo(expected);
    }

    /** The case dev-051 of what developers ask: the join lacks the key of the collection that it joins. */
    @Test
    void theOuterCollectionIsPinnedAndEachJoinIsNot() {
        CatalogSnapshot chat = VectorCatalog.of("{shardKey: {tenantId: 1}, chunks: "
                + chunks("tenantId: ", "'g'", "'p'", "") + ", involved: {messages: {shardKey: {tenantId: 1}, chunks: "
                + chunks("tenantId: ", "'g'", "'p'", "") + "}}}");
        String command = "{aggregate: 'c', pipeline: [{$match: {tenantId: 't1'}}, {$lookup: {from: 'messages',"
                + " localField: 'conversationId', foreignField: 'conversationId', as: 'm'}}], cursor: {}}";
        for (String release : List.of("5.1", "6.0", "7.0", "8.0")) {
            CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse(command)));
            Route outer = new KeyRouter().route(view, chat, RouterRelease.parse(release));
            assertThat(outer.shape()).isEqualTo(Shape.SINGLE_SHARD);
            assertThat(routes(chat, command, release)).singleElement().satisfies(inner -> {
                assertThat(inner.namespace().collection()).isEqualTo("messages");
                assertThat(inner.shape()).isEqualTo(Shape.SCATTER_GATHER);
                assertThat(inner.certainty()).isEqualTo(Certainty.EXACT);
                assertThat(inner.shards().size()).isEqualTo(3);
            });
        }
    }

    @Test
    void before51ShardedCollectionsCannotBeJoined() {
        String lookup =
                "{aggregate: 'c', pipeline: [{$lookup: {from: '%s', localField: 'u', foreignField: '_id', as: 'r'}},"
                        + "{$graphLookup: {from: '%s', startWith: '$u', connectFromField: 'f', connectToField: 'g', as: 'r'}}]}";
        assertThat(text(lookup.replace("%s", "users"), "5.0")).isEmpty();
        assertThat(text(lookup.replace("%s", "plain"), "5.0"))
                .isEqualTo("$lookup plain - x each; $graphLookup plain - x each");
        assertThat(text("{aggregate: 'c', pipeline: [{$unionWith: 'users'}]}", "5.0"))
                .isEqualTo("$unionWith users scatterGather xyz");
    }

    /** Whether the values are text is not known, so that the worse case is told. */
    @Test
    void underACollationAJoinMayNotUseTheKey() {
        String lookup =
                "{aggregate: 'c', pipeline: [{$lookup: {from: 'users', localField: 'u', foreignField: '%s', as: 'r'}}],"
                        + " collation: {locale: 'de'}}";
        assertThat(text(lookup.replace("%s", "_id"), "8.0")).isEqualTo("$lookup users scatterGather xyz at most each");
        assertThat(text(lookup.replace("%s", "n"), "8.0")).isEqualTo("$lookup users scatterGather xyz each");
        String union = "{aggregate: 'c', pipeline: [{$unionWith: {coll: 'users', pipeline: [{$match: {_id: %s}}]}}],"
                + " collation: {locale: 'de'}}";
        assertThat(text(union.replace("%s", "5"), "8.0")).isEqualTo("$unionWith users singleShard y");
        assertThat(text(union.replace("%s", "'x'"), "8.0")).isEqualTo("$unionWith users scatterGather xyz");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {a: 1}}",
                "{aggregate: 'c', pipeline: [{$match: {a: 1}}]}",
                "{aggregate: 'c', pipeline: 5}",
                "{aggregate: 'c', pipeline: [5, {}, {$lookup: 5}, {$unionWith: {}}, {$facet: 5}, {$graphLookup: {from: 'c'}}]}",
                "{explain: 1}",
            })
    void nothingToTell(String command) {
        assertThat(text(command, "8.0")).isEmpty();
    }

    @Test
    void theNumberAndTheDepthAreBounded() {
        String many =
                IntStream.range(0, 150).mapToObj(i -> "{$unionWith: 'users'}").collect(Collectors.joining(", "));
        assertThat(routes(CATALOG, "{aggregate: 'c', pipeline: [" + many + "]}", "8.0"))
                .hasSize(SecondaryRoutes.MAX_ROUTES);
        String deep = "[]";
        for (int i = 0; i < 50; i++) {
            deep = "[{$unionWith: {coll: 'users', pipeline: " + deep + "}}]";
        }
        assertThat(routes(CATALOG, "{aggregate: 'c', pipeline: " + deep + "}", "8.0"))
                .hasSize(21);
    }

    @Test
    void ofWhatIsNotKnownOnlyAnUpperBoundIsTold() {
        List<SecondaryRoute> routes =
                routes(CatalogSnapshot.empty(), "{aggregate: 'c', pipeline: [{$unionWith: 'users'}]}", "8.0");
        assertThat(routes).singleElement().satisfies(route -> {
            assertThat(route.shape()).isNull();
            assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        });
    }
}
