package io.scatterguard.tests.conformance;

import static io.scatterguard.tests.conformance.NotesFixture.OID;
import static io.scatterguard.tests.conformance.NotesFixture.names;
import static io.scatterguard.tests.conformance.NotesFixture.notes;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.RoutingTable;
import io.scatterguard.proxy.catalog.ShardKey;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
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

/** What is noted of writes, pipelines and batches; what is looked at, and what a note may say. */
class NotesOfCommandsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "number | {q: {_id: 1}, u: {$set: {z: 1}}}               | idOnlyWrite(a)",
                "number | {q: {_id: 1, version: 3}, u: {$set: {z: 1}}}   | idOnlyWrite(a)",
                "number | {q: {_id: {$in: [1, 2]}}, u: {$set: {z: 1}}, multi: true} | idOnlyWrite(a)",
                "number | {q: {_id: 1}, u: [{$set: {z: 1}}]}             | idOnlyWrite(a)",
                "hashed | {q: {_id: 1}, u: {$set: {z: 1}}}               | idOnlyWrite(a)",
                "thenId | {q: {_id: 1}, u: {$set: {z: 1}}}               | idOnlyWrite(tenantId)",
                "number | {q: {_id: 1, a: 1}, u: {$set: {z: 1}}}         | ''",
                "number | {q: {_id: 1, a: {$gt: 1}}, u: {$set: {z: 1}}}  | ''",
                "number | {q: {_id: {$gt: 1}}, u: {$set: {z: 1}}}        | ''",
                "number | {q: {x: 1}, u: {$set: {z: 1}}}                 | ''",
                "byId   | {q: {_id: 't'}, u: {$set: {z: 1}}}             | ''",
                "number | {q: {_id: 1}, u: {z: 1}}                       | replacementLacksKey(a)",
                "number | {q: {a: 1}, u: {z: 1}}                         | replacementLacksKey(a)",
                "thenId | {q: {_id: 1}, u: {z: 1}, upsert: true}         | replacementLacksKey(tenantId) idOnlyWrite(tenantId)",
                "thenId | {q: {tenantId: 't', _id: 1}, u: {tenantId: 't'}} | ''",
                "nested | {q: {_id: 1}, u: {tenantId: 't'}}              | replacementLacksKey(meta.tenantId)",
                "number | {q: {_id: 1}, u: {a: 1, z: 1}}                 | ''",
                "nested | {q: {_id: 1}, u: {meta: {tenantId: 't'}}}      | ''",
                "number | {q: {_id: 1}, u: {$set: {a: 1}, z: 1}}         | ''",
            })
    void anUpdate(String collection, String statement, String expected) {
        assertThat(names(collection, "{update: 'c', updates: [" + statement + "]}", "8.0"))
                .isEqualTo(expected);
        BsonDocument update = BsonDocument.parse(statement);
        BsonDocument op = new BsonDocument("update", new BsonInt32(0))
                .append("filter", update.get("q"))
                .append("updateMods", update.get("u"));
        for (String flag : List.of("multi", "upsert")) {
            if (update.containsKey(flag)) {
                op.append(flag, update.get(flag));
            }
        }
        assertThat(names(collection, bulkWrite(op).toJson(), "8.0")).isEqualTo(expected);
    }

    private static BsonDocument bulkWrite(BsonDocument... ops) {
        return new BsonDocument("bulkWrite", new BsonInt32(1))
                .append("ops", new BsonArray(List.of(ops)))
                .append("nsInfo", BsonArray.parse("[{ns: 'test.c'}, {ns: 'test.other'}]"));
    }

    /** Until 8.0 the replacement's own key chooses the shard; since 9.0 it is a broadcast by {@code _id}. */
    @Test
    void aReplacementByIdThatHoldsTheKeyIsAnIdOnlyWriteWhereTheRouterDoesNotLookAtIt() {
        String command = "{update: 'c', updates: [{q: {_id: 1}, u: {a: 1, z: 1}}]}";
        assertThat(names("number", command, "6.3")).isEmpty();
        assertThat(names("number", command, "9.0")).isEqualTo("idOnlyWrite(a)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}                  | idOnlyWrite(a)",
                "{findAndModify: 'c', query: {_id: 1}, remove: true}                | idOnlyWrite(a)",
                "{findAndModify: 'c', query: {_id: 1}, update: {$set: {z: 1}}}      | idOnlyWrite(a)",
                "{findAndModify: 'c', query: {_id: 1, a: 1}, update: {z: 1}}        | replacementLacksKey(a)",
                "{findAndModify: 'c', query: {a: 1}, update: {a: 1, z: 1}}          | ''",
                "{explain: {delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}}       | idOnlyWrite(a)",
                "{find: 'c', filter: {_id: 1}}                                      | ''",
                "{insert: 'c', documents: [{_id: 1, a: null}]}                      | ''",
                "{find: 'other', filter: {a: null}}                                 | ''",
                "{find: 'c', filter: {a: null, b: {$unheardOf: 1}}}                 | ''",
                "{find: 'c', filter: {a: null, $and: []}}                           | ''",
                "{ping: 1}                                                          | ''",
                "{createIndexes: 'c', indexes: []}                                  | ''",
                "{mapReduce: 'c', query: {a: null}, out: {inline: 1}}               | keyEqualsNull(a)",
            })
    void aCommand(String command, String expected) {
        assertThat(names("number", command, "8.0")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{$limit: 5}, {$match: {a: 1}}]                             | matchAfterLimit(a)",
                "[{$match: {b: 1}}, {$sort: {b: 1}}, {$skip: 5}, {$limit: 5}, {$match: {a: 1}}] | matchAfterLimit(a)",
                "[{$sample: {size: 5}}, {$match: {$or: [{a: 1}, {a: 2}]}}]   | matchAfterLimit(a)",
                "[{$limit: 5}, {$addFields: {z: 1}}, {$match: {a: 1}}]       | matchAfterLimit(a)",
                "[{$match: {a: 1}}, {$limit: 5}, {$match: {a: 1}}]           | ''",
                "[{$match: {a: 1}}, {$limit: 5}]                             | ''",
                "[{$limit: 5}, {$match: {b: 1}}]                             | ''",
                "[{$limit: 5}, {$match: {a: {$ne: 1}}}]                      | ''",
                "[{$limit: 5}, {$addFields: {a: 1}}, {$match: {a: 1}}]       | ''",
                "[{$limit: 5}, {$group: {_id: '$b', a: {$sum: 1}}}, {$match: {a: 1}}] | ''",
                "[{$facet: {f: [{$limit: 1}, {$match: {a: 1}}]}}]            | ''",
                "[{$addFields: {z: 1}}, {$match: {a: null}}]                 | keyEqualsNull(a)",
                "[{$limit: 1}, {$match: {a: null}}]                          | matchAfterLimit(a)",
                "[{$project: {x: '$a'}}, {$match: {x: null}}]                | keyEqualsNull(a)",
                "[{$unwind: '$items'}, {$match: {$or: [{a: 1}, {b: 1}]}}]    | unscopedOrBranch(a)",
                "[{$match: {'x.a': 1}}, {$unheardOf: 1}, {$match: {a: 1}}]   | ''",
            })
    void aPipeline(String pipeline, String expected) {
        assertThat(names("number", "{aggregate: 'c', pipeline: " + pipeline + ", cursor: {}}", "8.0"))
                .isEqualTo(expected);
    }

    @Test
    void everyNoteOfABatchNamesItsStatement() {
        assertThat(names(
                        "string",
                        "{update: 'c', updates: [{q: {a: 'x'}, u: {$set: {z: 1}}}, {q: {_id: 1}, u: {$set: {z: 1}}},"
                                + "{q: {a: 5}, u: {$set: {z: 1}}}, {q: {_id: 2}, u: {$set: {z: 1}}}]}",
                        "8.0"))
                .isEqualTo("numberForString(a)@2 idOnlyWrite(a)@1 idOnlyWrite(a)@3");
    }

    @Test
    void ofABulkWriteTheOpsOnTheRoutesCollectionCount() {
        BsonDocument onAnother = BsonDocument.parse("{delete: 1, filter: {_id: 1}}");
        BsonDocument here = BsonDocument.parse("{delete: 0, filter: {_id: 1}}");
        BsonDocument insert = BsonDocument.parse("{insert: 0, document: {_id: 1}}");
        assertThat(names("number", bulkWrite(onAnother, here, insert).toJson(), "8.0"))
                .isEqualTo("idOnlyWrite(a)@1");
    }

    @Test
    void ofALargeBatchTheWorstStatementIsLookedAtWhereverItStands() {
        String fine = IntStream.range(0, 500)
                .mapToObj(i -> "{q: {a: " + i + "}, limit: 1}")
                .collect(Collectors.joining(", "));
        String batch = "{delete: 'c', deletes: [" + fine + ", {q: {_id: 1}, limit: 1}]}";
        assertThat(names("number", batch, "8.0")).isEqualTo("idOnlyWrite(a)@500");
    }

    @Test
    void aFilterBeyondTheBoundIsNotLookedAt() {
        BsonDocument filter = BsonDocument.parse("{a: null}").append("b", new BsonString("x".repeat(300_000)));
        BsonDocument find = new BsonDocument("find", new BsonString("c")).append("filter", filter);
        assertThat(notes("number", find, "8.0")).isEmpty();
        filter.append("b", new BsonString("x".repeat(100_000)));
        assertThat(notes("number", find, "8.0")).hasSize(1);
    }

    @Test
    void onceATypeStandsAmongManyBoundsItIsKnown() {
        String chunks = "{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'}, "
                + IntStream.range(0, 2_000)
                        .mapToObj(
                                i -> "{min: {a: " + i + "}, max: {a: " + (i < 1_999 ? i + 1 : "'m'") + "}, shard: 'y'}")
                        .collect(Collectors.joining(", "))
                + ", {min: {a: 'm'}, max: {a: true}, shard: 'x'}, {min: {a: true}, max: {a: {$maxKey: 1}}, shard: 'z'}";
        CatalogSnapshot catalog = VectorCatalog.of("{shardKey: {a: 1}, chunks: [" + chunks + "]}");
        for (String value : List.of("5", "'x'", "false")) {
            assertThat(notesOn(catalog, "{find: 'c', filter: {a: " + value + "}}"))
                    .as(value)
                    .isEmpty();
        }
        assertThat(notesOn(catalog, "{find: 'c', filter: {a: " + OID + "}}"))
                .singleElement()
                .satisfies(note -> assertThat(note.sentence())
                        .isEqualTo(
                                "The shard key field \"a\" is compared with objectId, but its chunk bounds are of type number or "
                                        + "string or bool; pass a value of type number or string or bool."));
    }

    private static List<Note> notesOn(CatalogSnapshot catalog, String command) {
        CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse(command)));
        return Notes.of(view, new KeyRouter().route(view, catalog, RouterRelease.DEFAULT));
    }

    @Test
    void aTimeSeriesAndAnUnsplitCollectionGiveNothingToNote() {
        CatalogSnapshot series = VectorCatalog.of("{shardKey: {meta: 1}, primaryShard: 'p', "
                + "timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds'}, chunks: ["
                + "{min: {meta: {$minKey: 1}}, max: {meta: 0}, shard: 'x'},"
                + "{min: {meta: 0}, max: {meta: {$maxKey: 1}}, shard: 'y'}]}");
        assertThat(notesOn(series, "{find: 'c', filter: {meta: null}}")).isEmpty();
        CatalogSnapshot whole = VectorCatalog.of(
                "{shardKey: {a: 1}, chunks: [" + "{min: {a: {$minKey: 1}}, max: {a: {$maxKey: 1}}, shard: 'x'}]}");
        assertThat(notesOn(whole, "{find: 'c', filter: {a: 'x'}}")).isEmpty();
        assertThat(notesOn(whole, "{find: 'c', filter: {a: null}}")).hasSize(1);
        CatalogSnapshot unsplittable = VectorCatalog.of("{shardKey: {_id: 1}, unsplittable: true, chunks: ["
                + "{min: {_id: {$minKey: 1}}, max: {_id: {$maxKey: 1}}, shard: 'x'}]}");
        assertThat(notesOn(unsplittable, "{find: 'c', filter: {_id: null}}")).isEmpty();
    }

    @Test
    void manyFieldsOfTheSameNameAreOneNote() {
        String fields = IntStream.range(0, 50)
                .mapToObj(i -> "'p" + i + ".tenantId': 't'")
                .collect(Collectors.joining(", "));
        assertThat(names("tenant", "{find: 'c', filter: {" + fields + "}}", "8.0"))
                .isEqualTo("keyUnderWrongPath(tenantId)");
    }

    @Test
    void everyTargetingVectorCanBeNoted() {
        int noted = 0;
        for (TargetingVector vector : TargetingVector.all()) {
            Route route = vector.route();
            for (Note note : Notes.of(vector.command(), route)) {
                assertThat(note.field()).as(vector.id()).isIn(keyFields(route));
                assertThat(note.statement())
                        .as(vector.id())
                        .isLessThan(route.statements().size());
                noted++;
            }
        }
        assertThat(noted).isPositive();
    }

    private static List<String> keyFields(Route route) {
        RoutingTable table = route.table();
        return table == null
                ? List.of()
                : table.shardKey().fields().stream().map(ShardKey.Field::path).toList();
    }

    /** A command for each name, with a secret in every place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HEX_STRING_FOR_OBJECT_ID | oid    | {find: 'c', filter: {a: 'feedfacefeedfacefeedface'}}",
                "NUMBER_FOR_STRING        | string | {find: 'c', filter: {a: 97531}}",
                "TYPE_UNLIKE_KEY          | number | {find: 'c', filter: {a: 'secret'}}",
                "KEY_EQUALS_NULL          | number | {find: 'c', filter: {a: null, b: 'secret'}}",
                "KEY_UNDER_WRONG_PATH     | nested | {find: 'c', filter: {'secret.tenantId': 'secret'}}",
                "UNSCOPED_OR_BRANCH       | string | {find: 'c', filter: {$or: [{a: 'secret'}, {secret: 1}]}}",
                "MATCH_AFTER_LIMIT        | string | {aggregate: 'c', pipeline: [{$limit: 97531}, {$match: {a: 'secret'}}]}",
                "KEY_FIELD_TWICE          | string | {find: 'c', filter: {$and: [{a: 'secret'}, {a: 'secret'}]}}",
                "REPLACEMENT_LACKS_KEY    | string | {update: 'c', updates: [{q: {a: 'secret'}, u: {secret: 'secret'}}]}",
                "ID_ONLY_WRITE            | string | {delete: 'c', deletes: [{q: {_id: 'secret', secret: 1}, limit: 1}]}",
            })
    void aSentenceNamesTheKeyFieldAndNothingThatTheCommandWrote(Note.Name name, String collection, String command) {
        Note note = notes(collection, BsonDocument.parse(command), "8.0").get(0);
        assertThat(note.name()).isEqualTo(name);
        assertThat(note.toString()).doesNotContain("secret", "97531", "feedface");
        assertThat(note.sentence()).contains("\"" + note.field() + "\"").matches("[A-Z][^;]*; [^;]*\\.");
        assertThat(note.fix()).isNotBlank();
    }
}
