package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryShapesTest {
    private static String text(String json) {
        return QueryShapes.of(Given.command(json)).text();
    }

    private static String hash(String json) {
        return QueryShapes.of(Given.command(json)).hash();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {find: "c", filter: {a: "x", b: {$gt: 5, $lt: 9.5}}} | find {filter: {a: ?string, b: {$gt: ?number, $lt: ?number}}}
            {find: "c", filter: {a: {b: 1, c: "x"}}} | find {filter: {a: ?object}}
            {find: "c", filter: {a: {$in: [1, 2, 3]}}} | find {filter: {a: {$in: [?number…]}}}
            {find: "c", filter: {a: {$in: [1, "x"]}, b: {$in: []}}} | find {filter: {a: {$in: [?mixed…]}, b: {$in: []}}}
            {find: "c", filter: {$or: [{a: 1}, {b: 2}, {a: 3}]}} | find {filter: {$or: [{a: ?number}, {b: ?number}]}}
            {find: "c", filter: {a: {$not: {$regex: "^x"}}, b: {$elemMatch: {c: 1, d: {$gt: 2}}}}} | find {filter: {a: {$not: {$regex: ?string}}, b: {$elemMatch: {c: ?number, d: {$gt: ?number}}}}}
            {find: "c", filter: {$expr: {$gt: ["$a.b", {$add: ["$c", 5]}]}, $comment: "x"}} | find {filter: {$expr: {$gt: [$a.b, {$add: [$c, ?number]}]}}}
            {find: "c", filter: {$expr: {$in: ["$a", ["x", "y"]]}}} | find {filter: {$expr: {$in: [$a, [?string…]]}}}
            {find: "c", filter: {a: {$ref: "x", $id: 1}}} | find {filter: {a: ?object}}
            {find: "c", filter: {}, sort: {a: -1.0, b: {$meta: "textScore"}}, projection: {a: true, b: 0, c: {$slice: 5}, d: "$e"}} | find {filter: {}, sort: {a: -1, b: {$meta: ?string}}, projection: {a: 1, b: 0, c: {$slice: ?number}, d: $e}}
            {find: "c", hint: "a_1", limit: 5, skip: 7, batchSize: 9, let: {x: 1}, collation: {locale: "de"}} | find {hint: ?string, limit: ?number, skip: ?number, batchSize: ?number, let: ?object, collation: ?object}
            {find: "c", hint: {a: 1, b: -1}, min: {a: 5}, max: {a: 9}} | find {hint: {a: 1, b: -1}, min: {a: ?number}, max: {a: ?number}}
            {find: "c", lsid: {id: 1}, txnNumber: 1, $db: "shop", $clusterTime: {}, $readPreference: {mode: "x"}, readConcern: {}, maxTimeMS: 5, comment: "x"} | find {}
            {count: "c", query: {a: true}} | count {query: {a: ?bool}}
            {distinct: "c", key: "user.age", query: {a: null}} | distinct {key: user.age, query: {a: ?null}}
            {insert: "c", documents: [{a: 1}, {b: 2}], ordered: true} | insert {documents: [?object…]}
            {delete: "c", deletes: [{q: {a: 1}, limit: 1}, {q: {a: 2}, limit: 0}, {q: {a: 3}, limit: 1}]} | delete {deletes: [{q: {a: ?number}, limit: 1}, {q: {a: ?number}, limit: 0}]}
            {update: "c", updates: [{q: {a: 1}, u: {$set: {b: "x", "c.d": {e: 1}}, $inc: {n: 1}}, multi: true, upsert: false}]} | update {updates: [{q: {a: ?number}, u: {$set: {b: ?string, c.d: ?object}, $inc: {n: ?number}}, multi: true}]}
            {update: "c", updates: [{q: {a: 1}, u: {b: 1, c: 2}, upsert: true}]} | update {updates: [{q: {a: ?number}, u: ?object, upsert: true}]}
            {update: "c", updates: [{q: {}, u: {$push: {a: {$each: [1, 2], $slice: -5}}, $pull: {b: {c: 1}}}, arrayFilters: [{"e.x": {$gt: 1}}]}]} | update {updates: [{q: {}, u: {$push: {a: {$each: [?number…], $slice: ?number}}, $pull: {b: ?object}}, arrayFilters: [{e.x: {$gt: ?number}}]}]}
            {update: "c", updates: [{q: {}, u: [{$set: {a: "$b", c: "x"}}]}]} | update {updates: [{q: {}, u: [{$set: {a: $b, c: ?string}}]}]}
            {findAndModify: "c", query: {a: 1}, update: {$set: {b: 1}}, new: true, upsert: false, fields: {a: 1}} | findAndModify {query: {a: ?number}, update: {$set: {b: ?number}}, new: true, fields: {a: 1}}
            {findandmodify: "c", query: {a: 1}, remove: true} | findAndModify {query: {a: ?number}, remove: true}
            {aggregate: "c", pipeline: [{$match: {a: 1}}, {$group: {_id: "$b", n: {$sum: 1}}}, {$sort: {n: -1}}, {$limit: 5}], cursor: {}} | aggregate {pipeline: [{$match: {a: ?number}}, {$group: {_id: $b, n: {$sum: ?number}}}, {$sort: {n: -1}}, {$limit: ?number}]}
            {aggregate: "c", pipeline: [{$lookup: {from: "users", localField: "u", foreignField: "_id", as: "x", let: {y: "$z"}, pipeline: [{$match: {q: 1}}]}}]} | aggregate {pipeline: [{$lookup: {from: users, localField: u, foreignField: _id, as: ?string, let: {y: $z}, pipeline: [{$match: {q: ?number}}]}}]}
            {aggregate: "c", pipeline: [{$facet: {f: [{$count: "n"}]}}, {$unionWith: "d"}, {$merge: {into: {db: "x", coll: "y"}, on: "_id"}}]} | aggregate {pipeline: [{$facet: {f: [{$count: ?string}]}}, {$unionWith: d}, {$merge: {into: {db: x, coll: y}, on: ?string}}]}
            {aggregate: 1, pipeline: [{$currentOp: {allUsers: true}}, {$project: {a: {b: 1}, c: {$literal: 5}}}]} | aggregate {pipeline: [{$currentOp: ?object}, {$project: {a: {b: 1}, c: {$literal: ?number}}}]}
            {bulkWrite: 1, ops: [{update: 0, filter: {a: 1}, updateMods: {$set: {b: 1}}, multi: false}], nsInfo: [{ns: "shop.orders"}]} | bulkWrite {ops: [{update: ?number, filter: {a: ?number}, updateMods: {$set: {b: ?number}}}], nsInfo: [shop.orders]}
            {explain: {find: "c", filter: {a: 1}}, verbosity: "queryPlanner"} | explain {find {filter: {a: ?number}}}
            {explain: {explain: {find: "c"}}} | explain ?object
            {getMore: 5, collection: "c"} | getMore
            {createIndexes: "c", indexes: [{key: {a: 1}, name: "x"}]} | createIndexes {indexes: [?object…]}
            {createUser: "bob", pwd: "x"} | createUser
            {hello: 1, client: {application: {name: "x"}}} | hello
            {noSuchCommand: 1, x: {y: 1}} | noSuchCommand {x: ?object}
            """)
    void textOf(String json, String expected) {
        assertThat(text(json)).isEqualTo(expected);
    }

    @Test
    void mapLikeNamesFoldAndEqualOnesAreWrittenOnce() {
        assertThat(text("{find: 'c', filter: {'users.12345.name': 1, 'users.99.name': 2, a: 1}}"))
                .isEqualTo("find {filter: {users.?key.name: ?number, a: ?number}}");
        assertThat(text("{find: 'c', filter: {'bob@example.com': 1, '507f1f77bcf86cd799439011': 'x'}}"))
                .isEqualTo("find {filter: {?key: ?number, ?key: ?string}}");
    }

    @Test
    void moreThanThirtySiblingsAreTheKeysOfAMap() {
        BsonDocument thirty = new BsonDocument();
        IntStream.range(0, 30).forEach(i -> thirty.append("f" + (char) ('a' + i % 26) + i, new BsonInt32(i)));
        BsonDocument more = thirty.clone().append("onemore", new BsonInt32(1)).append("$or", new BsonArray());

        assertThat(QueryShapes.of(Given.command(new BsonDocument("find", new BsonString("c")).append("filter", thirty)))
                        .text())
                .contains("fa0: ?number")
                .doesNotContain("?key");
        assertThat(QueryShapes.of(Given.command(new BsonDocument("find", new BsonString("c")).append("filter", more)))
                        .text())
                .isEqualTo("find {filter: {?key: ?number, $or: []}}");
    }

    @Test
    void equalForDifferentValuesOfTheSameStructure() {
        String one = "{find: 'orders', filter: {a: 1, b: {$in: [1]}}, limit: 1}";
        String other =
                "{find: 'orders', filter: {a: {$numberLong: '5'}, b: {$in: [7, 8.5, 9]}}, limit: 99, comment: 'x'}";

        assertThat(QueryShapes.of(Given.command(one))).isEqualTo(QueryShapes.of(Given.command(other)));
    }

    @Test
    void differentForAnotherStructureOrderTypeOrNamespace() {
        String base = "{find: 'orders', filter: {a: 1, b: 2}}";

        assertThat(List.of(
                        hash(base),
                        hash("{find: 'orders', filter: {b: 2, a: 1}}"),
                        hash("{find: 'orders', filter: {a: 1, b: {$gt: 2}}}"),
                        hash("{find: 'orders', filter: {a: 1, b: 'x'}}"),
                        hash("{find: 'orders', filter: {a: 1, b: 2}, sort: {a: 1}}"),
                        hash("{find: 'orders', filter: {a: 1, b: 2}, sort: {a: -1}}"),
                        hash("{count: 'orders', query: {a: 1, b: 2}}"),
                        hash("{find: 'others', filter: {a: 1, b: 2}}"),
                        hash("{find: 'orders', filter: {a: 1, b: 2}, $db: 'elsewhere'}")))
                .doesNotHaveDuplicates();
    }

    /** Dashboards group by the hash: who changes this one says so in the change log. */
    @Test
    void hashIsStable() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256")
                .digest("shop.orders\nfind {filter: {a: ?number}}".getBytes(StandardCharsets.UTF_8));

        assertThat(hash("{find: 'orders', filter: {a: 1}}"))
                .isEqualTo(HexFormat.of().formatHex(digest, 0, 8))
                .isEqualTo("0eb42d31e39e8be3");
    }

    @Test
    void aBatchHasTheSameShapeInTheBodyAndInASection() {
        List<BsonDocument> updates = List.of(
                BsonDocument.parse("{q: {a: 1}, u: {$set: {b: 1}}}"),
                BsonDocument.parse("{q: {a: 2}, u: {$set: {b: 3}}}"));
        QueryShape inSection = QueryShapes.of(
                Given.commandWithSequence("{update: 'c', ordered: true, $db: 'shop'}", "updates", updates));
        QueryShape inBody = QueryShapes.of(
                Given.command("{update: 'c', updates: [{q: {a: 1}, u: {$set: {b: 1}}}], ordered: true}"));

        assertThat(inSection).isEqualTo(inBody);
        assertThat(inSection.text())
                .isEqualTo("update {updates: [{q: {a: ?number}, u: {$set: {b: ?number}}}], ordered: ?bool}");
    }

    @Test
    void aHugeBatchHasTheShapeOfASmallOne() {
        BsonDocument update = BsonDocument.parse("{q: {a: 1, b: 2}, u: {$set: {c: 1}}, multi: true}");
        List<BsonDocument> many = Collections.nCopies(5_000, update);

        assertThat(QueryShapes.of(Given.commandWithSequence("{update: 'c', $db: 'shop'}", "updates", many)))
                .isEqualTo(QueryShapes.of(
                        Given.commandWithSequence("{update: 'c', $db: 'shop'}", "updates", List.of(update))));
    }

    @Test
    void aLongTextIsCutButItsHashIsNot() {
        String many = IntStream.range(0, 200)
                .mapToObj(i -> "{$match: {field" + (char) ('a' + i % 26) + (char) ('a' + i / 26) + ": 1}}")
                .collect(Collectors.joining(","));
        String one = "{aggregate: 'c', pipeline: [" + many + ", {$match: {x: 1}}]}";
        String other = "{aggregate: 'c', pipeline: [" + many + ", {$match: {y: 1}}]}";

        assertThat(text(one)).hasSize(QueryShape.MAX_TEXT_CHARS).endsWith("…").isEqualTo(text(other));
        assertThat(hash(one)).isNotEqualTo(hash(other));
    }

    @Test
    void elementsBeyondTheBudgetAreNotLookedAt() {
        BsonArray branches = new BsonArray();
        for (int i = 0; i < ShapeText.MAX_ELEMENTS; i++) {
            branches.add(new BsonDocument("a", new BsonInt32(i)));
        }
        branches.add(new BsonDocument("tooLate", new BsonInt32(1)));
        BsonDocument find = new BsonDocument("find", new BsonString("c"))
                .append("filter", new BsonDocument("$or", branches))
                .append("limit", new BsonInt32(1));

        assertThat(QueryShapes.of(Given.command(find)).text()).isEqualTo("find {filter: {$or: [{a: ?number}]}}");
    }

    @Test
    void deepNestingEndsWithAnEllipsisNotWithAnError() {
        BsonDocument filter = new BsonDocument("a", new BsonInt32(1));
        for (int i = 0; i < 300; i++) {
            filter = new BsonDocument("$and", new BsonArray(List.of(filter)));
        }
        BsonDocument find = new BsonDocument("find", new BsonString("c")).append("filter", filter);

        assertThat(QueryShapes.of(Given.command(find)).text()).contains("[…]").doesNotContain("?number");
    }
}
