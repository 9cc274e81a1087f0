package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ClusterParameters;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Reason;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Multi writes under the cluster parameters: data on x and y, the database's primary p, and w with nothing at all. */
class ClusterParametersTest {
    private static final CatalogSnapshot CATALOG =
            VectorCatalog.of("{shardKey: {a: 1}, primaryShard: 'p', allShards: ['p', 'w', 'x', 'y'], chunks: ["
                    + "{min: {a: {$minKey: 1}}, max: {a: 0}, shard: 'x'}, {min: {a: 0}, max: {a: {$maxKey: 1}}, shard: 'y'}],"
                    + " involved: {moved: {unsplittable: true, shard: 'y'}}}");

    private static final CatalogSnapshot SERIES =
            VectorCatalog.of("{shardKey: {meta: 1}, primaryShard: 'p', allShards: ['p', 'w', 'x', 'y'],"
                    + " timeseries: {timeField: 't', metaField: 'm', granularity: 'seconds'}, chunks: ["
                    + "{min: {meta: {$minKey: 1}}, max: {meta: 0}, shard: 'x'},"
                    + "{min: {meta: 0}, max: {meta: {$maxKey: 1}}, shard: 'y'}]}");

    private static Route route(String release, boolean onlyOwning, boolean pause, String command) {
        return route(release, CATALOG, CATALOG.primaries(), new ClusterParameters(onlyOwning, pause), command);
    }

    private static Route route(
            String release,
            CatalogSnapshot base,
            Map<String, Integer> primaries,
            ClusterParameters parameters,
            String command) {
        CatalogSnapshot catalog = new CatalogSnapshot(
                base.loadedAt(),
                true,
                base.registry(),
                primaries,
                base.tables(),
                base.unknown(),
                base.views(),
                parameters);
        CommandView view = CommandView.of("test", BsonView.encode(BsonDocument.parse(command)));
        return new KeyRouter().route(view, catalog, RouterRelease.parse(release));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Neither.
                "8.2 | false | false | {update: 'c', updates: [{q: {a: {$gt: -1}}, u: {$set: {b: 1}}, multi: true}]} | pwxy",
                // Only the shards that own data: from 8.2 on, multi writes alone.
                "8.1 | true | false | {update: 'c', updates: [{q: {a: {$gt: -1}}, u: {$set: {b: 1}}, multi: true}]} | pwxy",
                "8.2 | true | false | {update: 'c', updates: [{q: {a: {$gt: -1}}, u: {$set: {b: 1}}, multi: true}]} | xy",
                "9.0 | true | false | {delete: 'c', deletes: [{q: {b: 1}, limit: 0}]} | xy",
                "8.2 | true | false | {delete: 'c', deletes: [{q: {a: 1}, limit: 0}]} | y",
                "8.2 | true | false | {update: 'c', updates: [{q: {_id: 1}, u: {$set: {b: 1}}}]} | pwxy",
                "8.2 | true | false | {delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]} | pwxy",
                "8.2 | true | false | {bulkWrite: 1, ops: [{delete: 0, filter: {b: 1}, multi: true}], nsInfo: [{ns: 'test.c'}]} | xy",
                // Migrations paused: from 8.0 on, every multi write, and the other parameter has no effect.
                "7.3 | false | true | {update: 'c', updates: [{q: {b: 1}, u: {$set: {b: 1}}, multi: true}]} | pwxy",
                "8.0 | false | true | {update: 'c', updates: [{q: {b: 1}, u: {$set: {b: 1}}, multi: true}]} | p",
                "8.2 | true | true | {update: 'c', updates: [{q: {b: 1}, u: {$set: {b: 1}}, multi: true}]} | p",
                "8.0 | false | true | {update: 'c', updates: [{q: {a: 1}, u: {$set: {b: 1}}, multi: true}]} | p",
                "8.0 | false | true | {delete: 'c', deletes: [{q: {a: 1}, limit: 0}]} | p",
                "8.0 | false | true | {delete: 'c', deletes: [{q: {a: 1}, limit: 1}]} | y",
                "8.0 | false | true | {delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]} | pwxy",
                "8.0 | false | true | {explain: {delete: 'c', deletes: [{q: {b: 1}, limit: 0}]}} | xy",
                "8.0 | false | true | {delete: 'plain', deletes: [{q: {b: 1}, limit: 0}]} | p",
                "8.0 | false | true | {delete: 'moved', deletes: [{q: {b: 1}, limit: 0}]} | p",
                "8.0 | false | true | {delete: 'moved', deletes: [{q: {b: 1}, limit: 1}]} | y",
                "8.0 | false | true | {delete: 'moved', deletes: [{q: {b: 1}, limit: 1}, {q: {}, limit: 0}]} | py",
                "8.0 | false | true | {insert: 'moved', documents: [{}]} | y",
                "8.0 | false | true | {bulkWrite: 1, ops: [{delete: 0, filter: {}, multi: true}], nsInfo: [{ns: 'test.moved'}]} | p",
                "8.0 | false | true | {bulkWrite: 1, ops: [{delete: 0, filter: {}}], nsInfo: [{ns: 'test.moved'}]} | y",
                // In a transaction nothing is handed on.
                "8.0 | false | true | {delete: 'c', deletes: [{q: {b: 1}, limit: 0}], txnNumber: {$numberLong: '1'}, autocommit: false} | xy",
                "8.0 | false | true | {delete: 'c', deletes: [{q: {a: 1}, limit: 0}], txnNumber: {$numberLong: '1'}, autocommit: false} | y",
                "8.2 | true | true | {delete: 'c', deletes: [{q: {b: 1}, limit: 0}], txnNumber: {$numberLong: '1'}, autocommit: false} | xy",
                "8.0 | false | true | {delete: 'moved', deletes: [{q: {b: 1}, limit: 0}], txnNumber: {$numberLong: '1'}, autocommit: false} | y",
                "8.0 | false | true | {bulkWrite: 1, ops: [{delete: 0, filter: {}, multi: true}], nsInfo: [{ns: 'test.moved'}], txnNumber: {$numberLong: '1'}, autocommit: false} | y",
            })
    void decideWhereMultiWritesGo(String release, boolean onlyOwning, boolean pause, String command, String shards) {
        Route route = route(release, onlyOwning, pause, command);
        assertThat(route.registry().names(route.shards()).stream().sorted().collect(Collectors.joining()))
                .isEqualTo(shards);
        assertThat(route.certainty()).isEqualTo(Certainty.EXACT);
    }

    @Test
    void aWriteHandedToThePrimaryKeepsItsShapeAndSaysWhy() {
        Route route = route("8.0", false, true, "{delete: 'c', deletes: [{q: {b: 1}, limit: 0}]}");
        assertThat(route.shape()).isEqualTo(Shape.SCATTER_GATHER);
        assertThat(route.worst().reason()).isEqualTo(Reason.COORDINATED_WRITE);
        assertThat(RouteText.why(route)).contains("the database's primary");
    }

    /** A retryable write of measurements is handed on like any other one, but not one in a transaction. */
    @ParameterizedTest
    @CsvSource({
        "8.0, false, false, pwxy",
        "8.0, true, false, p",
        "9.0, false, false, xy",
        "9.0, true, false, p",
        "9.0, true, true, xy"
    })
    void decideWhereARetryableMultiWriteOfMeasurementsGoes(
            String release, boolean pause, boolean inTransaction, String shards) {
        Route route = route(
                release,
                SERIES,
                SERIES.primaries(),
                new ClusterParameters(false, pause),
                "{update: 'c', updates: [{q: {f: 5}, u: {$set: {m: 1}}, multi: true}], txnNumber: {$numberLong: '1'}"
                        + (inTransaction ? ", autocommit: false}" : "}"));
        assertThat(route.registry().names(route.shards()).stream().sorted().collect(Collectors.joining()))
                .isEqualTo(shards);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{update: 'c', updates: [{q: {b: 1}, u: {$set: {b: 1}}, multi: true}]}",
                "{delete: 'moved', deletes: [{q: {}, limit: 0}]}",
                "{bulkWrite: 1, ops: [{delete: 0, filter: {}, multi: true}], nsInfo: [{ns: 'test.c'}]}",
                "{bulkWrite: 1, ops: [{delete: 0, filter: {}, multi: true}], nsInfo: [{ns: 'test.moved'}]}",
                "{bulkWrite: 1, ops: [{delete: 0, filter: {}, multi: true}], nsInfo: [{ns: 'test.plain'}]}",
            })
    void withoutAKnownPrimaryAWriteHandedToItMayGoAnywhere(String command) {
        Route route = route("8.0", CATALOG, Map.of(), new ClusterParameters(false, true), command);
        assertThat(route.registry().names(route.shards())).containsExactlyInAnyOrder("p", "w", "x", "y");
        assertThat(route.certainty()).isEqualTo(Certainty.UPPER_BOUND);
    }
}
