package io.scatterguard.proxy.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.HashedKey;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That a check agrees with what is right, and with nothing else. */
class LineCheckTest {
    private static final String COLLECTION =
            "shardKey: {a: 1}, allShards: ['x', 'y', 'z'], primaryShard: 'z', chunks: ["
                    + "{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'},"
                    + "{min: {a: 0}, max: {a: {$maxKey: 1}}, shard: 'y'}]";
    private static final CatalogSnapshot CATALOG = VectorCatalog.of("{" + COLLECTION + "}");

    private static Outcome vector(String members) {
        return LineCheck.vectors(null).check("{id: 'v', " + COLLECTION + ", " + members + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "command: {find: 'c', filter: {a: 5}}, expectShards: ['y'] | true",
                "command: {find: 'c', filter: {a: 5}}, expectShards: ['x'] | false",
                "command: {find: 'c', filter: {a: 5}}, expectShards: ['x', 'y'] | false",
                "command: {find: 'c', filter: {}}, expectShards: ['y', 'x'] | true",
                "command: {find: 'c', filter: {a: 5}}, expectShards: [], expectError: {code: 61} | false",
                "command: {find: 'c', filter: {a: 5}}, expectShards: ['y'], numHostsTargeted: 'oneShard' | true",
                "command: {find: 'c', filter: {a: 5}}, expectShards: ['y'], numHostsTargeted: 'allShards' | false",
                "command: {insert: 'c', documents: [{a: [1]}]}, expectShards: [], expectError: {code: 61} | true",
                "command: {insert: 'c', documents: [{a: [1]}]}, expectShards: [], expectError: {code: 72} | false",
                "command: {insert: 'c', documents: [{a: [1]}]}, expectShards: [] | false",
                "command: {insert: 'c', documents: [{a: [1]}]}, expectShards: ['x'], expectError: {code: 61} | false",
                // An upper bound agrees if it is equal, not if it is larger.
                "command: {find: 'c', filter: {$jsonSchema: {required: ['a']}}}, expectShards: ['x', 'y'] | true",
                "command: {find: 'c', filter: {$jsonSchema: {required: ['a']}}}, expectShards: ['x'] | false",
                // Options of the vector reach the command and the catalog.
                "inTransaction: true, command: {delete: 'c', deletes: [{q: {}, limit: 0}]}, expectShards: ['x', 'y'] | true",
                "command: {delete: 'c', deletes: [{q: {}, limit: 0}]}, expectShards: ['x', 'y', 'z'], protocol: 'broadcast' | true",
                "command: {delete: 'c', deletes: [{q: {}, limit: 0}]}, expectShards: ['x', 'y', 'z'], protocol: 'twoPhase' | false",
                "collation: {locale: 'de'}, command: {find: 'c', filter: {a: 'v'}}, expectShards: ['x', 'y'] | true",
                // Every release that is named is tried.
                "versions: '<7.0', command: {delete: 'c', deletes: [{q: {b: 1}, limit: 1}]}, expectShards: [], expectError: {code: 61} | true",
                "versions: '<=7.0', command: {delete: 'c', deletes: [{q: {b: 1}, limit: 1}]}, expectShards: [], expectError: {code: 61} | false",
                "versions: '>=7.0', command: {delete: 'c', deletes: [{q: {b: 1}, limit: 1}]}, expectShards: ['x', 'y'] | true",
            })
    void aVectorAgreesOnlyWithWhatIsPredicted(String members, boolean agree) {
        Outcome outcome = vector(members);
        assertThat(outcome.agree()).as(outcome.toJson()).isEqualTo(agree);
        assertThat(outcome.detail().isEmpty()).isEqualTo(agree);
    }

    @Test
    void aVectorThatDoesNotHoldForTheReleaseIsSkipped() {
        String line = "{id: 'v', versions: '>=8.0', " + COLLECTION + ", command: {find: 'c'}, expectShards: ['x']}";
        Outcome outcome = LineCheck.vectors(new RouterRelease(6, 3)).check(line);
        assertThat(outcome.agree()).isNull();
        assertThat(outcome.skipped()).contains(">=8.0");
        assertThat(LineCheck.vectors(new RouterRelease(8, 0)).check(line).agree())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {k: 5}} | single | true",
                "{find: 'c', filter: {k: 5}} | many | false",
                "{find: 'c', filter: {k: 5}} | all | false",
                "{find: 'c', filter: {k: {$in: [1, 3]}}} | many | true",
                "{find: 'c', filter: {k: {$in: [1, 3]}}} | single | false",
                "{find: 'c', filter: {k: {$gt: 1, $lt: 3}}} | many | true",
                "{find: 'c', filter: {k: {$gt: 1, $lt: 3}}} | all | false",
                "{find: 'c', filter: {k: {$gt: 1}}} | many | true",
                "{find: 'c', filter: {k: {$lte: 'v'}}} | many | true",
                "{find: 'c', filter: {k: {$lt: {$date: 0}}}} | many | true",
                "{find: 'c', filter: {k: {$gte: {$oid: '64b0c0ffee00000000000001'}}}} | many | true",
                "{find: 'c', filter: {b: 5}} | all | true",
                "{find: 'c', filter: {b: 5}} | many | false",
                "{find: 'c', filter: {b: 5}} | unsharded | false",
                "{ping: 1} | n/a | true",
                "{find: 'c', filter: {k: 5}} | n/a | false",
                "{insert: 'c', documents: [{k: [1]}]} | error | true",
                "{insert: 'c', documents: [{k: 1}]} | error | false",
            })
    void aCaseAgreesOnlyWithItsLabel(String command, String label, boolean agree) {
        assertThat(aCase("{k: 1}", command, label).agree()).isEqualTo(agree);
    }

    /** Of a key of two fields the first one alone is a prefix, which many shards may hold. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {k: 5}} | many | true",
                "{find: 'c', filter: {k: 5}} | single | false",
                "{find: 'c', filter: {k: 5, l: 6}} | single | true",
                "{find: 'c', filter: {k: 5, l: {$gt: 6}}} | many | true",
                "{find: 'c', filter: {l: 6}} | all | true",
            })
    void aCaseIsLaidOutBelowAPrefixToo(String command, String label, boolean agree) {
        assertThat(aCase("{k: 1, l: 1}", command, label).agree()).isEqualTo(agree);
        assertThat(aCase("{k: 'hashed', l: 1}", command, label).agree()).isEqualTo(agree);
    }

    private static Outcome aCase(String key, String command, String label) {
        return LineCheck.vectors(null)
                .check("{id: 'c', ns: 'd.c', shardKey: " + key + ", command: " + withDb(command) + ", expect: '" + label
                        + "'}");
    }

    private static String withDb(String command) {
        return command.substring(0, command.length() - 1) + ", $db: 'd'}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "expect: 'all', expectBefore71: 'error', errorCode: 61 | true",
                "expect: 'all', expectBefore71: 'error', errorCode: 72 | false",
                "expect: 'all' | false",
                "expect: 'all', validFor: '>=7.1' | true",
                "expect: 'error', validFor: '<7.1' | true",
                "expect: 'all', validFor: '>=7.1', expectEach: ['all'] | true",
                "expect: 'all', validFor: '>=7.1', expectEach: ['single'] | false",
                "expect: 'all', validFor: '>=7.1', expectEach: ['all', 'all'] | false",
            })
    void aCaseIsTriedOnBothSidesOfAChange(String expectation, boolean agree) {
        Outcome outcome = LineCheck.vectors(null)
                .check("{id: 'c', ns: 'd.c', shardKey: {k: 1}, "
                        + "command: {delete: 'c', deletes: [{q: {x: 1}, limit: 1}], $db: 'd'}, " + expectation + "}");
        assertThat(outcome.agree()).as(outcome.toJson()).isEqualTo(agree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "command: {find: 'c', filter: {a: 5}}, shards: ['y'] | true",
                "command: {find: 'c', filter: {a: 5}}, shards: ['x'] | false",
                "command: {find: 'c', filter: {a: 5}}, shards: ['y'], counted: {'find.oneShard': 1} | true",
                "command: {find: 'c', filter: {a: 5}}, shards: ['y'], counted: {'find.allShards': 1} | false",
                "command: {find: 'c', filter: {a: 5}}, shards: ['y'], counted: {'aggregate.oneShard': 1} | true",
                "command: {find: 'c', filter: {a: 5}}, shards: ['y'], counted: {'update.oneShard': 1} | false",
                // What a write broadcasts is not what its explain targets.
                "command: {delete: 'c', deletes: [{q: {}, limit: 0}]}, shards: ['x', 'y'], counted: {'delete.allShards': 1} | true",
                "command: {delete: 'c', deletes: [{q: {}, limit: 0}]}, shards: ['x', 'y', 'z'] | false",
                "command: {delete: 'c', deletes: [{q: {b: 1}, limit: 1}]}, explainError: {code: 61}, error: {code: 61} | true",
                "command: {delete: 'c', deletes: [{q: {b: 1}, limit: 1}]}, explainError: {code: 61}, error: {code: 72} | false",
                "command: {delete: 'c', deletes: [{q: {b: 1}, limit: 1}]}, explainError: {code: 61}, ok: 1 | false",
                "command: {delete: 'c', deletes: [{q: {b: 1}, limit: 1}]}, shards: ['x', 'y'] | false",
                "command: {find: 'c', filter: {a: 5}}, error: {code: 61} | false",
                "command: {find: 'c', filter: {a: 5}}, explainError: {code: 61} | false",
            })
    void aRecordedCommandAgreesOnlyWithWhatIsPredicted(String members, boolean agree) {
        Outcome outcome =
                LineCheck.commands(CATALOG, new RouterRelease(6, 3)).check("{id: 'r', ns: 'test.c', " + members + "}");
        assertThat(outcome.agree()).as(outcome.toJson()).isEqualTo(agree);
        assertThat(outcome.unpredicted()).isNull();
    }

    @Test
    void anErrorAfterTheCommandWasTargetedIsAShards() {
        Outcome outcome = LineCheck.commands(CATALOG, new RouterRelease(6, 3))
                .check(
                        "{id: 'r', ns: 'test.c', command: {find: 'c', filter: {a: 5}}, shards: ['y'], error: {code: 96}}");
        assertThat(outcome.agree()).isTrue();
        assertThat(outcome.unpredicted()).isEqualTo(96);
    }

    @Test
    void aCommandOfWhichNothingIsExpectedNeitherAgreesNorDisagrees() {
        Outcome outcome = LineCheck.commands(CATALOG, new RouterRelease(6, 3))
                .check("{id: 'r', ns: 'test.c', command: {find: 'c', filter: {a: 5}}}");
        BsonDocument json = BsonDocument.parse(outcome.toJson());
        assertThat(json)
                .isEqualTo(BsonDocument.parse("{id: 'r', shards: ['y'], placement: 'oneShard', shape: 'singleShard', "
                        + "error: null, upperBound: false, agree: null, release: '6.3'}"));
        assertThat(json.keySet())
                .containsExactly("id", "shards", "placement", "shape", "error", "upperBound", "agree", "release");
    }

    @Test
    void aPredictedErrorHasNoShardsAndNoPlacement() {
        Outcome outcome =
                vector("command: {insert: 'c', documents: [{a: [1]}]}, expectShards: [], expectError: {code: 61}");
        assertThat(BsonDocument.parse(outcome.toJson()))
                .isEqualTo(
                        BsonDocument.parse(
                                "{id: 'v', shards: [], placement: null, shape: null, "
                                        + "error: {code: 61, codeName: 'ShardKeyNotFound'}, upperBound: false, agree: true, release: '6.3'}"));
    }

    @Test
    void aHashIsComputed() {
        String line = "{value: 'x', hash: {$numberLong: '%d'}}";
        long hash = HashedKey.hash(BsonValueView.of(new BsonString("x")));
        assertThat(LineCheck.vectors(null).check(line.formatted(hash)).agree()).isTrue();
        assertThat(LineCheck.vectors(null).check(line.formatted(hash + 1)).agree())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{id: 'v'",
                "[]",
                "5",
                "{}",
                "{id: 'v', expectShards: ['x']}",
                "{id: 5, expectShards: ['x']}",
                "{id: 'v', expectShards: 'x', shardKey: {a: 1}, primaryShard: 'x', command: {find: 'c'}}",
                "{id: 'v', expectShards: [5], shardKey: {a: 1}, unsharded: true, primaryShard: 'x', command: {find: 'c'}}",
                "{id: 'v', expectShards: ['x'], unsharded: true, primaryShard: 'x', command: {}}",
                "{id: 'v', expectShards: ['x'], unsharded: true, command: {find: 'c'}}",
                "{id: 'v', expectShards: ['x'], shardKey: {a: 1}, chunks: [{min: {a: 1}, max: {a: 2}, shard: 'x'}], command: {find: 'c'}}",
                "{id: 'v', versions: 'all', expectShards: ['x'], unsharded: true, primaryShard: 'x', command: {find: 'c'}}",
                "{id: 'c', expect: 'all', command: {find: 'c'}}",
                "{value: 1, hash: 5}",
                // What the reader of Extended JSON turns down with exceptions of all kinds.
                "{id: 'v', a: {$numberLong: '123456789012345678901234567890'}}",
                "{\"id\": 123456789012345678901234567890}",
                "{id: {$oid: 'zz'}}",
                "{id: {$binary: {base64: '*', subType: '00'}}}",
                "{id: {$numberDecimal: 'x'}}",
                "{id: {$uuid: 'zz'}}",
                "{id: {$date: 'yesterday'}}",
                "{id: {$timestamp: {t: -1, i: 'x'}}}",
                // One line, one document.
                "{value: 'x', hash: {$numberLong: '1'}} garbage",
                "{value: 'x', hash: {$numberLong: '1'}} {value: 'x'}",
                "",
                "{id: 'c', ns: 'd.c', shardKey: {k: 1}, chunks: [], command: {find: 'c'}, expect: 'all'}",
                "{id: 'c', ns: 'c', shardKey: {k: 1}, command: {find: 'c'}, expect: 'all'}",
                "{id: 'c', ns: 'd.c', shardKey: {k: 1}, command: {find: 'c', $db: 'e'}, expect: 'all'}",
                // An expectation that would never be compared.
                "{id: 'v', expectShards: ['x'], expectEror: {code: 1}, unsharded: true, primaryShard: 'x', command: {find: 'c'}}",
                "{id: 'c', ns: 'd.c', shardKey: {k: 1}, command: {find: 'c'}, expect: 'all', expectbefore71: 'error'}",
            })
    void aLineThatCannotBeReadIsNamed(String line) {
        assertThatThrownBy(() -> LineCheck.vectors(null).check(line))
                .isInstanceOf(LineFormatException.class)
                .hasMessageNotContaining("null")
                .hasMessageNotContaining("Bson");
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 5_000, 100_000})
    void aLineThatIsNestedTooDeeplyIsNamed(int levels) {
        String line = "{id: 'v', a: " + "[".repeat(levels) + "]".repeat(levels) + "}";
        for (LineCheck check : List.of(LineCheck.vectors(null), LineCheck.commands(CATALOG, RouterRelease.DEFAULT))) {
            assertThatThrownBy(() -> check.check(line))
                    .isInstanceOf(LineFormatException.class)
                    .hasMessageContaining("nested too deeply (expected: at most 200 levels");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{id: 'r', ns: 'c', command: {find: 'c'}}",
                "{id: 'r', ns: 'test.c', command: {find: 'c', $db: 'e'}}",
                "{id: 'r', ns: 'test.c', command: {find: 'c'}, shard: ['x']}",
                "{id: 'r', ns: 'test.c', command: {find: 'c'}, counted: {'find.oneShard': -1}}",
                "{id: 'r', ns: 5, command: {find: 'c'}}",
            })
    void aRecordedLineThatCannotBeReadIsNamed(String line) {
        LineCheck check = LineCheck.commands(CATALOG, new RouterRelease(6, 3));
        assertThatThrownBy(() -> check.check(line))
                .isInstanceOfSatisfying(
                        LineFormatException.class,
                        e -> assertThat(BsonDocument.parse(e.toJson())
                                        .getString("id")
                                        .getValue())
                                .isEqualTo("r"))
                .hasMessageNotContaining("Bson");
    }

    @Test
    void membersOfOtherNamesAreAllowed() {
        assertThat(vector("command: {find: 'c', filter: {a: 5}}, expectShards: ['y'], measuredOn: 'a laptop'")
                        .agree())
                .isTrue();
    }

    /** A command is run in the database of its namespace, whether it says so or not. */
    @Test
    void aCaseWithoutADatabaseIsRoutedInThatOfItsNamespace() {
        for (String db : List.of("", ", $db: 'd'")) {
            String line = "{id: 'c', ns: 'd.c', shardKey: {k: 1}, command: {find: 'c', filter: {k: 5}" + db
                    + "}, expect: 'single'}";
            assertThat(LineCheck.vectors(null).check(line).agree()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{k: 1} | {k: {$minKey: 1}} | single",
                "{k: 1} | {k: {$maxKey: 1}} | single",
                "{k: 'hashed'} | {k: {$minKey: 1}} | single",
                "{k: 'hashed'} | {k: {$maxKey: 1}} | single",
                "{k: 1, l: 1} | {k: {$minKey: 1}} | many",
                "{k: 1, l: 1} | {k: {$maxKey: 1}} | many",
                "{k: 1, l: 1} | {k: {$maxKey: 1}, l: {$maxKey: 1}} | single",
            })
    void theEndsOfTheKeySpaceAreNoPlaceToCut(String key, String filter, String label) {
        Outcome outcome = aCase(key, "{find: 'c', filter: " + filter + "}", label);
        assertThat(outcome.agree()).as(outcome.toJson()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"4.2, false", "4.4, true", "6.3, true", "8.0, true", "9.0, false"})
    void aCaseHoldsForTheReleasesItIsAbout(String release, boolean tried) {
        LineCheck check = LineCheck.vectors(RouterRelease.parse(release));
        String line = "{id: 'c', ns: 'd.c', shardKey: {k: 1}, command: {find: 'c', filter: {k: 5}}, expect: 'single'";
        assertThat(check.check(line + "}").skipped() == null).isEqualTo(tried);
        boolean before44 = release.equals("4.2");
        assertThat(check.check(line + ", expectBefore44: 'single'}").skipped() == null)
                .isEqualTo(tried || before44);
    }

    @Test
    void shardsAreComparedAsSetsAndCountersOfZeroAsNone() {
        Outcome outcome = LineCheck.commands(CATALOG, new RouterRelease(6, 3))
                .check("{id: 'r', ns: 'test.c', command: {find: 'c', filter: {a: 5}}, shards: ['y', 'y'], "
                        + "counted: {'find.oneShard': 1, 'find.allShards': 0}}");
        assertThat(outcome.agree()).as(outcome.toJson()).isTrue();
    }
}
