package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A rule may ask for the notes on a command, and for where it goes as far as that is known. */
class RulesOnNotesTest {
    private static final String NAMES = "{shardKey: {a: 1}, chunks: ["
            + "{min: {a: {$minKey: 1}}, max: {a: 'g'}, shard: 'x'},"
            + "{min: {a: 'g'}, max: {a: 'p'}, shard: 'y'},"
            + "{min: {a: 'p'}, max: {a: {$maxKey: 1}}, shard: 'z'}]}";

    private static Verdict verdict(String match, String json) {
        CatalogSnapshot catalog = VectorCatalog.of(NAMES);
        CommandView command = CommandView.of(VectorCatalog.DATABASE, BsonView.encode(BsonDocument.parse(json)));
        Route route = new KeyRouter().route(command, catalog, new RouterRelease(6, 0));
        String yaml = "listeners: [{upstream: {hosts: [a]}}]\npolicy: {mode: enforce, default: {reads: allow, writes:"
                + " allow}, rules: [{name: r, match: {" + match + "}, action: refuse}]}";
        return CompiledPolicy.compile(ConfigReader.read(yaml, Map.of()).policy(), 1)
                .decide(command, route, ClientInfo.of("10.0.0.1:5000"), Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "notes: numberForString                     | {find: 'c', filter: {a: 5}}                              | true",
                "notes: numberForString                     | {find: 'c', filter: {a: 'h'}}                            | false",
                "notes: [keyEqualsNull, numberForString]    | {find: 'c', filter: {a: null}}                           | true",
                "notes: keyEqualsNull                       | {find: 'c', filter: {a: 5}}                              | false",
                "notes: numberForString, shape: scatterGather | {find: 'c', filter: {a: 5}}                            | false",
                "notes: idOnlyWrite, namespace: x.y         | {delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}        | false",
                "notes: idOnlyWrite                         | {delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}        | true",
            })
    void aNote(String match, String command, boolean refused) {
        assertThat(verdict(match, command).refused()).isEqualTo(refused);
    }

    /** A statement of the same shape without the note does not hide the one that has it. */
    @Test
    void aNoteOnOneStatementOfABatch() {
        String batch =
                "{delete: 'c', deletes: [{q: {a: 'b'}, limit: 0}, {q: {a: 'q'}, limit: 0}, {q: {a: 7}, limit: 0},"
                        + " {q: {a: 'h'}, limit: 0}]}";

        assertThat(verdict("notes: numberForString", batch).statement()).isEqualTo(2);
        assertThat(verdict("notes: keyEqualsNull", batch).refused()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "placement: manyShards            | {find: 'c', filter: {a: {$in: ['b', 'h']}}}  | true",
                "placement: manyShards            | {find: 'c', filter: {a: {$in: ['b', 'c']}}}  | false",
                "minShards: 2                     | {find: 'c', filter: {a: {$in: ['b', 'h']}}}  | true",
                "minShards: 3                     | {find: 'c', filter: {a: {$in: ['b', 'h']}}}  | false",
                "minShards: 3                     | {find: 'c', filter: {b: 1}}                  | true",
                "placement: oneShard              | {find: 'c', filter: {a: 'b'}}                | true",
            })
    void aPlacement(String match, String command, boolean refused) {
        assertThat(verdict(match, command).refused()).isEqualTo(refused);
    }
}
