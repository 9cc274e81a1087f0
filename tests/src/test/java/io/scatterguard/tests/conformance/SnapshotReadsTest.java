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
import io.scatterguard.proxy.routing.PredictedError;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reads at a cluster time. The chunk below 0 was on z until 100, on y until 200 and is on x since; the one from 0 to 100 is
 * on y since 50, the one above on z since 150 and before on x since 120.
 */
class SnapshotReadsTest {
    private static final CatalogSnapshot CATALOG = catalog(
            "history: [{validAfter: %200, shard: 'x'}, {validAfter: %100, shard: 'y'}, {validAfter: %60, shard: 'z'}]",
            "history: [{validAfter: %50, shard: 'y'}]",
            "history: [{validAfter: %150, shard: 'z'}, {validAfter: %120, shard: 'x'}]");

    private static CatalogSnapshot catalog(String below, String middle, String above) {
        return catalog(Instant.EPOCH, below, middle, above);
    }

    private static CatalogSnapshot catalog(Instant loadedAt, String below, String middle, String above) {
        RawCatalog raw = new RawCatalog(
                documents("{_id: 'x'}", "{_id: 'y'}", "{_id: 'z'}"),
                documents("{_id: 'test', primary: 'x'}"),
                documents("{_id: 'test.c', key: {a: 1}}"),
                documents(
                        chunk("{a: {$minKey: 1}}", "{a: 0}", "x", below),
                        chunk("{a: 0}", "{a: 100}", "y", middle),
                        chunk("{a: 100}", "{a: {$maxKey: 1}}", "z", above)));
        return CatalogBuilder.build(raw, ShardRegistry.empty(), loadedAt);
    }

    private static List<BsonDocument> documents(String... documents) {
        return Stream.of(documents).map(BsonDocument::parse).toList();
    }

    private static String chunk(String min, String max, String shard, String history) {
        return "{ns: 'test.c', min: " + min + ", max: " + max + ", shard: '" + shard
                + "', lastmod: {$timestamp: {t: 1, i: 0}}, "
                + history.replaceAll("%(\\d+)", "{\\$timestamp: {t: $1, i: 0}}") + "}";
    }

    private static Route route(CatalogSnapshot catalog, String command, int time) {
        BsonDocument document = BsonDocument.parse(command);
        document.append(
                "readConcern",
                BsonDocument.parse("{level: 'snapshot', atClusterTime: {$timestamp: {t: " + time + ", i: 0}}}"));
        CommandView view = CommandView.of("test", BsonView.encode(document));
        return new KeyRouter().route(view, catalog, new RouterRelease(6, 0));
    }

    private static String named(Route route) {
        PredictedError error = route.worst().error();
        return error != null
                ? String.valueOf(error.code())
                : String.join("", route.registry().names(route.shards()))
                        + (route.certainty() == Certainty.EXACT ? "" : " at most");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Since the newest move, and at that very time: where it is now.
                "200 | {find: 'c', filter: {a: -5}} | x",
                "300 | {find: 'c', filter: {a: 500}} | z",
                "200 | {find: 'c'} | xyz",
                // Before: by the history of each chunk that is touched.
                "199 | {find: 'c', filter: {a: -5}} | y",
                "199 | {find: 'c', filter: {a: 5}} | y",
                "199 | {find: 'c', filter: {a: 500}} | z",
                "199 | {find: 'c'} | yz",
                "199 | {find: 'c', filter: {b: 1}} | yz",
                "199 | {find: 'c', filter: {a: {$lt: 5}}} | y",
                "150 | {find: 'c', filter: {a: 500}} | z",
                "149 | {find: 'c', filter: {a: 500}} | x",
                "149 | {aggregate: 'c', pipeline: [{$match: {a: 500}}], cursor: {}} | x",
                "149 | {find: 'c'} | xy",
                "149 | {find: 'c', filter: {a: {$in: []}}} | y",
                // Not far enough back: an error if such a chunk is touched.
                "110 | {find: 'c', filter: {a: 500}} | 250",
                "110 | {find: 'c', filter: {a: -5}} | y",
                "110 | {find: 'c'} | 250",
                "70 | {find: 'c', filter: {a: -5}} | z",
                "70 | {find: 'c', filter: {a: 5}} | y",
                // Before the time from which on the others are where they are: perhaps an error.
                "40 | {find: 'c', filter: {a: 5}} | y at most",
                "40 | {find: 'c', filter: {a: -5}} | 250",
                // A statement that begins a transaction.
                "149 | {update: 'c', updates: [{q: {a: 500}, u: {$set: {b: 1}}}], txnNumber: {$numberLong: '1'}, autocommit: false} | x",
                "149 | {insert: 'c', documents: [{a: 500}], txnNumber: {$numberLong: '1'}, autocommit: false} | x",
            })
    void goWhereTheChunksWere(int time, String command, String shards) {
        assertThat(named(route(CATALOG, command, time))).isEqualTo(shards);
    }

    /** The time of a later statement of a transaction is not known: at most the life of a transaction ago. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The newest move is at 200, the one of z at 150.
                "260 | {find: 'c', filter: {a: -5}} | x",
                "259 | {find: 'c', filter: {a: -5}} | xy at most",
                "259 | {find: 'c', filter: {a: 500}} | yz at most",
                "209 | {find: 'c', filter: {a: 500}} | xyz at most",
                "200 | {find: 'c', filter: {a: {$gt: 500}}} | xyz at most",
                "259 | {find: 'c', filter: {$unheardOf: 1}} | xyz at most",
                "259 | {insert: 'c', documents: [{a: -5}]} | xy at most",
                "260 | {insert: 'c', documents: [{a: -5}]} | x",
                "259 | {update: 'c', updates: [{q: {a: -5}, u: {$set: {b: 1}}}]} | xy at most",
                "259 | {aggregate: 'c', pipeline: [{$match: {a: -5}}], cursor: {}} | xy at most",
                // The first statement says what it reads.
                "259 | {find: 'c', filter: {a: -5}, startTransaction: true} | x",
            })
    void ofALaterStatementOfATransactionAreDoubtedAfterAMove(int loadedAt, String command, String shards) {
        CatalogSnapshot catalog = catalog(
                Instant.ofEpochSecond(loadedAt),
                "history: [{validAfter: %200, shard: 'x'}, {validAfter: %100, shard: 'y'}, {validAfter: %60, shard: 'z'}]",
                "history: [{validAfter: %50, shard: 'y'}]",
                "history: [{validAfter: %150, shard: 'z'}, {validAfter: %120, shard: 'x'}]");
        BsonDocument document = BsonDocument.parse(command)
                .append("txnNumber", new BsonInt64(1))
                .append("autocommit", BsonBoolean.FALSE);
        CommandView view = CommandView.of("test", BsonView.encode(document));
        assertThat(named(new KeyRouter().route(view, catalog, new RouterRelease(6, 0))))
                .isEqualTo(shards);
    }

    @ParameterizedTest
    @CsvSource({"149, manyShards", "200, allShards"})
    void countAgainstTheShardsThatOwnChunksNow(int time, String placement) {
        assertThat(route(CATALOG, "{find: 'c'}", time).placement().text()).isEqualTo(placement);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: 1 | y",
                "history: [] | y",
                "history: null | y",
                "history: 5 | y at most",
                "history: [5] | y at most"
            })
    void needAHistoryThatCanBeUnderstood(String history, String shards) {
        assertThat(named(route(catalog(history, history, history), "{find: 'c', filter: {a: 5}}", 1)))
                .isEqualTo(shards);
    }

    @ParameterizedTest
    @CsvSource({"1", "110", "149"})
    void anUpperBoundHoldsOnlyShards(int time) {
        Route route = route(CATALOG, "{find: 'c', filter: {$unheardOf: 1}}", time);
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
        assertThat(route.registry().names(route.shards())).isNotEmpty();
    }
}
