package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Rehearsal;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.WouldFail;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a cluster would refuse and a server that is not sharded executes, a row for each rule with its neighbours: the code,
 * {@code ?} before one that depends on stored values, {@code @} and the statement unless it is the first, or {@code -}.
 */
class WouldFailTest {
    private static final Map<String, CatalogSnapshot> CATALOGS = Map.of(
            "plain",
            VectorCatalog.of("{shardKey: {a: 1, b: 1}, primaryShard: 'x', allShards: ['x', 'y'], chunks: ["
                    + "{min: {a: {$minKey: 1}, b: {$minKey: 1}}, max: {a: 5, b: 0}, shard: 'x'},"
                    + "{min: {a: 5, b: 0}, max: {a: {$maxKey: 1}, b: {$maxKey: 1}}, shard: 'y'}],"
                    + " involved: {moved: {unsplittable: true, shard: 'y'}}}"),
            "nested",
            VectorCatalog.of("{shardKey: {'m.k': 1}, allShards: ['x', 'y'], chunks: ["
                    + "{min: {'m.k': {$minKey: 1}}, max: {'m.k': 0}, shard: 'x'},"
                    + "{min: {'m.k': 0}, max: {'m.k': {$maxKey: 1}}, shard: 'y'}]}"),
            "hashed",
            VectorCatalog.of("{shardKey: {h: 'hashed'}, allShards: ['x', 'y'], chunks: ["
                    + "{min: {h: {$minKey: 1}}, max: {h: {$numberLong: '0'}}, shard: 'x'},"
                    + "{min: {h: {$numberLong: '0'}}, max: {h: {$maxKey: 1}}, shard: 'y'}]}"),
            "german",
            VectorCatalog.of("{shardKey: {a: 1}, collation: {locale: 'de'}, chunks: ["
                    + "{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'},"
                    + "{min: {a: 0}, max: {a: {$maxKey: 1}}, shard: 'y'}]}"),
            "byId",
            VectorCatalog.of("{shardKey: {a: 1, _id: 1}, chunks: ["
                    + "{min: {a: {$minKey: 1}, _id: {$minKey: 1}}, max: {a: 0, _id: 0}, shard: 'x'},"
                    + "{min: {a: 0, _id: 0}, max: {a: {$maxKey: 1}, _id: {$maxKey: 1}}, shard: 'y'}]}"),
            "series",
            VectorCatalog.of("{shardKey: {meta: 1}, allShards: ['x', 'y'],"
                    + "timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds'}, chunks: ["
                    + "{min: {meta: {$minKey: 1}}, max: {meta: 0}, shard: 'x'},"
                    + "{min: {meta: 0}, max: {meta: {$maxKey: 1}}, shard: 'y'}]}"));

    private static WouldFail found(String catalog, String release, boolean numbered, String command) {
        BsonDocument document = BsonDocument.parse(command);
        String database =
                document.containsKey("$db") ? document.getString("$db").getValue() : VectorCatalog.DATABASE;
        CommandView view = CommandView.of(database, BsonView.encode(document));
        CatalogSnapshot snapshot = CATALOGS.get(catalog);
        Rehearsal rehearsal = new Rehearsal(new KeyRouter(), numbered);
        Route route = rehearsal.route(view, snapshot, RouterRelease.parse(release));
        return rehearsal.wouldFail(view, route, snapshot);
    }

    private static String outcome(WouldFail found) {
        return found == null
                ? "-"
                : (found.certain() ? "" : "?")
                        + found.error().code()
                        + (found.statement() == 0 ? "" : "@" + found.statement());
    }

    private static void assertRows(String catalog, boolean numbered, String command, String rows) {
        for (String row : rows.trim().split(" +")) {
            String release = row.substring(0, row.indexOf(':'));
            assertThat(outcome(found(catalog, release, numbered, command)))
                    .as("%s in %s", command, release)
                    .isEqualTo(row.substring(row.indexOf(':') + 1));
        }
    }

    /** Targeting semantics §10.2 to §10.6 and §11, what the router's targeting raises. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plain | {update: 'c', updates: [{q: {x: 1}, u: {$set: {x: 2}}}]} | 4.4:72 6.0:72 7.0:- 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {x: 2}}}]} | 4.4:- 6.0:- 7.0:-",
                "plain | {update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 2}}}]} | 4.4:- 6.0:- 7.0:-",
                "plain | {update: 'c', updates: [{q: {x: 1}, u: {$set: {x: 2}}, multi: true}]} | 4.4:- 6.0:- 7.0:-",
                "plain | {update: 'c', updates: [{q: {x: 1}, u: [{$set: {x: 2}}]}]} | 4.4:72 6.0:72 7.0:-",
                "plain | {update: 'c', updates: [{q: {x: 1}, u: {y: 2}, multi: true}]} | 4.4:- 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {x: 2}}, upsert: true}]} | 4.4:61 6.0:61 7.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {x: 2}}, upsert: true}]} | 4.4:- 6.0:- 7.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {x: 2}}, upsert: true, multi: true}]}"
                        + " | 6.0:61 7.0:- 8.0:61",
                "plain | {update: 'c', updates: [{q: {x: 1}, u: {a: [1], b: 1}}]} | 6.0:61",
                "plain | {delete: 'c', deletes: [{q: {x: 1}, limit: 1}]} | 4.4:61 6.0:61 7.0:-",
                "plain | {delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]} | 4.4:- 6.0:- 7.0:-",
                "plain | {delete: 'c', deletes: [{q: {a: 1}, limit: 1}]} | 4.4:61 6.0:- 6.1:61 7.0:-",
                "plain | {delete: 'c', deletes: [{q: {x: 1}, limit: 0}]} | 4.4:- 6.0:- 7.0:-",
                "plain | {findAndModify: 'c', query: {x: 1}, update: {$set: {x: 2}}} | 4.4:61 6.0:61 7.0:-",
                "plain | {findAndModify: 'c', query: {_id: 1}, remove: true} | 4.4:61 6.0:61 7.0:-",
                "plain | {findAndModify: 'c', query: {a: 1, b: 2}, remove: true} | 4.4:- 6.0:- 7.0:-",
                "plain | {insert: 'c', documents: [{a: 1, b: 1}, {a: [1], b: 1}]} | 4.4:61@1 8.0:61@1",
                "plain | {insert: 'c', documents: [{a: 1, b: 1}, {a: 1}]} | 4.4:- 8.0:-",
                "nested | {insert: 'c', documents: [{m: [{k: 1}]}]} | 6.0:61",
                "plain | {find: 'c', filter: {x: 1}} | 4.4:- 8.0:-",
                "series | {delete: 'c', deletes: [{q: {m: 1}, limit: 1}]} | 6.0:-",
                "plain | {update: 'moved', updates: [{q: {x: 1}, u: {$set: {x: 2}}}]} | 8.0:-",
                "plain | {update: 'other', updates: [{q: {x: 1}, u: {$set: {x: 2}}}]} | 6.0:-",
                "plain | {explain: {update: 'c', updates: [{q: {x: 1}, u: {$set: {x: 2}}}]}} | 6.0:-",
                "plain | {bulkWrite: 1, ops: [{insert: 0, document: {a: 1, b: 1}}, {insert: 0, document: {a: [1]}}],"
                        + " nsInfo: [{ns: 'test.c'}], $db: 'admin'} | 8.0:61@1",
                "plain | {bulkWrite: 1, ops: [{insert: 0, document: {a: [1]}}], nsInfo: [{ns: 'test.d'}], $db: 'admin'} | 8.0:-"
            })
    void theRoutersErrorsAreFound(String catalog, String command, String rows) {
        assertRows(catalog, false, command, rows);
    }

    /** Targeting semantics §10.7: what a shard raises about a change of the key. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Many documents.
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {b: 2}}, multi: true}]} | 4.4:72 6.0:72 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {b: 1}}, multi: true}]} | 4.4:- 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {b: 1.0}}, multi: true}]} | 4.4:- 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {a: 2}}, multi: true}]} | 6.0:31025 7.0:72 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {b: 2}}, multi: true}]} | 6.0:?31025 7.0:?72",
                "plain | {update: 'c', updates: [{q: {x: 1}, u: {$set: {x: 2}}, multi: true}]} | 6.0:- 8.0:-",
                // One document, the key not given in full.
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {a: 2}}}]} | 4.4:31025 6.0:31025 7.0:- 8.0:-",
                "plain | {update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: 2}}}]} | 6.0:?31025 7.0:-",
                "plain | {update: 'c', updates: [{q: {_id: 1}, u: {a: 1, b: 2}}]} | 6.0:?31025 7.0:-",
                "plain | {update: 'c', updates: [{q: {_id: 1}, u: {$setOnInsert: {a: 2}}}]} | 6.0:-",
                // One document, the key given in full.
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {a: 2}}}]} | 4.4:- 6.0:- 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {x: 2}}]} | 6.0:- 8.0:-",
                // Its forms.
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$unset: {a: 1}}, multi: true}]} | 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: null}, u: {$unset: {a: 1}}, multi: true}]} | 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$rename: {a: 'z'}}, multi: true}]} | 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$rename: {z: 'a'}}, multi: true}]} | 8.0:?72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$inc: {a: 1}}, multi: true}]} | 8.0:?72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$set: {a: 2}}], multi: true}]} | 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$set: {a: {$literal: 2}}}], multi: true}]} | 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$set: {a: '$z'}}], multi: true}]} | 8.0:?72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$set: {a: 2}}, {$set: {a: 1}}], multi: true}]} | 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$unset: ['z', 'a']}], multi: true}]} | 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$set: {a: '$$REMOVE'}}], multi: true}]} | 8.0:72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$replaceWith: '$z'}], multi: true}]} | 8.0:?72",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: [{$set: {z: 1}}], multi: true}]} | 8.0:-",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: {$set: {m: {k: 2}}}, multi: true}]} | 8.0:72",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: {$set: {m: {k: 1}}}, multi: true}]} | 8.0:-",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: {$set: {m: {z: 1}}}, multi: true}]} | 8.0:72",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: {$set: {m: 1}}, multi: true}]} | 8.0:72",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: {$set: {'m.k.z': 1}}, multi: true}]} | 8.0:?72",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: {$set: {'m.kk': 1}}, multi: true}]} | 8.0:-",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: [{$set: {m: {k: 2}}}], multi: true}]} | 8.0:?72",
                // Every server keeps _id.
                "byId | {update: 'c', updates: [{q: {a: 1, _id: 1}, u: {$set: {_id: 2}}, multi: true}]} | 8.0:-",
                "byId | {update: 'c', updates: [{q: {a: 1, _id: 1}, u: {a: 1, z: 2}}]} | 6.0:-",
                // Arrays.
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {a: [2]}}}]} | 4.4:54 8.0:54",
                "plain | {update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: []}}}]} | 6.0:54 8.0:54",
                "nested | {update: 'c', updates: [{q: {'m.k': 1}, u: {$set: {m: [{k: 1}]}}}]} | 8.0:54",
                // Text under a collation is not known to be another one; numbers are.
                "german | {update: 'c', updates: [{q: {a: 'x'}, u: {$set: {a: 'y'}}, multi: true}]} | 8.0:?72",
                "german | {update: 'c', updates: [{q: {a: 1}, u: {$set: {a: 2}}, multi: true}]} | 8.0:72",
                "german | {update: 'c', updates: [{q: {a: 'x'}, u: {$set: {a: 'y'}}, multi: true,"
                        + " collation: {locale: 'simple'}}]} | 8.0:72",
                // The first of a batch, a certain one before a possible one.
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {b: 2}}, multi: true},"
                        + " {q: {a: 1, b: 1}, u: {$set: {x: 1}}}, {q: {a: 1}, u: {$set: {a: 2}}, multi: true}]} | 8.0:72@2",
                "hashed | {update: 'c', updates: [{q: {h: 1}, u: {$set: {h: 2}}, multi: true}]} | 6.0:72 8.0:72",
                // The shard compares hashes, which leave fractions out.
                "hashed | {update: 'c', updates: [{q: {h: 1}, u: {$set: {h: 1.9}}, multi: true}]} | 8.0:-",
                "hashed | {update: 'c', updates: [{q: {h: 1}, u: {$set: {h: 2.0}}, multi: true}]} | 8.0:72",
                "hashed | {update: 'c', updates: [{q: {h: 1}, u: {$set: {h: [1]}}, multi: true}]} | 8.0:54",
                "plain | {update: 'c', updates: [{q: {a: 1}, u: {$set: {a: 1.9}}, multi: true}]} | 8.0:72",
                "hashed | {findAndModify: 'c', query: {h: 1}, update: {$set: {h: 2}}} | 6.0:- 8.0:-",
                "plain | {findAndModify: 'c', query: {a: 1, b: 1}, update: {$set: {a: [2]}}} | 6.0:54 8.0:54",
                "plain | {update: 'c', updates: [{q: {$where: 'x'}, u: {$set: {a: 3}}, multi: true}]} | 8.0:?72",
                "plain | {bulkWrite: 1, ops: [{insert: 1, document: {a: 1}},"
                        + " {update: 0, filter: {a: 1}, updateMods: {$set: {a: 2}}, multi: true}],"
                        + " nsInfo: [{ns: 'test.c'}, {ns: 'test.d'}], $db: 'admin'} | 8.0:72@1"
            })
    void aChangeOfTheKeyIsFound(String catalog, String command, String rows) {
        assertRows(catalog, false, command, rows);
    }

    /** To a router drivers give retryable writes a number, so that its absence tells something. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {a: 2}}}]} | 4.4:20 6.0:20 8.0:20 8.1:-",
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {a: 2}}}], txnNumber: {$numberLong: '1'}}"
                        + " | 4.4:- 8.0:-",
                "plain | {update: 'c', updates: [{q: {a: 1, b: 1}, u: {$set: {a: 1}}}]} | 6.0:-",
                "plain | {findAndModify: 'c', query: {a: 1, b: 1}, update: {$set: {a: 2}}} | 6.0:20"
            })
    void aChangeThatIsNotRetryableIsFoundWhereWritesAreNumbered(String catalog, String command, String rows) {
        assertRows(catalog, true, command, rows);
    }

    /** Server source {@code shard_key_pattern.cpp}, {@code index_builds_coordinator.cpp} and its test of prepareUnique. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "plain | {createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x', unique: true}]} | 4.4:67 6.0:67 9.0:67",
                "plain | {createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x'}]} | 6.0:-",
                "plain | {createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x', unique: false}]} | 6.0:-",
                "plain | {createIndexes: 'c', indexes: [{key: {a: 1, b: 1}, name: 'x', unique: true}]} | 6.0:-",
                "plain | {createIndexes: 'c', indexes: [{key: {a: -1, b: 1, x: 1}, name: 'x', unique: true}]} | 6.0:-",
                "plain | {createIndexes: 'c', indexes: [{key: {b: 1, a: 1}, name: 'x', unique: true}]} | 6.0:67",
                "plain | {createIndexes: 'c', indexes: [{key: {a: 1}, name: 'x', unique: true}]} | 6.0:67",
                "plain | {createIndexes: 'c', indexes: [{key: {_id: 1}, name: '_id_'}, {key: {x: 1}, name: 'x', unique: 1}]}"
                        + " | 6.0:67@1",
                "plain | {createIndexes: 'c', indexes: [{key: {_id: 1, x: 1}, name: 'x', unique: true}]} | 6.0:-",
                "hashed | {createIndexes: 'c', indexes: [{key: {h: 1}, name: 'x', unique: true}]} | 6.0:-",
                "hashed | {createIndexes: 'c', indexes: [{key: {h: 'hashed'}, name: 'x', unique: true}]} | 6.0:-",
                "plain | {createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x', prepareUnique: true}]} | 6.0:- 7.0:67",
                "plain | {createIndexes: 'other', indexes: [{key: {x: 1}, name: 'x', unique: true}]} | 6.0:-",
                "plain | {createIndexes: 'moved', indexes: [{key: {x: 1}, name: 'x', unique: true}]} | 8.0:-",
                "plain | {createIndexes: 'c', indexes: 'x'} | 6.0:-",
                "plain | {createIndexes: 'c', indexes: [{key: 1, unique: true}, {unique: true}]} | 6.0:-",
                "plain | {collMod: 'c', index: {keyPattern: {x: 1}, prepareUnique: true}} | 6.0:- 7.0:72 8.0:72",
                "plain | {collMod: 'c', index: {keyPattern: {a: 1, b: 1}, prepareUnique: true}} | 8.0:-",
                "plain | {collMod: 'c', index: {name: 'x', prepareUnique: true}} | 8.0:-",
                "plain | {collMod: 'c', index: {keyPattern: {x: 1}, hidden: true}} | 8.0:-",
                "plain | {collMod: 'c', index: 1} | 8.0:-"
            })
    void aUniqueIndexThatDoesNotBeginWithTheKeyIsFound(String catalog, String command, String rows) {
        assertRows(catalog, false, command, rows);
    }

    @Test
    void aCatalogThatCouldNotBeReadTellsNothing() {
        CommandView view = CommandView.of(
                VectorCatalog.DATABASE,
                BsonView.encode(BsonDocument.parse("{createIndexes: 'c', indexes: [{key: {x: 1}, unique: true}]}")));
        Rehearsal rehearsal = new Rehearsal(new KeyRouter(), false);
        Route route = rehearsal.route(view, CatalogSnapshot.empty(), new RouterRelease(6, 0));
        assertThat(rehearsal.wouldFail(view, route, CatalogSnapshot.empty())).isNull();
    }

    /** A batch is looked through to its end, but not one that is larger than any server takes. */
    @Test
    void aBatchIsLookedThroughUpToTheSizeThatServersTake() {
        assertThat(found("plain", "8.0", false, manyUpdates(99_999)).statement())
                .isEqualTo(99_999);
        assertThat(found("plain", "8.0", false, manyUpdates(100_000))).isNull();
    }

    private static String manyUpdates(int before) {
        String plain = "{q: {a: 1, b: 1}, u: {$set: {x: 1}}},";
        return "{update: 'c', updates: [" + plain.repeat(before)
                + "{q: {a: 1, b: 1}, u: {$set: {b: 2}}, multi: true}]}";
    }

    /** Neither the word nor the sentence holds anything of the command. */
    @Test
    void theCauseAndItsSentence() {
        WouldFail found =
                found("plain", "6.0", false, "{update: 'c', updates: [{q: {x: 'secret'}, u: {$set: {x: 'secret'}}}]}");
        assertThat(found.cause().text()).isEqualTo("updateOneWithoutKey");
        assertThat(found.sentence()).startsWith("InvalidOptions (72), because ").doesNotContain("secret");
    }
}
